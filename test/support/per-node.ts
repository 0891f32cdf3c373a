/** How many nodes the service of a test has. */
export const TEST_NODES = Number(process.env.STAYWIRE_TEST_NODES ?? 1);

/** Why a test that states what one process does is skipped in a run of several nodes; false in others. */
export function perNode(reason: string): string | false {
  return TEST_NODES > 1 && `counts for each node: ${reason}`;
}

/** How many nodes the service of a test has. */
export const TEST_NODES = Number(process.env.STAYWIRE_TEST_NODES ?? 1);

/** Why a test that states what one process does is skipped in a run of several nodes; false in others. */
export function perNode(reason: string): string | false {
  return TEST_NODES > 1 && `counts for each node: ${reason}`;
}

/** How many cases of a property are drawn: over several nodes fewer, because each request asks servers several times. */
export function casesOverNodes(count: number): number {
  return TEST_NODES > 1 ? Math.ceil(count / 4) : count;
}

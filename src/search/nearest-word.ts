/** Stand-in. */
export function nearestWord(_word: string, _among: readonly string[]): string | undefined {
  return undefined;
}

/** The offered values nearest to any of those that were meant; of two equally near, the smaller one first. */
export function nearestNumbers(
  meant: readonly string[],
  offered: readonly string[],
  numberOf: (text: string) => number | undefined,
): readonly string[] {
  const targets = meant.map(numberOf).filter((target) => target !== undefined);
  const distance = (value: string) =>
    Math.min(...targets.map((target) => Math.abs(target - (numberOf(value) ?? Number.POSITIVE_INFINITY))));
  return targets.length === 0
    ? []
    : offered
        .map((value) => ({ value, distance: distance(value) }))
        // A stable sort: `offered` is in ascending order.
        .sort((one, other) => one.distance - other.distance)
        .map(({ value }) => value);
}

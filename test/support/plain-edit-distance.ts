/** The definition as a recursion over the rest of both words, with a swap of two neighbours as one edit. */
export function plainEditDistance(from: readonly string[], to: readonly string[]): number {
  if (from.length === 0 || to.length === 0) return from.length + to.length;
  const known = new Map<string, number>();
  const between = (row: number, column: number): number => {
    if (row === from.length || column === to.length) return from.length - row + (to.length - column);
    const key = `${row} ${column}`;
    const distance =
      known.get(key) ??
      Math.min(
        between(row + 1, column + 1) + (from[row] === to[column] ? 0 : 1),
        between(row + 1, column) + 1,
        between(row, column + 1) + 1,
        from[row] === to[column + 1] &&
          from[row + 1] === to[column] &&
          row + 1 < from.length &&
          column + 1 < to.length
          ? between(row + 2, column + 2) + 1
          : Number.POSITIVE_INFINITY,
      );
    known.set(key, distance);
    return distance;
  };
  return between(0, 0);
}

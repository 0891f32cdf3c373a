/** A logarithmic axis, from its lower to its upper end in the picture. */
export type LogScale = {
  readonly ticks: readonly number[];
  at(value: number): number;
};

/** With ticks at powers of ten, and at 2 and 5 times them where those are few. Ends at the ticks around the values. */
export function decades(values: readonly number[], from: number, to: number): LogScale {
  const [least, most] = ends(values);
  const first = Math.floor(Math.log10(least));
  const last = Math.max(first + 1, Math.ceil(Math.log10(most)));
  const between = last - first <= 2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: last - first + 1 }, (_, decade) => 10 ** (first + decade));
  const ticks = powers.flatMap((power) => between.map((factor) => factor * power));
  const lowest = ticks.findLastIndex((tick) => tick <= least);
  const highest = ticks.findIndex((tick) => tick >= most);
  return scale(ticks.slice(lowest, Math.max(highest, lowest + 1) + 1), from, to);
}

/** With a tick at each of the values and nothing beyond them. */
export function exactly(values: readonly number[], from: number, to: number): LogScale {
  ends(values);
  return scale(
    [...new Set(values)].sort((one, other) => one - other),
    from,
    to,
  );
}

function scale(ticks: readonly number[], from: number, to: number): LogScale {
  const least = Math.log10(ticks[0] ?? 1);
  const span = Math.log10(ticks.at(-1) ?? 1) - least || 1;
  return { ticks, at: (value) => from + ((Math.log10(value) - least) / span) * (to - from) };
}

function ends(values: readonly number[]): readonly [number, number] {
  if (values.length === 0 || !values.every((value) => value > 0 && Number.isFinite(value))) {
    throw new RangeError('a logarithmic axis needs numbers above zero');
  }
  return [Math.min(...values), Math.max(...values)];
}

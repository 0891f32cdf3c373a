/** With three digits that say something: `79.5 µs`, `2.71 ms`, `1.2 s`. */
export function duration(microseconds: number): string {
  if (microseconds < 1000) return `${digits(microseconds)} µs`;
  if (microseconds < 1_000_000) return `${digits(microseconds / 1000)} ms`;
  return `${digits(microseconds / 1_000_000)} s`;
}

export function byteCount(bytes: number): string {
  return `${whole(bytes)} bytes`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? whole(value) : value.toPrecision(value < 0.1 ? 2 : 3).replace(/\.?0+$/, '');
}

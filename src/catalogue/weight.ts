/** About as many bytes as the value has as JSON. Counting is cheaper than writing, and columns count as what they are. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let sum = 2;
  if (Array.isArray(value)) {
    for (const item of value) sum += weightOf(item) + 1;
    return sum;
  }
  if (value instanceof Map || value instanceof Set) return weightOf([...value]);
  // Not over entries: these are plain data, and every member of every price is weighed.
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) sum += name.length + 4 + weightOf(members[name]);
  return sum;
}

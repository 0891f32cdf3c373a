/** The value at a dotted path, such as `items.0.id`; `*` collects from every entry. Undefined where there is none. */
export function jsonAt(value: unknown, path: string): unknown {
  const [name, ...rest] = path.split('.');
  if (name === undefined || name === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const further = rest.join('.');
  if (name === '*') return Object.values(value).map((entry) => jsonAt(entry, further));
  return jsonAt((value as Record<string, unknown>)[name], further);
}

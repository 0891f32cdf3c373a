/** Bytes that nobody else has a view of, so that they can change threads without being copied. */
export type OwnedBytes = Uint8Array<ArrayBuffer>;

/** `name.worker` beside the module that starts it. The build renames files to .js, but does not rewrite strings. */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}.worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}

/** A part of a text is a view of the whole, which would stay in memory for as long as the part is kept: this one stands by itself. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** One document of the brand that survives a restart. */
export type StoredDocument = {
  read(): Promise<OwnedBytes | undefined>;
  /** Takes the memory of the document. */
  save(document: OwnedBytes): Promise<void>;
};

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

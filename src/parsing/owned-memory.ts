/** Bytes without another view, so that they can move to another thread without a copy. */
export type OwnedBytes = Uint8Array<ArrayBuffer>;

/** `name.worker` beside the module that starts it. The build renames files to .js, but does not rewrite strings. */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}.worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}

/** Copies a text: V8 stores a substring as a view, which would hold the whole text in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** One document of the brand that survives a restart. */
export type StoredDocument = {
  read(): Promise<OwnedBytes | undefined>;
  /** Takes the memory of the document. */
  save(document: OwnedBytes): Promise<void>;
};

/** About the size of the value as JSON, without writing it; typed arrays count their bytes. */
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
  // `for…in` because it is faster than entries: this runs over every member of every price, all plain data.
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) sum += name.length + 4 + weightOf(members[name]);
  return sum;
}

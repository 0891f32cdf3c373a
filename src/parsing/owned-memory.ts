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

/** Bytes that nobody else has a view of, so that they can change threads without being copied. */
export type OwnedBytes = Uint8Array<ArrayBuffer>;

/** `name.worker` beside the module that starts it. The build renames files to .js, but does not rewrite strings. */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}.worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}

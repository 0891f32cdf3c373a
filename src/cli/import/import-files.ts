import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type FileBytes, FileTooLarge, fileBytes } from '../../connectors/shared/plain/plain-file.ts';
import { ImportFailure } from './import-failure.ts';
import type { ImportOptions } from './import-summary.ts';

/** Unpacked. The largest city that is published has some hundred megabytes. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;

export type ImportFiles = {
  /** The chunks of one of the files. Each file can be read once. */
  chunksOf(path: string): AsyncGenerator<Uint8Array>;
};

/** Files that are read one after the other, with the progress over all of them. Every error names its file. */
export async function openImportFiles(
  paths: readonly string[],
  { onProgress, signal = new AbortController().signal }: Pick<ImportOptions, 'onProgress' | 'signal'>,
): Promise<ImportFiles> {
  let totalBytes = 0;
  for (const path of paths) totalBytes += await sizeOf(path);
  let bytesBefore = 0;
  return {
    async *chunksOf(path) {
      const file: FileBytes = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal });
      try {
        for await (const chunk of file.chunks) {
          onProgress?.({ bytesRead: bytesBefore + file.bytesRead(), totalBytes });
          yield chunk;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw asFailure(path, error);
      }
      bytesBefore += file.bytesRead();
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new ImportFailure(`${path} is not a file`);
    return found.size;
  } catch (error) {
    throw asFailure(path, error);
  }
}

function asFailure(path: string, error: unknown): unknown {
  if (error instanceof ImportFailure) return error;
  if (error instanceof FileTooLarge) return new ImportFailure(`${basename(path)}: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new ImportFailure(`there is no file ${path}`, { cause: error });
  if (code === 'Z_BUF_ERROR')
    return new ImportFailure(`${path} ends in the middle of its gzip data`, { cause: error });
  if (code.startsWith('Z_'))
    return new ImportFailure(`${path} is damaged: its gzip data cannot be unpacked`, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ImportFailure(`${path} cannot be read: ${message}`, { cause: error });
}

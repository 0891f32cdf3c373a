import { copyFile, type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/** The files of the queue, each of them only ever written at its end. */
export type LedgerFiles = {
  /** Those that an earlier process has left, oldest first. */
  found(): Promise<readonly number[]>;
  content(file: number): Promise<Buffer>;
  part(file: number, offset: number, bytes: number): Promise<Buffer>;
  create(file: number): Promise<LedgerFile>;
  remove(file: number): Promise<void>;
  /** For a person to look at. Returns its path. */
  copy(file: number): Promise<string>;
};

export type LedgerFile = {
  /** Resolves once the lines are on the disk. */
  append(lines: Uint8Array, offset: number): Promise<void>;
  /** What stands beyond was never acknowledged. */
  cutAt(offset: number): Promise<void>;
  close(): Promise<void>;
};

const NAME = /^ledger\.(\d{8})\.queue$/;
const FILE_MODE = 0o600;

export function openLedgerFiles(directory: string): LedgerFiles {
  const nameOf = (file: number) => `ledger.${String(file).padStart(8, '0')}.queue`;
  const pathOf = (file: number) => join(directory, nameOf(file));

  return {
    found: () =>
      withDiskFaults(async () =>
        (await readdir(directory))
          .flatMap((name) => NAME.exec(name)?.[1] ?? [])
          .map(Number)
          .sort((one, other) => one - other),
      ),
    content: (file) => withDiskFaults(() => readFile(pathOf(file))),
    part: (file, offset, bytes) =>
      withDiskFaults(async () => {
        await using handle = await open(pathOf(file), 'r');
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
        return buffer.subarray(0, bytesRead);
      }),
    create: (file) =>
      withDiskFaults(async () => {
        const handle = await open(pathOf(file), 'wx', FILE_MODE);
        try {
          // Otherwise a power failure may take the whole file with all that was acknowledged in it.
          await using folder = await open(directory, 'r');
          await folder.sync();
        } catch (error) {
          await handle.close();
          throw error;
        }
        return ledgerFile(handle);
      }),
    remove: (file) => withDiskFaults(() => rm(pathOf(file), { force: true })),
    copy: (file) =>
      withDiskFaults(async () => {
        const copy = `${pathOf(file)}.damaged`;
        await copyFile(pathOf(file), copy);
        return copy;
      }),
  };
}

function ledgerFile(handle: FileHandle): LedgerFile {
  return {
    append: (lines, offset) =>
      withDiskFaults(async () => {
        for (let written = 0; written < lines.length; ) {
          const rest = lines.subarray(written);
          written += (await handle.write(rest, 0, rest.length, offset + written)).bytesWritten;
        }
        await handle.datasync();
      }),
    cutAt: (offset) =>
      withDiskFaults(async () => {
        await handle.truncate(offset);
        await handle.datasync();
      }),
    close: () => withDiskFaults(() => handle.close()),
  };
}

async function withDiskFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause)) throw cause;
    const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
    throw new StorageFailure(
      isFull ? 'full' : 'input_output',
      `The queue of the ledger cannot be read or written: ${cause.message}.`,
      { cause },
    );
  }
}

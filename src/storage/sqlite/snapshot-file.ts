import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFile, StoredSnapshot } from '../../availability/snapshot/snapshot.ts';

const NAME = 'index.snapshot';
const MODE = 0o600;
/** Space that must stay free on the disk: sessions matter more than a quick start. */
const MIN_LEFT_BYTES = 256 * 1024 * 1024;
/** Flush this often, so that commits of sessions never wait behind a gigabyte of unwritten pages. */
const SYNCED_AT_ONCE_BYTES = 32 * 1024 * 1024;

/** For a folder that only this process uses. Removes the incomplete file of a killed process. */
export function createSnapshotFile(
  directory: string,
  { freeBytes }: { readonly freeBytes: () => Promise<number> },
): SnapshotFile {
  const path = join(directory, NAME);
  const part = `${path}.part`;
  rmSync(part, { force: true });

  return {
    async replace(bytes, fill) {
      const free = await freeBytes();
      if (free < bytes + MIN_LEFT_BYTES) {
        throw new Error(
          `${path} needs ${bytes} bytes and there are ${free}, of which some have to stay free`,
        );
      }
      const file = await open(part, 'w', MODE);
      let isDone = false;
      try {
        await fill(appendingTo(file));
        await file.sync();
        await file.close();
        await rename(part, path);
        await syncFolder(directory);
        isDone = true;
      } finally {
        if (!isDone) {
          await file.close().catch(() => undefined);
          await rm(part, { force: true });
        }
      }
    },

    async open() {
      try {
        const file = await open(path, 'r');
        return storedIn(file, (await file.stat()).size);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}

function appendingTo(file: FileHandle): (chunk: Uint8Array) => Promise<void> {
  let unsynced = 0;
  return async (chunk) => {
    // Not `write`, which may write only a part.
    await file.writeFile(chunk);
    unsynced += chunk.length;
    if (unsynced < SYNCED_AT_ONCE_BYTES) return;
    await file.datasync();
    unsynced = 0;
  };
}

function storedIn(file: FileHandle, bytes: number): StoredSnapshot {
  return {
    bytes,
    async read(target) {
      for (let at = 0; at < target.length; ) {
        const { bytesRead } = await file.read(target, at, target.length - at);
        if (bytesRead === 0) throw new Error('it ends too early');
        at += bytesRead;
      }
    },
    close: () => file.close(),
  };
}

/** A new name is durable only once its folder is synced. */
async function syncFolder(directory: string): Promise<void> {
  await using folder = await open(directory, 'r');
  await folder.sync();
}

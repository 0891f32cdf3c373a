import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFile } from '../../availability/snapshot/snapshot.ts';

/** Space that must stay free on the disk: sessions matter more than a quick start. */
const MIN_LEFT_BYTES = 256 * 1024 * 1024;
/** Flush this often, so that commits of sessions never wait behind a gigabyte of unwritten pages. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

/** For a folder that only this process uses. Removes the incomplete file of a killed process. */
export function createSnapshotFile(directory: string, freeBytes: () => Promise<number>): SnapshotFile {
  const path = join(directory, 'index.snapshot');
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
      const file = await open(part, 'w', 0o600);
      try {
        let unsynced = 0;
        await fill(async (chunk) => {
          // Not `write`, which may write only a part.
          await file.writeFile(chunk);
          unsynced += chunk.length;
          if (unsynced < SYNC_EVERY_BYTES) return;
          await file.datasync();
          unsynced = 0;
        });
        await file.sync();
        await file.close();
        await rename(part, path);
      } catch (error) {
        await file.close().catch(() => undefined);
        await rm(part, { force: true });
        throw error;
      }
      // A new name is durable only once its folder is synced.
      await using folder = await open(directory, 'r');
      await folder.sync();
    },

    async open() {
      const file = await open(path, 'r').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (!file) return undefined;
      return {
        bytes: (await file.stat()).size,
        async read(target) {
          for (let at = 0; at < target.length; ) {
            const { bytesRead } = await file.read(target, at, target.length - at);
            if (bytesRead === 0) throw new Error('it ends too early');
            at += bytesRead;
          }
        },
        close: () => file.close(),
      };
    },
  };
}

import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type LockWait, whileLocked } from '../../parsing/file-lock.ts';
import { isMissing, readRegularFile } from '../../parsing/read-file.ts';
import { replaceFile } from '../../parsing/replace-file.ts';
import { MAX_REGISTRY_BYTES } from './registry-file.ts';
import { documentOf, type RegistryDocument, type RegistrySource } from './registry-source.ts';

type SeenFile = {
  readonly mark: string;
  readonly document: RegistryDocument;
  /** Times of files are coarse: a change right after a reading may leave the same mark. So it is read until two readings had it. */
  readonly isSettled: boolean;
};

const FOLDER_MODE = 0o700;

/** A registry in a file, which people edit too. */
export function createRegistryFileSource(path: string, wait: LockWait): RegistrySource {
  let seen: SeenFile | null = null;

  return {
    async read() {
      const mark = await markOf(path);
      if (mark === null) {
        seen = null;
        return null;
      }
      if (seen?.mark === mark && seen.isSettled) return seen.document;
      const document = await documentIn(path);
      seen = document && { mark, document, isSettled: seen?.mark === mark };
      return document;
    },

    replace(expectedVersion, text) {
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      return whileLocked(path, wait, async () => {
        const current = await documentIn(path);
        if ((current?.version ?? null) !== expectedVersion) return 'changed_meanwhile';
        replaceFile(path, text);
        return 'replaced';
      });
    },

    async close() {},
  };
}

/** What is different after any change of the file; null where there is none. */
async function markOf(path: string): Promise<string | null> {
  const found = await unlessMissing(stat(path, { bigint: true }));
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** Never on the thread that answers: a folder on another machine may take its time. */
async function documentIn(path: string): Promise<RegistryDocument | null> {
  const text = await unlessMissing(readRegularFile(path, MAX_REGISTRY_BYTES));
  return text === null ? null : documentOf(text);
}

async function unlessMissing<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LockWait, whileLocked } from '../../files/file-lock.ts';
import { replaceFile } from '../../files/replace-file.ts';
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
      const mark = markOf(path);
      if (mark === null) {
        seen = null;
        return null;
      }
      if (seen?.mark === mark && seen.isSettled) return seen.document;
      const document = documentIn(path);
      seen = document && { mark, document, isSettled: seen?.mark === mark };
      return document;
    },

    replace(expectedVersion, text) {
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      return whileLocked(path, wait, () => {
        if ((documentIn(path)?.version ?? null) !== expectedVersion) return 'changed_meanwhile';
        replaceFile(path, text);
        return 'replaced';
      });
    },

    async close() {},
  };
}

/** What is different after any change of the file; null where there is none. */
function markOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : null;
}

function documentIn(path: string): RegistryDocument | null {
  try {
    return documentOf(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

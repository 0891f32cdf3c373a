import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type LockWait, whileLocked } from '../../parsing/file-lock.ts';
import { isMissing, readRegularFile, readRegularFileNow } from '../../parsing/read-file.ts';
import { replaceFile } from '../../parsing/replace-file.ts';
import { MAX_REGISTRY_BYTES } from './registry-file.ts';

/** The text of a registry. Its version changes with the text. */
export type RegistryDocument = { readonly version: string; readonly text: string };

/** The store of a registry. Rejects if it cannot be read or written. */
export type RegistrySource = {
  /** Null without a registry. Cheap while nothing has changed, because nodes read it every second. */
  read(): Promise<RegistryDocument | null>;
  /** `expectedVersion` is the version read before, null for none: of two concurrent changes, the second must read again. */
  replace(expectedVersion: string | null, text: string): Promise<'replaced' | 'changed_meanwhile'>;
  close(): Promise<void>;
};

export function documentOf(text: string): RegistryDocument {
  return { version: hash('sha256', text), text };
}

type SeenFile = {
  readonly mark: string;
  readonly document: RegistryDocument;
  /**
   * File times are coarse: a change right after a reading may leave the same mark. So the file is read until two readings had the same
   * mark.
   */
  readonly isStable: boolean;
};

const FOLDER_MODE = 0o700;

/** A registry in a file, which the owner may edit too. */
export function createRegistryFileSource(path: string, wait: LockWait): RegistrySource {
  let seen: SeenFile | null = null;

  return {
    async read() {
      const mark = await markOf(path);
      if (mark === null) {
        seen = null;
        return null;
      }
      if (seen?.mark === mark && seen.isStable) return seen.document;
      const document = await documentIn(path);
      seen = document && { mark, document, isStable: seen?.mark === mark };
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

/** A mark that changes with the file; null without a file. */
async function markOf(path: string): Promise<string | null> {
  const found = await unlessMissing(stat(path, { bigint: true }));
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** Asynchronous, because a network folder may be slow. */
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

/** The copy of the registry last in force on this machine, for starts and commands that do not find the registry itself. */
export type RegistryCopy = {
  readonly path: string;
  /** Null without a copy. Throws if it cannot be read. */
  read(): string | null;
  /** Throws if it cannot be written. */
  keep(text: string): void;
};

const FILE_MODE = 0o600;

export function createRegistryCopy(path: string): RegistryCopy {
  return {
    path,
    read() {
      try {
        return readRegularFileNow(path, MAX_REGISTRY_BYTES);
      } catch (failure) {
        if (isMissing(failure)) return null;
        throw failure;
      }
    },
    keep(text) {
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      replaceFile(path, text, FILE_MODE);
    },
  };
}

/** The message of starts, commands and the log about a registry that has disappeared. */
export function goneText(where: string): string {
  return `The registry of assistants is gone: there is none in ${where} any more.`;
}

export function howToGoOn({ path }: Pick<RegistryCopy, 'path'>): string {
  return `To put it back: staywire assistants store ${path}. To begin anew, delete that copy too, or store {"assistants": []} to answer nobody.`;
}

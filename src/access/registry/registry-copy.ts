import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing, readRegularFileNow } from '../../parsing/read-file.ts';
import { replaceFile } from '../../parsing/replace-file.ts';
import { MAX_REGISTRY_BYTES } from './registry-file.ts';

/** The registry that was in force last on this machine, for starts and commands that do not find the registry itself. */
export type RegistryCopy = {
  readonly path: string;
  /** Null where there is none. Throws where it cannot be read. */
  read(): string | null;
  /** Throws where it cannot be written. */
  keep(text: string): void;
};

const FOLDER_MODE = 0o700;
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

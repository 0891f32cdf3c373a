import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/** Remembers that damage was met in a file that is too large to be checked at every start: at the next one it is. */
export type Suspicion = {
  exists(): boolean;
  /** Of any failure: only damage counts. */
  note(failure: unknown): void;
  clear(): void;
};

const MODE = 0o600;

export function suspicionOf(file: string): Suspicion {
  const mark = `${file}.suspect`;
  return {
    exists: () => existsSync(mark),
    note(failure) {
      if (!(failure instanceof StorageFailure) || failure.kind !== 'corrupt') return;
      try {
        writeFileSync(mark, '', { mode: MODE });
      } catch {
        // A disk that takes no mark has told of worse already.
      }
    },
    clear: () => rmSync(mark, { force: true }),
  };
}

import { existsSync, renameSync, rmSync } from 'node:fs';

const MAX_KEPT = 2;
/** They belong to the pages of the file that is set aside, and would damage its successor. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Renames a file that cannot be used, for somebody to look at. The latest two are kept, the newest as number 1. */
export function setAside(file: string): string {
  for (let number = MAX_KEPT - 1; number >= 1; number -= 1) {
    const older = `${file}.damaged-${number}`;
    if (existsSync(older)) renameSync(older, `${file}.damaged-${number + 1}`);
  }
  const kept = `${file}.damaged-1`;
  renameSync(file, kept);
  removeCompanions(file);
  return kept;
}

export function removeCompanions(file: string): void {
  for (const companion of COMPANIONS) rmSync(`${file}${companion}`, { force: true });
}

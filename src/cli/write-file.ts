import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

/** Replaces a file at once: whoever reads it, and whoever interrupts this, finds the old one or the new one whole. */
export function replaceFile(path: string, content: string): void {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
  const temporary = written(path, content, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** False, and nothing is written, when there is a file already. */
export function createFile(path: string, content: string, mode = 0o644): boolean {
  const temporary = written(path, content, mode);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function written(path: string, content: string, mode: number): string {
  const temporary = `${path}.${randomUUID()}.part`;
  const file = openSync(temporary, 'wx', mode);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}

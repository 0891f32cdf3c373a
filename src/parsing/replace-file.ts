import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file atomically: readers, also after an interruption, find either the old or the new one complete. A link stays, and its
 * target is replaced.
 */
export function replaceFile(path: string, content: string, mode?: number): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const target = before ? realpathSync(path) : path;
  const temporary = written(target, content, mode ?? (before?.mode ?? 0o644) & 0o777);
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // No process still writes to a part that is older than the replaced file.
  if (before) removeLeftBehind(target, before.mtimeMs);
}

/** Removes parts of earlier writes that killed processes left. Without a time, the caller must know that no process writes the file. */
export function removeLeftBehind(path: string, olderThanMs = Number.POSITIVE_INFINITY): void {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(start) || !PART.test(name.slice(start.length))) continue;
      const part = join(folder, name);
      const found = statSync(part, { throwIfNoEntry: false });
      if (found && found.mtimeMs < olderThanMs) rmSync(part, { force: true });
    }
  } catch {
    // The file is written; if the folder cannot be listed, old parts remain.
  }
}

/** A part of a part has two such endings. */
const PART = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part(?:\.(?!$)|$)){1,2}$/;

/** Returns false and writes nothing when the file exists. */
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
    // Not `writeSync`: when the disk fills up it writes a part, and reports that only in its result.
    writeFileSync(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}

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
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file at once: whoever reads it, and whoever interrupts this, finds the old one or the new one whole. A link stays a link, and
 * what it leads to is replaced.
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
  // What is older than the file that was replaced is written by nobody any more.
  if (before) removeLeftBehind(target, before.mtimeMs);
}

/** What killed processes have left of earlier writes. Whoever gives no time knows that nobody writes the file now. */
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
    // The file is written; a folder that cannot be listed only keeps what it has.
  }
}

/** One that is written by way of another has two such endings. */
const PART = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part(?:\.(?!$)|$)){1,2}$/;

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
    // Not `writeSync`: on a disk that gets full it writes a part, and only its result says so.
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

/** Few writes, and little to hold in memory. */
const BUFFER_LENGTH = 256 * 1024;

export type LineWriter = {
  /** One at a time: the next line is for when this one was taken. */
  write(line: string): Promise<void>;
};

/**
 * Writes a file that is there whole or not at all: its lines go to a file of another name, which takes its place at the end. Whatever
 * `fill` throws removes it.
 */
export async function writeLinesAtomically<Result>(
  path: string,
  fill: (writer: LineWriter) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.part`;
  const file = await open(temporary, 'wx');
  let isDone = false;
  try {
    let buffered = '';
    const flush = async () => {
      const text = buffered;
      buffered = '';
      await file.appendFile(text, 'utf8');
    };
    const result = await fill({
      async write(line) {
        buffered += `${line}\n`;
        if (buffered.length >= BUFFER_LENGTH) await flush();
      },
    });
    await flush();
    await file.sync();
    await file.close();
    await rename(temporary, path);
    isDone = true;
    return result;
  } finally {
    if (!isDone) {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    }
  }
}

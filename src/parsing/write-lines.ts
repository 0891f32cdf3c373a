import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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

import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Opening a FIFO would otherwise wait for somebody who writes into it. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** The text of an ordinary file that is not too large. What else can be in its place has no end, or never answers. */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    assertReadable(await file.stat(), maxBytes);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** The same at once, for whoever holds up nobody, or reads it rarely. */
export function readRegularFileNow(path: string, maxBytes: number): string {
  const file = openSync(path, WITHOUT_WAITING);
  try {
    assertReadable(fstatSync(file), maxBytes);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Whether there is nothing at a path, because the folder is not there either or is none. */
export function isMissing(failure: unknown): boolean {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function assertReadable(found: Stats, maxBytes: number): void {
  if (found.isDirectory()) throw new Error('it is a folder, and not a file');
  if (!found.isFile()) throw new Error('it is a device, a pipe or a socket, and not a file');
  if (found.size > maxBytes) {
    throw new Error(`it has ${found.size} bytes, and more than ${maxBytes} are not read`);
  }
}

import type { FileHandle } from 'node:fs/promises';
import { stat } from 'node:fs/promises';

/** Whether whoever opens the path finds the file that is open. Where nobody may look, nothing speaks against it. */
export async function leadsTo(path: string, handle: FileHandle): Promise<boolean> {
  try {
    const [there, open] = await Promise.all([stat(path, { bigint: true }), handle.stat({ bigint: true })]);
    return there.ino === open.ino && there.dev === open.dev;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Set on shared folders such as /tmp, whose mode the demo must not change. */
const STICKY = 0o1000;

/** Makes the folder and its files readable for their owner only, because bookings name guests. */
export function closeToOthers(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: FOLDER_MODE });
  if ((statSync(directory).mode & STICKY) !== 0) return;
  chmodSync(directory, FOLDER_MODE);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.json'))
      chmodSync(path.join(directory, entry.name), FILE_MODE);
  }
}

/** Writes a draft and renames it, so that a reader never sees half a file. On disk when this returns. */
export function writePrivately(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { flush: true, mode: FILE_MODE });
  renameSync(draft, file);
}

import { statSync } from 'node:fs';

/** What a path leads to. A connection keeps the file that it has opened, also when another one is at its path by now. */
export type SeenDatabase = {
  /** Undefined where nothing is there. */
  readonly file: string | undefined;
  /** The log beside it, which is there as long as a connection is open. */
  readonly log: string | undefined;
  /** Other than before when somebody has written to the file. */
  readonly written: string;
};

/** By its name alone: a file that is opened and closed beside a connection of the same process takes the locks of that connection away. */
export function seenAt(path: string): SeenDatabase {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return {
    file: file && `${file.dev} ${file.ino}`,
    log: log && `${log.dev} ${log.ino}`,
    written: `${file?.size} ${file?.mtimeNs}`,
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { KeptByAssistant } from '../../sessions/storage-quota.ts';
import { numberIn } from './columns.ts';

/** What the sessions of each assistant that have not expired keep, by the `bytes` of their rows. */
export type KeptBytes = {
  by(assistant: string): KeptByAssistant;
  total(): number;
  /** For a new session. */
  add(assistant: string, bytes: number): void;
  /** For a session, by its number, that counts again. */
  addAgain(session: number): void;
  grow(session: number, bytes: number): void;
  /** While the row is as it was counted. */
  remove(session: number): void;
};

/**
 * Counted from the rows when the writer starts, then kept up to date in a temporary table: it costs no disk, a change that is
 * rolled back rolls its count back too, and no mistake outlives the process.
 */
export function keptBytesIn(database: DatabaseSync): KeptBytes {
  database.exec(`
    PRAGMA temp_store = MEMORY;
    DROP TABLE IF EXISTS temp.kept;
    CREATE TEMP TABLE kept (assistant TEXT PRIMARY KEY, sessions INTEGER NOT NULL, bytes INTEGER NOT NULL)
      STRICT, WITHOUT ROWID;
    INSERT INTO kept SELECT assistant, count(*), sum(bytes) FROM session WHERE emptied = 0 GROUP BY assistant;
  `);
  const by = database.prepare('SELECT sessions, bytes FROM kept WHERE assistant = ?');
  const total = database.prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM kept');
  const adding = 'ON CONFLICT DO UPDATE SET sessions = sessions + 1, bytes = bytes + excluded.bytes';
  const add = database.prepare(`INSERT INTO kept VALUES (?, 1, ?) ${adding}`);
  const addAgain = database.prepare(
    `INSERT INTO kept SELECT assistant, 1, bytes FROM session WHERE number = ? ${adding}`,
  );
  const ofSession = 'WHERE assistant = (SELECT assistant FROM session WHERE number = ?)';
  const grow = database.prepare(`UPDATE kept SET bytes = bytes + ? ${ofSession}`);
  const remove = database.prepare(
    `UPDATE kept SET sessions = sessions - 1, bytes = bytes - (SELECT bytes FROM session WHERE number = ?) ${ofSession}`,
  );
  return {
    by(assistant) {
      const row = by.get(assistant);
      return row
        ? { sessions: numberIn(row, 'sessions'), bytes: numberIn(row, 'bytes') }
        : { sessions: 0, bytes: 0 };
    },
    total: () => Number(total.get()?.bytes),
    add: (assistant, bytes) => void add.run(assistant, bytes),
    addAgain: (session) => void addAgain.run(session),
    grow: (session, bytes) => void grow.run(bytes, session),
    remove: (session) => void remove.run(session, session),
  };
}

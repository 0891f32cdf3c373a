import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread that waits for the disk in place of the floor's event loop. */
export type FloorWrite = { readonly session: number; readonly state: string; readonly key: string };

const database = new DatabaseSync(String(workerData));
database.exec('PRAGMA journal_mode = WAL');
database.exec('PRAGMA synchronous = FULL');
database.exec('PRAGMA wal_autocheckpoint = 8000');
database.exec('CREATE TABLE session (number INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT');
database.exec(
  'CREATE TABLE used_key (session INTEGER, id TEXT, PRIMARY KEY (session, id)) STRICT, WITHOUT ROWID',
);
const saveSession = database.prepare('INSERT OR REPLACE INTO session VALUES (?, ?)');
const saveKey = database.prepare('INSERT OR REPLACE INTO used_key VALUES (?, ?)');

parentPort?.on('message', (writes: readonly FloorWrite[]) => {
  database.exec('BEGIN IMMEDIATE');
  for (const { session, state, key } of writes) {
    saveSession.run(session, state);
    saveKey.run(session, key);
  }
  database.exec('COMMIT');
  parentPort?.postMessage(writes.length);
});

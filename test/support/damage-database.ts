import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Works on the file of a database that no store has open. */
export function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The file can still be opened, and fails when the table is read. */
export function overwritePageOf(file: string, table: string): void {
  const find = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  const page = withDatabase(file, (database) => Number(database.prepare(find).get(table)?.rootpage));
  writeFileSync(file, readFileSync(file).fill(0xee, (page - 1) * 4096, page * 4096));
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bytesIn } from './columns.ts';

const LOCK_TIMEOUT_MS = 2000;

/** What the store keeps under names, read only: also while another process works on it. */
export type StoredDocuments = {
  document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  close(): Promise<void>;
};

/** A folder without a store has no documents, and neither has a store of a release that kept none: only its owner may migrate it. */
export function openStoredDocuments(directory: string): StoredDocuments {
  const file = join(directory, 'inventory.sqlite');
  const database = existsSync(file)
    ? new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
    : undefined;
  const keepsDocuments = database?.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'document'").get();
  return {
    async document(name) {
      if (!keepsDocuments) return undefined;
      const row = database
        ?.prepare('SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?')
        .get(name);
      return row && new Uint8Array(bytesIn(row, 'content'));
    },
    async close() {
      database?.close();
    },
  };
}

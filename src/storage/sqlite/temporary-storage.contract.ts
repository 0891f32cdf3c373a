import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqliteStorage, type SqliteStorage, type SqliteStorageOptions } from './storage.ts';

/** A directory that goes away with the test. */
export function temporaryDirectory(test: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export async function temporaryStorage(
  test: TestContext,
  options: Partial<SqliteStorageOptions> = {},
): Promise<SqliteStorage> {
  const storage = await openSqliteStorage({ directory: temporaryDirectory(test), ...options });
  test.after(() => storage.close());
  return storage;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  openSqliteStorage,
  type SqliteStorage,
  type SqliteStorageOptions,
} from '../../src/storage/sqlite/storage.ts';

/** A directory that goes away with the test. */
export function temporaryDirectory(test: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export async function temporaryStorage(
  test: TestContext,
  options: Omit<SqliteStorageOptions, 'directory'> = {},
): Promise<SqliteStorage & { readonly directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-'));
  const storage = await openSqliteStorage({ directory, ...options });
  test.after(async () => {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { ...storage, directory };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqliteStorage, type SqliteStorageOptions } from '../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Deleted after the test. */
export function temporaryDirectory(test: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

type Options = Omit<Partial<SqliteStorageOptions>, 'directory'>;

/** For tests that are not about rate limits. */
export const SAMPLE_RATE_RULE = { limit: 600, windowMs: 60_000 };

export function openSqliteIn(directory: string, options: Options = {}): Promise<Storage> {
  return openSqliteStorage({ directory, rateRule: SAMPLE_RATE_RULE, ...options });
}

/** Closed and deleted after the test. */
export async function temporaryStorage(
  test: TestContext,
  options: Options = {},
  openStorage: (options: SqliteStorageOptions) => Promise<Storage> = openSqliteStorage,
): Promise<Storage & { readonly directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-'));
  const storage = await openStorage({ directory, rateRule: SAMPLE_RATE_RULE, ...options });
  test.after(async () => {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { ...storage, directory };
}

import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { inTransaction, pragmaNumber } from './database.ts';

/** Each step of `migrations` brings a database from one version to the next. */
export type Schema = {
  /** Tells our databases from each other and from those of other programs. */
  readonly applicationId: number;
  /** SQL, only ever appended to: the version of a file is how many of these were applied to it. */
  readonly migrations: readonly string[];
  /** What migrations compute of a text and SQL cannot. */
  readonly functions?: Readonly<Record<string, (text: string) => number>>;
};

/** Call it before any pragma is set: even a change of the journal mode would write into a file that is not ours. */
export function refuseUnknownFormat(
  database: DatabaseSync,
  { applicationId, migrations }: Schema,
  file: string,
): void {
  const version = pragmaNumber(database, 'user_version');
  const owner = pragmaNumber(database, 'application_id');
  const isEmpty = version === 0 && pragmaNumber(database, 'schema_version') === 0;
  if (owner !== applicationId && !isEmpty) {
    throw new StorageFailure('foreign', `${file} is a database of another program; it was left alone.`);
  }
  if (version > migrations.length) {
    throw new StorageFailure(
      'unknown_format',
      `${file} was written by a newer version of Staywire (schema ${version}; this version knows up to ` +
        `${migrations.length}). Run that version, or restore a copy from before the upgrade.`,
    );
  }
}

/**
 * All steps in one transaction: a crash in the middle leaves the old version, and the next start tries again. True when an
 * older file was changed: what a step dropped stays readable in its free pages until it is rewritten.
 */
export function migrate(
  database: DatabaseSync,
  { applicationId, migrations, functions = {} }: Schema,
): boolean {
  if (pragmaNumber(database, 'user_version') === migrations.length) return false;
  for (const [name, compute] of Object.entries(functions)) {
    database.function(name, (text) => compute(String(text)));
  }
  return inTransaction(database, () => {
    // Read here: another process may have done it while this one waited.
    const version = pragmaNumber(database, 'user_version');
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    return version > 0 && version < migrations.length;
  });
}

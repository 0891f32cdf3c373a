import {
  documentOf,
  type RegistryDocument,
  type RegistrySource,
} from '../../access/registry/registry-source.ts';
import { createPostgresPool, type PostgresOptions, type PostgresQueries } from './connection.ts';
import { migrate, openMigratedPool } from './migrate.ts';

/** The registry that all nodes share, on a separate connection. Also opens while PostgreSQL is down, because nodes start then too. */
export function openPostgresRegistry(options: PostgresOptions): RegistrySource {
  const pool = createPostgresPool({ ...options, maxConnections: 1 });
  let migrated: Promise<void> | undefined;
  let seen: RegistryDocument | null = null;

  function ready(): Promise<void> {
    migrated ??= migrate(pool).catch((failure: unknown) => {
      migrated = undefined;
      throw failure;
    });
    return migrated;
  }

  return {
    async read() {
      await ready();
      const [row] = await pool.query<{ version: string; content: string | null }>(
        'SELECT version, CASE WHEN version = $1 THEN NULL ELSE content END AS content FROM assistant_registry',
        [seen?.version ?? ''],
      );
      if (!row) seen = null;
      else if (row.content !== null) seen = { version: row.version, text: row.content };
      return seen;
    },

    async replace(expectedVersion, text) {
      await ready();
      const { version } = documentOf(text);
      const changed =
        expectedVersion === null
          ? await pool.query(
              `INSERT INTO assistant_registry (version, content) VALUES ($1, $2)
               ON CONFLICT (only_row) DO NOTHING RETURNING version`,
              [version, text],
            )
          : await pool.query(
              `UPDATE assistant_registry SET version = $1, content = $2, stored_at = clock_timestamp()
               WHERE version = $3 RETURNING version`,
              [version, text, expectedVersion],
            );
      return changed.length === 1 ? 'replaced' : 'changed_meanwhile';
    },

    close: () => pool.close(),
  };
}

/** The two files that describe a network, byte for byte; secrets in the second stay sealed. */
type NetworkFiles = {
  readonly network: Uint8Array;
  readonly credentials: Uint8Array | null;
};

export type StoredNetwork = NetworkFiles & { readonly revision: number; readonly storedAt: Date };

/** The network that all nodes share. */
export type NetworkDocuments = {
  /** Returns the revision, which increases by one each time. */
  store(files: NetworkFiles): Promise<number>;
  stored(): Promise<StoredNetwork | undefined>;
  close(): Promise<void>;
};

type DocumentRow = {
  readonly name: keyof NetworkFiles;
  readonly content: Uint8Array;
  readonly revision: number;
  readonly stored_at: Date;
};

export async function openNetworkDocuments(options: PostgresOptions): Promise<NetworkDocuments> {
  const pool = await openMigratedPool({ ...options, maxConnections: 1 });
  return {
    store: (files) => pool.inTransaction((transaction) => storeBoth(transaction, files)),

    async stored() {
      // One statement, so that both files are of the same revision.
      const rows = await pool.query<DocumentRow>(
        'SELECT name, content, revision, stored_at FROM network_document',
      );
      const network = rows.find(({ name }) => name === 'network');
      const credentials = rows.find(({ name }) => name === 'credentials');
      if (!network) return undefined;
      const { content, revision, stored_at: storedAt } = network;
      return { network: content, credentials: credentials?.content ?? null, revision, storedAt };
    },

    close: () => pool.close(),
  };
}

async function storeBoth(transaction: PostgresQueries, files: NetworkFiles): Promise<number> {
  await transaction.query('LOCK TABLE network_document IN EXCLUSIVE MODE');
  const [last] = await transaction.query<{ revision: number }>(
    'SELECT coalesce(max(revision), 0) AS revision FROM network_document',
  );
  const revision = (last?.revision ?? 0) + 1;
  await transaction.query('DELETE FROM network_document');
  for (const name of ['network', 'credentials'] as const) {
    const content = files[name];
    if (content === null) continue;
    await transaction.query('INSERT INTO network_document (name, content, revision) VALUES ($1, $2, $3)', [
      name,
      Buffer.from(content),
      revision,
    ]);
  }
  return revision;
}

import { createPostgresPool, type PostgresOptions, type PostgresQueries } from './connection.ts';
import { migrate } from './migrate.ts';

/** The two files that describe a network, byte for byte; secrets in the second stay sealed. */
export type NetworkFiles = {
  readonly network: Uint8Array;
  readonly credentials: Uint8Array | null;
};

export type StoredNetwork = NetworkFiles & { readonly revision: number; readonly storedAt: Date };

/** The network as all nodes share it. */
export type NetworkDocuments = {
  /** Returns the revision, which grows by one each time. */
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
  const pool = createPostgresPool({ ...options, maxConnections: 1 });
  try {
    await migrate(pool);
  } catch (failure) {
    await pool.close();
    throw failure;
  }
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

async function storeBoth(
  transaction: PostgresQueries,
  { network, credentials }: NetworkFiles,
): Promise<number> {
  await transaction.query('LOCK TABLE network_document IN EXCLUSIVE MODE');
  const [last] = await transaction.query<{ revision: number }>(
    'SELECT coalesce(max(revision), 0) AS revision FROM network_document',
  );
  const revision = (last?.revision ?? 0) + 1;
  await transaction.query('DELETE FROM network_document');
  const files: NetworkFiles = { network, credentials };
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    await transaction.query('INSERT INTO network_document (name, content, revision) VALUES ($1, $2, $3)', [
      name,
      Buffer.from(content),
      revision,
    ]);
  }
  return revision;
}

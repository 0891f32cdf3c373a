import type { InventoryStore } from '../../availability/inventory-store.ts';
import { type Clock, pauseFor } from '../../clock.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { InventoryReplica } from '../sqlite/inventory-replica.ts';
import type { UnsavedCatalogues } from '../sqlite/unsaved-catalogues.ts';
import type { PostgresPool } from './connection.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import type { ReplicaFeed } from './replica-feed.ts';

const FIRST_FILLING_AGAIN_AFTER_MS = 1_000;
/** So that nodes which come and go leave no row each for ever. */
const LEARNED_KEPT_PER_BRAND = 8;

/**
 * Writes go to PostgreSQL, from where they come into this node's copy. Homes are read from the copy: without a wait, and while PostgreSQL is
 * down. So are documents and what was learned, but only then.
 */
export function createPostgresInventoryStore({
  pool,
  copy,
  replica,
  feed,
  unsaved,
  node,
  clock,
  report,
  closing,
}: {
  readonly pool: PostgresPool;
  readonly copy: InventoryStore;
  readonly replica: InventoryReplica;
  readonly feed: ReplicaFeed;
  readonly unsaved: UnsavedCatalogues;
  readonly node: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly report: (warning: string) => void;
  readonly closing: AbortSignal;
}): InventoryStore {
  const writes = createInventoryWrites({ pool, node });
  /** In the order of the calls, as every store does. */
  const inSequence = createSequence();
  let wasLoaded = false;
  let isCopyBehind = false;

  /** A node with a copy serves what it has; one without waits, because an empty index would say that there are no homes. */
  async function fill(): Promise<void> {
    for (let hasTold = false; ; hasTold = true) {
      try {
        return await feed.catchUp();
      } catch (failure) {
        if (!(failure instanceof StorageFailure) || failure.kind === 'closed') throw failure;
        if (replica.position()) {
          report(
            `The stored homes may be out of date, because they could not be compared: ${failure.message}`,
          );
          return;
        }
        if (!hasTold) report(`The homes cannot be loaded, and are tried again: ${failure.message}`);
        await pauseFor(FIRST_FILLING_AGAIN_AFTER_MS, clock, closing);
        if (closing.aborted) throw new StorageFailure('closed', 'The store is closed.');
      }
    }
  }

  /** What PostgreSQL has, or the copy of it while it is down. */
  async function readOrCopied<Value>(
    read: () => Promise<Value | undefined>,
    copied: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    try {
      return await read();
    } catch (failure) {
      if (!(failure instanceof StorageFailure) || failure.kind !== 'unreachable') throw failure;
      return copied();
    }
  }

  /** What PostgreSQL has is stored and read, whether or not the disk of this node has room for the copy. */
  async function keepCopy(write: () => Promise<void>): Promise<void> {
    try {
      await write();
      isCopyBehind = false;
    } catch (failure) {
      if (!isCopyBehind) report(`The copy of this node cannot be written: ${String(failure)}`);
      isCopyBehind = true;
    }
  }

  return {
    async load(take, isKnown) {
      await fill();
      // Later ones are somebody's to follow: whoever loads takes perhaps one brand of all.
      if (!wasLoaded) feed.forgetChanged();
      wasLoaded = true;
      await copy.load(take, isKnown);
    },

    listings: unsaved.before(copy.listings),

    replaceCatalogue: (brand, properties) =>
      inSequence(async () => {
        try {
          await writes.replaceCatalogue(brand, properties);
          await feed.catchUp();
          unsaved.forget(brand);
        } catch (failure) {
          // Another node has read it since, so that this one is out of date.
          const isOutOfDate = failure instanceof StorageFailure && failure.kind === 'refused';
          if (!isOutOfDate) await unsaved.keep(brand, properties);
          throw failure;
        }
      }),

    saveCalendars: (calendars) =>
      inSequence(async () => {
        await writes.saveCalendars(calendars);
        await feed.catchUp();
      }),

    saveDocument: (name, document) =>
      inSequence(async () => {
        await pool.query(
          `INSERT INTO document (name, content) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET content = excluded.content, stored_at = excluded.stored_at`,
          [name, Buffer.from(document.buffer, document.byteOffset, document.byteLength)],
        );
        await keepCopy(() => copy.saveDocument(name, document));
      }),

    document: (name) =>
      readOrCopied(
        async () => {
          const [row] = await pool.query<{ content: Buffer }>(
            'SELECT content FROM document WHERE name = $1',
            [name],
          );
          if (!row) return undefined;
          const content = new Uint8Array(row.content);
          await keepCopy(async () => {
            const copied = await copy.document(name);
            // Its memory moves to the thread that writes.
            if (!copied || Buffer.compare(copied, content) !== 0)
              await copy.saveDocument(name, content.slice());
          });
          return content;
        },
        () => copy.document(name),
      ),

    saveLearned: (brand, json) =>
      inSequence(async () => {
        await pool.query(
          `INSERT INTO learned (brand, node, json) VALUES ($1, $2, $3)
           ON CONFLICT (brand, node) DO UPDATE SET json = excluded.json, number = nextval('learned_number')`,
          [brand, node, json],
        );
        await pool.query(
          `DELETE FROM learned WHERE brand = $1 AND number <= (
             SELECT number FROM learned WHERE brand = $1 ORDER BY number DESC OFFSET ${LEARNED_KEPT_PER_BRAND} LIMIT 1)`,
          [brand],
        );
        await keepCopy(() => copy.saveLearned(brand, json));
      }),

    learned: (brand) =>
      readOrCopied(
        async () => {
          // Whoever stored last had begun with what was the last then, and has learned since.
          const [row] = await pool.query<{ json: string }>(
            'SELECT json FROM learned WHERE brand = $1 ORDER BY number DESC LIMIT 1',
            [brand],
          );
          if (row) await keepCopy(() => copy.saveLearned(brand, row.json));
          return row?.json;
        },
        () => copy.learned(brand),
      ),
  };
}

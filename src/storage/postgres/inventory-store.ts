import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  FollowedChanges,
  InventoryChange,
  InventoryChanges,
  InventoryStore,
} from '../../availability/inventory-store.ts';
import type { BrandId } from '../../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../../clock.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { InventoryReplica, SqliteInventory } from '../sqlite/inventory-store.ts';
import type { PostgresConnection, PostgresPool } from './connection.ts';
import { createInventoryWrites, noticeChannel } from './inventory-writes.ts';
import { createReplicaFeed, type ReplicaFeed } from './replica-feed.ts';

export type PostgresInventory = {
  readonly store: InventoryStore;
  readonly changes: InventoryChanges;
  /** Ends a load that waits for PostgreSQL. The caller closes pool and copy. */
  close(): void;
};

const FIRST_FILLING_AGAIN_AFTER_MS = 1_000;

/**
 * The inventory that all nodes share, with this node's copy of it. Writes go to PostgreSQL, and from there into the copy. Homes are read from
 * the copy, without a wait and also while PostgreSQL is down. Documents are read from PostgreSQL, or from the copy while it is down.
 */
export function openPostgresInventory({
  pool,
  copy,
  node,
  clock,
  report,
}: {
  /** Its schema has been migrated. */
  readonly pool: PostgresPool;
  readonly copy: Pick<SqliteInventory, 'store' | 'replica'>;
  /** Different for every process. */
  readonly node: string;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly report: (warning: string) => void;
}): PostgresInventory {
  const { replica } = copy;
  const closing = new AbortController();
  const feed = createReplicaFeed({ pool, replica, node, clock });
  const writes = createInventoryWrites({ pool, node });
  /** Runs writes in the order of the calls, as every store does. */
  const inSequence = createSequence();
  let wasLoaded = false;
  let isCopyBehind = false;

  /** A node with a copy serves it; a node without one waits, because an empty index would mean that there are no homes. */
  async function fill(): Promise<void> {
    for (let hasReported = false; ; hasReported = true) {
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
        if (!hasReported) report(`The homes cannot be loaded, and are tried again: ${failure.message}`);
        await pauseFor(FIRST_FILLING_AGAIN_AFTER_MS, clock, closing.signal);
        if (closing.signal.aborted) throw new StorageFailure('closed', 'The store is closed.');
      }
    }
  }

  /** Reads and writes of PostgreSQL succeed even when this node cannot write its copy, such as on a full disk. */
  async function writeCopy(write: () => Promise<void>): Promise<void> {
    try {
      await write();
      isCopyBehind = false;
    } catch (failure) {
      if (!isCopyBehind) report(`The copy of this node cannot be written: ${String(failure)}`);
      isCopyBehind = true;
    }
  }

  function saveDocument(name: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    return inSequence(async () => {
      await pool.query(
        `INSERT INTO document (name, content) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET content = excluded.content, stored_at = excluded.stored_at`,
        [name, Buffer.from(content.buffer, content.byteOffset, content.byteLength)],
      );
      await writeCopy(() => copy.store.saveDocument(name, content));
    });
  }

  /** From PostgreSQL, or from the copy while it is down. */
  async function document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const copied = await copy.store.document(name);
    try {
      const [row] = await pool.query<{ content: Buffer }>('SELECT content FROM document WHERE name = $1', [
        name,
      ]);
      if (!row) return undefined;
      const content = new Uint8Array(row.content);
      // A copy of it, because its memory moves to the writing thread.
      if (!copied || Buffer.compare(copied, content) !== 0)
        await writeCopy(() => copy.store.saveDocument(name, content.slice()));
      return content;
    } catch (failure) {
      if (!(failure instanceof StorageFailure) || failure.kind !== 'unreachable') throw failure;
      return copied;
    }
  }

  const store: InventoryStore = {
    async load(take, isKnown) {
      await fill();
      // Only at the first load: a later one may take a single brand, and followers still need the other changes.
      if (!wasLoaded) feed.forgetChanged();
      wasLoaded = true;
      await copy.store.load(take, isKnown);
    },

    listings: copy.store.listings,

    replaceCatalogue: (brand, properties) =>
      inSequence(async () => {
        await writes.replaceCatalogue(brand, properties);
        await feed.catchUp();
      }),

    saveCalendars: (calendars) =>
      inSequence(async () => {
        await writes.saveCalendars(calendars);
        await feed.catchUp();
      }),

    saveDocument,
    document,
    // Each node starts from the last stored state and adds to it.
    saveLearned: (brand, json) => saveDocument(learnedName(brand), new TextEncoder().encode(json)),
    async learned(brand) {
      const json = await document(learnedName(brand));
      return json && new TextDecoder().decode(json);
    },
  };

  return {
    store,
    changes: { follow: (take) => followChanges({ pool, replica, feed, clock, report }, take) },
    close: () => closing.abort(),
  };
}

/** Unpacking this many calendars takes about a millisecond. */
const MAX_HOMES_A_CHANGE = 32;
/** Notices can be lost with a connection whose break goes unnoticed. */
const ASK_EVERY_MS = 1_500;
const LISTEN_AGAIN_AFTER_MS = 500;

/** Listens for notices of changes on a separate connection, and polls for changes as well. */
function followChanges(
  {
    pool,
    replica,
    feed,
    clock,
    report,
  }: {
    readonly pool: PostgresPool;
    readonly replica: InventoryReplica;
    readonly feed: ReplicaFeed;
    readonly clock: Pick<Clock, 'elapsed' | 'after'>;
    readonly report: (warning: string) => void;
  },
  take: (change: InventoryChange) => Promise<void>,
): FollowedChanges {
  const startedAt = clock.elapsed();
  let takenAt = startedAt;
  let listening: PostgresConnection | undefined;
  let isStopped = false;
  let hasFailed = false;
  let cancelAsking = () => {};
  let cancelListening = () => {};
  let taking: Promise<void> = Promise.resolve();

  function caughtUp(): Promise<void> {
    return feed.catchUp().then(takeAll);
  }

  /** One after the other, so that awaiting the last one awaits all. */
  function takeAll(): Promise<void> {
    const taken = taking.then(takeEach);
    taking = taken.catch(() => {});
    return taken;
  }

  async function takeEach(): Promise<void> {
    const knownAt = feed.caughtUpAt() ?? startedAt;
    for (let changed = next(); changed; changed = next()) {
      const { brand, ids } = changed;
      try {
        const homes = replica.homes(ids);
        const isHome = new Set(homes.map(({ id }) => id));
        // Another node has stored the catalogue that this one could not store.
        await take({ brand, homes, removed: ids.filter((id) => !isHome.has(id)) });
        await nextTurn();
      } catch (failure) {
        feed.putBack(changed);
        throw failure;
      }
    }
    if (!isStopped) takenAt = knownAt;
  }

  function next(): ReturnType<ReplicaFeed['takeChanged']> {
    return isStopped ? undefined : feed.takeChanged(MAX_HOMES_A_CHANGE);
  }

  async function ask(): Promise<void> {
    cancelAsking();
    try {
      await caughtUp();
      hasFailed = false;
    } catch (failure) {
      if (!hasFailed && !isStopped) report(`Changes of other nodes cannot be followed: ${String(failure)}`);
      hasFailed = true;
    }
    cancelAsking();
    if (!isStopped) cancelAsking = clock.after(ASK_EVERY_MS, () => void ask());
  }

  async function listen(): Promise<void> {
    try {
      const connection = await pool.connect();
      listening = connection;
      if (isStopped) return await connection.close();
      void connection.ended.then(listenAgain);
      await connection.onNotice(noticeChannel(pool), () => void ask());
      // Fetch changes from before the connection listened.
      await ask();
    } catch {
      // The same fault fails `ask` too, which reports it.
      if (listening) await listening.close();
      else listenAgain();
    }
  }

  function listenAgain(): void {
    listening = undefined;
    cancelListening();
    if (isStopped) return;
    cancelListening = clock.after(LISTEN_AGAIN_AFTER_MS, () => {
      beginning = listen();
    });
  }

  let beginning = listen();
  void ask();
  return {
    caughtUp,
    ageMs: () => clock.elapsed() - takenAt,
    async stop() {
      isStopped = true;
      cancelAsking();
      cancelListening();
      await beginning;
      await listening?.close();
      await taking;
    },
  };
}

const learnedName = (brand: BrandId) => `${brand}/learned`;

import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  FollowedChanges,
  InventoryChange,
  InventoryChanges,
  InventoryStore,
} from '../../availability/inventory-store.ts';
import type { Clock } from '../../clock.ts';
import type { InventoryReplica } from '../sqlite/inventory-replica.ts';
import type { SqliteInventory } from '../sqlite/open-inventory.ts';
import { createUnsavedCatalogues, type UnsavedCatalogues } from '../sqlite/unsaved-catalogues.ts';
import type { PostgresConnection, PostgresPool } from './connection.ts';
import { createPostgresInventoryStore } from './inventory-store.ts';
import { noticeChannel } from './inventory-writes.ts';
import { createReplicaFeed, type ReplicaFeed } from './replica-feed.ts';

export type PostgresInventory = {
  readonly store: InventoryStore;
  readonly changes: InventoryChanges;
  /** Ends a loading that waits for PostgreSQL. Pool and copy are closed by whoever opened them. */
  close(): void;
};

/** The inventory that all nodes share, with this node's copy of it. */
export function openPostgresInventory({
  pool,
  copy,
  node,
  clock,
  report,
  onFilling,
}: {
  /** Of a schema that is migrated. */
  readonly pool: PostgresPool;
  readonly copy: Pick<SqliteInventory, 'store' | 'replica'>;
  /** Different for every process. */
  readonly node: string;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly report: (warning: string) => void;
  /** Told now and then how many homes were compared, when all of them are. */
  readonly onFilling?: (homes: number, elapsedMs: number) => void;
}): PostgresInventory {
  const { replica } = copy;
  const closing = new AbortController();
  const unsaved = createUnsavedCatalogues();
  const feed = createReplicaFeed({ pool, replica, node, clock, ...(onFilling && { onFilling }) });
  return {
    store: createPostgresInventoryStore({
      ...{ pool, copy: copy.store, replica, feed, unsaved, node, clock, report },
      closing: closing.signal,
    }),
    changes: createPostgresInventoryChanges({ pool, replica, feed, unsaved, clock, report }),
    close: () => closing.abort(),
  };
}

/** As many calendars as are unpacked in about a millisecond. */
const MAX_HOMES_A_CHANGE = 32;
/** Notices can be lost with a connection that nobody has seen to break. */
const ASK_EVERY_MS = 1_500;
const LISTEN_AGAIN_AFTER_MS = 500;

/** Hears of changes on a connection of its own, and asks for them now and then anyway. */
function createPostgresInventoryChanges({
  pool,
  replica,
  feed,
  unsaved,
  clock,
  report,
}: {
  readonly pool: PostgresPool;
  readonly replica: Pick<InventoryReplica, 'homes'>;
  readonly feed: ReplicaFeed;
  readonly unsaved: Pick<UnsavedCatalogues, 'forget'>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly report: (warning: string) => void;
}): InventoryChanges {
  return { follow };

  function follow(take: (change: InventoryChange) => Promise<void>): FollowedChanges {
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

    /** One after the other, so that whoever waits for the last one waits for all. */
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
          // Another node has stored the catalogue since this one could not.
          unsaved.forget(brand);
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
        // What was said before anybody listened.
        await ask();
      } catch {
        // What keeps it from listening keeps it from asking too, which is reported.
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
}

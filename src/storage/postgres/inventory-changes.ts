import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  FollowedChanges,
  InventoryChange,
  InventoryChanges,
} from '../../availability/inventory-store.ts';
import type { Clock } from '../../clock.ts';
import type { InventoryReplica, UnsavedCatalogues } from '../sqlite/inventory-store.ts';
import type { PostgresConnection, PostgresPool } from './connection.ts';
import { noticeChannel } from './inventory-writes.ts';
import type { ReplicaFeed } from './replica-feed.ts';

/** Unpacking this many calendars takes about a millisecond. */
const MAX_HOMES_A_CHANGE = 32;

/** Notices can be lost with a connection whose break goes unnoticed. */
const ASK_EVERY_MS = 1_500;

const LISTEN_AGAIN_AFTER_MS = 500;

/** Listens for notices of changes on a separate connection, and polls for changes as well. */
export function createPostgresInventoryChanges({
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
}

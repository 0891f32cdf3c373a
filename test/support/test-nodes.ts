import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FollowedChanges, InventoryChanges } from '../../src/availability/inventory-store.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { RateRule } from '../../src/sessions/rate-windows.ts';
import { MAX_REPEAT_MS, type NewOpenings, type RecentOpenings } from '../../src/sessions/recent-openings.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { DeclineChannel } from '../../src/sync/decline-channel.ts';
import { newSharedServers } from './cluster-storage.ts';
import { createDirectWriter } from './direct-writer.ts';

/** Nobody is taken for dead while a test lasts, and brands stay with the node that was first. */
const LEASE_TIMES = { leaseMs: 600_000, renewEveryMs: 300_000 };
/** A node that waits for another one looks again after so long at most. */
const MAX_REAL_WAIT_MS = 160;

/** The stores of nodes that share PostgreSQL and Redis, while a test moves the time. */
export type TestNodes = {
  readonly stores: readonly Storage[];
  /** Of the services over these stores. */
  readonly clock: Clock;
  /** Resolves when no call to a store is under way, so that whoever waits waits for an operator, for time or for another node. */
  quiet(): Promise<void>;
  /** Resolves when every node knows what the others have stored and told. */
  agreed(): Promise<void>;
  close(): Promise<void>;
};

export async function openTestNodes({
  count,
  rateRule,
  clock,
}: {
  readonly count: number;
  readonly rateRule: RateRule;
  /** Which only a test moves. */
  readonly clock: Clock;
}): Promise<TestNodes> {
  const servers = newSharedServers();
  const calls = createCallCount();
  const barriers: Barrier[] = [];
  const stores: Storage[] = [];
  const folders: string[] = [];
  const openings = createEndingOpenings(clock);
  let agreeing: Promise<void> | undefined;

  for (let node = 0; node < count; node += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'staywire-node-'));
    folders.push(directory);
    const storage = await servers.open({
      directory,
      rateRule,
      // Time as the test moves it, but what a store waits for happens in real time.
      clock: { ...clock, after: systemClock.after },
      serverTime: { at: (elapsed) => Math.floor(elapsed) },
      leaseTimes: LEASE_TIMES,
      maxSkewMs: 0,
      createInventoryWriter: createDirectWriter,
    });
    const changes = watchChanges(storage.changes);
    const news = watchNews(storage.declineChannel);
    stores.push({
      ...storage,
      sessions: calls.counted(storage.sessions),
      inventory: calls.counted(storage.inventory, changes.written),
      rateWindows: calls.counted(storage.rateWindows),
      searchPlaces: storage.searchPlaces && calls.counted(storage.searchPlaces),
      openings: storage.openings && openings.ending(storage.openings),
      changes: changes.port,
      declineChannel: news.port,
    });
    barriers.push({ changes, news, roundTrip: async () => void (await storage.sessions.find('nobody')) });
  }

  async function agree(): Promise<void> {
    await openings.end();
    await quiet();
    // What a node has sent before is carried out before.
    await Promise.all(barriers.map(({ roundTrip }) => roundTrip()));
    for (const one of barriers) {
      if (!one.changes.takeWritten()) continue;
      await Promise.all(barriers.map(({ changes }) => changes.caughtUp()));
    }
    const told = barriers.reduce((sum, { news }) => sum + news.told(), 0);
    await Promise.all(barriers.map(({ news }) => news.untilHeard(told - news.told())));
  }

  async function quiet(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 3; quietTurns += 1) {
      if (calls.underWay() > 0) quietTurns = 0;
      await nextTurn();
    }
  }

  return {
    stores,
    clock: { ...clock, after: (milliseconds, action) => afterEither(clock, milliseconds, action) },
    quiet,
    agreed() {
      agreeing ??= agree().finally(() => {
        agreeing = undefined;
      });
      return agreeing;
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await servers.remove();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Barrier = {
  readonly changes: ReturnType<typeof watchChanges>;
  readonly news: ReturnType<typeof watchNews>;
  roundTrip(): Promise<void>;
};

/** A short wait ends by the test's clock or by the real one: another node, which is waited for, works in real time. */
function afterEither(clock: Clock, milliseconds: number, action: () => void): () => void {
  if (milliseconds > MAX_REAL_WAIT_MS) return clock.after(milliseconds, action);
  const end = () => {
    cancel();
    action();
  };
  const cancels = [clock.after(milliseconds, end), systemClock.after(milliseconds, end)];
  const cancel = () => {
    for (const one of cancels) one();
  };
  return cancel;
}

function createCallCount() {
  let underWay = 0;
  return {
    underWay: () => underWay,
    /** The same port, whose calls count from their beginning to their end. */
    counted<Port extends object>(port: Port, onEnd: (method: string) => void = () => {}): Port {
      return new Proxy(port, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return (...given: readonly unknown[]) => {
            const outcome: unknown = member.apply(target, given);
            if (!(outcome instanceof Promise)) return outcome;
            underWay += 1;
            return outcome.finally(() => {
              underWay -= 1;
              onEnd(String(name));
            });
          };
        },
      });
    },
  };
}

/** Redis forgets openings by its own clock, which no test moves: here the test's clock decides. */
function createEndingOpenings(clock: Clock) {
  let remembered: readonly { readonly at: number; end(): void | Promise<void> }[] = [];
  return {
    ending:
      (newOpenings: NewOpenings): NewOpenings =>
      <Opened>(purpose: string): RecentOpenings<Opened> => {
        const openings = newOpenings<Opened>(purpose);
        return {
          ...openings,
          async remember(id, session, opened) {
            await openings.remember(id, session, opened);
            remembered = [...remembered, { at: clock.elapsed(), end: () => openings.forget(session) }];
          },
        };
      },
    async end() {
      const isOver = ({ at }: { readonly at: number }) => clock.elapsed() - at > MAX_REPEAT_MS;
      const over = remembered.filter(isOver);
      remembered = remembered.filter((one) => !isOver(one));
      await Promise.all(over.map(({ end }) => end()));
    },
  };
}

const CHANGES_OF_HOMES: readonly string[] = ['replaceCatalogue', 'saveCalendars'];

function watchChanges(changes: InventoryChanges) {
  let followed: FollowedChanges | undefined;
  let isWritten = false;
  const port: InventoryChanges = {
    follow(take) {
      followed = changes.follow(take);
      return followed;
    },
  };
  return {
    port,
    written(method: string) {
      if (CHANGES_OF_HOMES.includes(method)) isWritten = true;
    },
    takeWritten() {
      const was = isWritten;
      isWritten = false;
      return was;
    },
    caughtUp: async () => followed?.caughtUp(),
  };
}

function watchNews(news: DeclineChannel) {
  let told = 0;
  let heard = 0;
  let isHearing = false;
  let onHeard = () => {};
  const port: DeclineChannel = {
    publish(refused) {
      told += 1;
      news.publish(refused);
    },
    subscribe(brands, take) {
      isHearing = true;
      const hearing = news.subscribe(brands, (refused, ageMs) => {
        take(refused, ageMs);
        heard += 1;
        onHeard();
      });
      return {
        ...hearing,
        stop() {
          isHearing = false;
          onHeard();
          return hearing.stop();
        },
      };
    },
  };
  return {
    port,
    told: () => told,
    async untilHeard(count: number) {
      while (isHearing && heard < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onHeard = resolve;
        await promise;
      }
    },
  };
}

import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import type { OtherNodes } from '../../src/sync/synchroniser.ts';
import type { FakeClock } from './fake-clock.ts';
import { setUpSynchroniser } from './sample-synchroniser.ts';
import { createSharedInventory } from './shared-inventory.ts';
import { createSharedLeases } from './shared-leases.ts';
import { createSharedNews } from './shared-news.ts';

type Surroundings = { isReachable: boolean; isDeaf: boolean; readonly aheadMs: number };

/** One run of a node, from its start to its stop or death. */
export type RunningNode = ReturnType<typeof setUpSynchroniser> & {
  readonly id: string;
  readonly name: string;
  readonly surroundings: Surroundings;
  /** Nothing of it goes on. */
  kill(): void;
};

/**
 * Nodes that share one store in memory, on one clock that the test moves. `systemsFor` is given the id of the run and what tells that it was killed.
 */
export function createSeveralNodes(
  clock: FakeClock,
  systemsFor: (id: string, killed: AbortSignal) => readonly BookingSystem[],
  options: Parameters<typeof setUpSynchroniser>[2] = {},
) {
  const leases = createSharedLeases(clock);
  const news = createSharedNews(clock);
  const ids = new Map<string, string>();
  const inventory = createSharedInventory(({ name }, brand) => {
    const holder = leases.holderOf(brand);
    return holder === undefined || holder === ids.get(name);
  });
  let runs = 0;

  async function start(name: string, aheadMs = 0): Promise<RunningNode> {
    runs += 1;
    const id = `${name}#${runs}`;
    ids.set(name, id);
    const death = new AbortController();
    const timers = new Set<() => void>();
    const surroundings: Surroundings = { isReachable: true, isDeaf: false, aheadMs };
    const ownClock: FakeClock = {
      ...clock,
      now: () => clock.now() + aheadMs,
      elapsed: () => clock.elapsed(),
      after(milliseconds, action) {
        if (death.signal.aborted) return () => {};
        const cancelTimer = clock.after(milliseconds, () => {
          timers.delete(cancelTimer);
          action();
        });
        timers.add(cancelTimer);
        return () => {
          timers.delete(cancelTimer);
          cancelTimer();
        };
      },
    };
    const node = {
      id,
      name,
      clock: ownClock,
      isDead: () => death.signal.aborted,
      isReachable: () => surroundings.isReachable,
      isDeaf: () => surroundings.isDeaf,
    };
    const { store, changes } = inventory.join(node);
    const nodes: OtherNodes = { changes, leases: leases.join(node), declineChannel: news.join(node) };
    const systems = systemsFor(id, death.signal);
    const scene = setUpSynchroniser(systems, store, { ...options, clock: ownClock });
    await scene.synchroniser.loadStored();
    scene.synchroniser.start(nodes);
    function kill(): void {
      death.abort();
      for (const cancelTimer of timers) cancelTimer();
    }
    return { ...scene, id, name, surroundings, kill };
  }

  return { start, inventory, leases };
}

import type { PropertyId } from '../../src/catalogue/catalogue.ts';
import { systemClock } from '../../src/clock.ts';
import { openClusterStorage } from '../../src/storage/cluster/storage.ts';
import { mapConcurrently } from '../client.ts';
import { startIndex, storeHomes } from '../index/start-index.ts';
import { noonOf } from '../inventory/bench-inventory.ts';
import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { answerParent, processorTime } from '../parent-line.ts';
import { HOMES_SCHEMA, type HomesOrder, type StartedNode } from './homes-order.ts';

/** A node that nobody calls: the store of a cluster, an index, and what others change put into it. */
const order: HomesOrder = JSON.parse(process.argv[2] ?? '');
const inventory = createSyntheticInventory(order);
const now = noonOf(order.today);
const clock = { ...systemClock, now: () => now };

const openedAt = performance.now();
const storage = await openClusterStorage({
  directory: order.directory,
  servers: order.servers,
  schema: HOMES_SCHEMA,
  prefix: HOMES_SCHEMA,
  rateRule: { limit: 1, windowMs: 1000 },
});
const { index, writeSnapshot } = await startIndex(storage, inventory.network, clock);
const tookMs = performance.now() - openedAt;

const watched = new Map<PropertyId, (at: number) => void>();
const followed = storage.changes.follow(async ({ homes }) => {
  for (const { id, content } of homes) {
    if (content) index.put(content.home, content.calendar, content.version);
    watched.get(id)?.(wallTime());
    watched.delete(id);
  }
});
const timesChanged = new Map<number, number>();

/** Stores another calendar of a home. */
async function change(number: number): Promise<void> {
  const times = (timesChanged.get(number) ?? 0) + 1;
  timesChanged.set(number, times);
  const { home, calendar } = inventory.homeAfter(number, times);
  await storage.inventory.saveCalendars([{ property: home.id, calendar, readAt: now + times }]);
}

/** With parts of a millisecond, and the same in all processes of a machine. */
function wallTime(): number {
  return performance.timeOrigin + performance.now();
}

answerParent({ tookMs, homes: index.propertyCount } satisfies StartedNode, {
  processorTime,
  store: () => storeHomes(storage, inventory.homes(), now),
  /** When the change began. */
  async change(number) {
    const beganAt = wallTime();
    await change(Number(number));
    return beganAt;
  },
  /** Homes from a number on, each once, so many at a time. */
  async changeMany(argument) {
    const { from, count, atATime } = argument as { from: number; count: number; atATime: number };
    const numbers = Array.from({ length: count }, (_, place) => from + place);
    await mapConcurrently(numbers, atATime, change);
  },
  /** When this node's index had the next change of a home. */
  nextChangeOf(number) {
    const { id } = inventory.homeAfter(Number(number), 0).home;
    return new Promise((resolve) => watched.set(id, resolve));
  },
  bytes: () => storage.bytes(),
  async end() {
    await followed.stop();
    await writeSnapshot();
    await storage.close();
  },
});

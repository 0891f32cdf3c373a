import type { Clock } from '../../clock.ts';
import { openDeadline } from '../../limits/deadline.ts';
import type { AvailabilityFeeds, FeedsReading, FeedUse } from '../icalendar/availability-feeds.ts';
import type { CardEntry } from './catalogue.ts';

/** A calendar can wait, so that its feeds leave the connections to the prices; homes of one quote call are read together. */
const HOMES_AT_A_TIME: Readonly<Record<FeedUse, number>> = { calendar: 8, price: 50 };

/** By reference, the feeds of each home that has any. Homes that were not reached in time are answered from what was read before. Without a time they wait for their turns. */
export async function readFeedsOfHomes(
  homes: Iterable<CardEntry>,
  {
    feeds,
    use,
    confirmedAt,
    timeoutMs,
    clock,
    signal,
    onHomeRead = () => undefined,
  }: {
    readonly feeds: AvailabilityFeeds;
    readonly use: FeedUse;
    /** When the owner last confirmed what the feeds of the home have lost. */
    readonly confirmedAt: (reference: string) => number | undefined;
    readonly timeoutMs?: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onHomeRead?: () => void;
  },
): Promise<ReadonlyMap<string, FeedsReading>> {
  const readings = new Map<string, FeedsReading>();
  const withFeeds = Iterator.from(homes).filter((home) => home.feeds.length > 0);
  const first = withFeeds.next();
  if (first.done) return readings;
  const deadline = timeoutMs === undefined ? undefined : openDeadline({ clock, timeoutMs, parent: signal });
  const readOne = async ({ property, feeds: named }: CardEntry) => {
    const { reference } = property;
    const within = deadline?.signal ?? signal;
    readings.set(reference, await feeds.read(named, use, within, confirmedAt(reference)));
    onHomeRead();
  };
  const readInTurn = async () => {
    for (const home of withFeeds) await readOne(home);
  };
  try {
    // Before the others, so that homes wait for their turns in the order in which they were asked for.
    const leading = readOne(first.value).then(readInTurn);
    await Promise.all([leading, ...Array.from({ length: HOMES_AT_A_TIME[use] - 1 }, readInTurn)]);
  } finally {
    deadline?.close();
  }
  return readings;
}

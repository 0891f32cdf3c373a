import type { Clock } from '../../clock.ts';
import { openDeadline } from '../../limits/deadline.ts';
import type { AvailabilityFeeds, FeedsReading, FeedUse } from '../icalendar/availability-feeds.ts';
import type { CardEntry } from './catalogue.ts';

/** Few for calendars, which can wait, to leave the connections to prices. The homes of one quote call are read together. */
const HOMES_AT_A_TIME: Readonly<Record<FeedUse, number>> = { calendar: 8, price: 50 };

/**
 * Reads the feeds of each home that has any; returns them by reference. After `timeoutMs`, the last readings count for the remaining
 * homes. Without it, all homes wait for their turns.
 */
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
    /** When the owner last confirmed the losses of the home's feeds. */
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
    // Start the first home before the others, so that homes wait for their turns in the requested order.
    const leading = readOne(first.value).then(readInTurn);
    await Promise.all([leading, ...Array.from({ length: HOMES_AT_A_TIME[use] - 1 }, readInTurn)]);
  } finally {
    deadline?.close();
  }
  return readings;
}

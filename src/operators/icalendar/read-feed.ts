import type { Day } from '../../stay/day.ts';
import type { FeedFault } from './feed-fault.ts';
import { type NightRange, parseFeed } from './parse-feed.ts';

export type FeedParameters = {
  readonly timeZone: string;
  /** Nights before it are of no use to anybody. */
  readonly since: Day;
};

/** A task of the intake: the nights that a feed takes. A feed with a fault takes none; its faults are returned. */
export function* readFeed(
  document: Uint8Array,
  { timeZone, since }: FeedParameters,
): Generator<NightRange, readonly FeedFault[]> {
  const reading = parseFeed(document, timeZone);
  if (reading.kind === 'invalid') return reading.faults;
  for (const range of reading.value) if (range.to > since) yield range;
  return [];
}

import { type BrandId, propertyIdOf } from '../catalogue/catalogue.ts';
import type { ClockTime } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { Refusals } from './refusals.ts';
import { elapsedAt } from './stored-instant.ts';
import type { SyncRecord } from './sync-record.ts';

const LISTINGS_A_TURN = 2000;

/** Tells a new queue which calendars others have read, so that they are not read again, and which are to be read all the same. */
export async function fillQueue(
  queue: CalendarQueue,
  offer: Pick<BrandOffer, 'settle' | 'listings'>,
  refusals: Pick<Refusals, 'lastRefusedAt'>,
): Promise<void> {
  await offer.settle();
  await inTurns(offer.listings(), LISTINGS_A_TURN, ({ id, readAt }) => {
    if (readAt === null) queue.withdrawn([id]);
    else queue.restore(id, readAt);
  });
  for (const [property, at] of refusals.lastRefusedAt()) queue.refused(property, at);
}

/** Whatever the record says has changed is to be read. `start` is one instant on both clocks. */
export function outdateByRecord(
  queue: Pick<CalendarQueue, 'outdate' | 'outdateAll'>,
  brand: BrandId,
  { fullStartedAt, changesKnownUntil, changed }: SyncRecord,
  start: ClockTime,
): void {
  if (fullStartedAt !== null) queue.outdateAll(elapsedAt(fullStartedAt, start));
  if (changesKnownUntil === null) return;
  const changedAt = elapsedAt(changesKnownUntil, start);
  for (const reference of changed) queue.outdate(propertyIdOf(brand, reference), changedAt);
}

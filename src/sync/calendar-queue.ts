import { type BrandId, type PropertyId, propertyIdOf } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { ClockTime } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import { elapsedAt, type SyncRecord } from './brand-documents.ts';
import type { BrandOffer, CatalogueEntry } from './brand-offer.ts';
import type { Refusals } from './refusals.ts';

const LISTINGS_A_TURN = 2000;
const NEVER = Number.NEGATIVE_INFINITY;

export type CalendarQueue = ReturnType<typeof createCalendarQueue>;

export type DueOptions = {
  readonly now: number;
  /** An answer of this age is old. */
  readonly oldAfterMs: number;
};

type Times = {
  answeredAt: number;
  failedAt: number;
  outdatedAt: number;
  refusedAt: number;
  fault: Rejection | undefined;
};

/**
 * When the calendars of a brand were read, and which to read next. All times are elapsed times; the time of an answer is when its read
 * began, because it does not cover later changes.
 */
export function createCalendarQueue() {
  let listed = new Map<PropertyId, CatalogueEntry>();
  let isListed = false;
  const timesOf = new Map<PropertyId, Times>();
  let waiting = new Set<PropertyId>();
  let allOutdatedAt = NEVER;

  function of(property: PropertyId): Times {
    let times = timesOf.get(property);
    if (!times) {
      times = { answeredAt: NEVER, failedAt: NEVER, outdatedAt: NEVER, refusedAt: NEVER, fault: undefined };
      timesOf.set(property, times);
    }
    return times;
  }

  function isDue({ answeredAt, outdatedAt, refusedAt }: Times, options: DueOptions): boolean {
    const { now, oldAfterMs } = options;
    const wasOvertaken = answeredAt < Math.max(allOutdatedAt, outdatedAt, refusedAt);
    if (answeredAt === NEVER || wasOvertaken) return true;
    return now - answeredAt >= oldAfterMs;
  }

  return {
    /** Sets the whole catalogue, and forgets properties that are no longer in it. */
    async list(entries: readonly CatalogueEntry[]): Promise<void> {
      const replacement = new Map<PropertyId, CatalogueEntry>();
      await inTurns(entries, LISTINGS_A_TURN, (entry) => replacement.set(entry.id, entry));
      listed = replacement;
      isListed = true;
      for (const known of [timesOf, waiting]) {
        await inTurns(known.keys(), LISTINGS_A_TURN, (id) => {
          if (!replacement.has(id)) known.delete(id);
        });
      }
    },
    /** A calendar from the store, read at this time. */
    restore(property: PropertyId, at: number): void {
      const times = of(property);
      times.answeredAt = Math.max(times.answeredAt, at);
    },
    /** `fault`: the answer or a part of it was unusable, and an immediate retry would not help. */
    answered(property: PropertyId, at: number, fault?: Rejection): void {
      const times = of(property);
      // A later read has already answered.
      if (at < times.answeredAt) return;
      times.answeredAt = at;
      times.fault = fault;
      waiting.delete(property);
    },
    /** The call failed. Others go first the next time, so that a call that always fails does not delay them. */
    failed(properties: readonly PropertyId[], at: number): void {
      for (const property of properties) of(property).failedAt = at;
    },
    /** Answers from before then are outdated: of a property that changed, of one that its operator refused, or of all. */
    outdate(property: PropertyId, at: number): void {
      of(property).outdatedAt = at;
    },
    refused(property: PropertyId, at: number): void {
      const times = of(property);
      times.refusedAt = Math.max(times.refusedAt, at);
    },
    outdateAll(at: number): void {
      allOutdatedAt = at;
    },
    /** Calendars whose last answer had a fault: the operator may have corrected it. */
    outdateFaulty(at: number): void {
      for (const times of timesOf.values()) if (times.fault) times.outdatedAt = at;
    },
    /** These wait again, because their calendars are too old to be offered. */
    withdrawn(properties: readonly PropertyId[]): void {
      for (const property of properties) waiting.add(property);
    },
    /** Refused properties first, then those that waited longest. Counts all of them as waiting. */
    async due(options: DueOptions): Promise<readonly CatalogueEntry[]> {
      // Grouped by the time of the last try, which all entries of a call share: there are far fewer times than entries to sort.
      const [refused, others] = [new Map<number, CatalogueEntry[]>(), new Map<number, CatalogueEntry[]>()];
      const due = new Set<PropertyId>();
      await inTurns(listed.values(), LISTINGS_A_TURN, (entry) => {
        const times = of(entry.id);
        if (!isDue(times, options)) return;
        const { answeredAt, failedAt, refusedAt } = times;
        const byTime = answeredAt < refusedAt ? refused : others;
        const triedAt = Math.max(answeredAt, failedAt);
        const together = byTime.get(triedAt);
        if (together) together.push(entry);
        else byTime.set(triedAt, [entry]);
        due.add(entry.id);
      });
      waiting = due;
      return [refused, others].flatMap((byTime) =>
        [...byTime].toSorted(([one], [other]) => one - other).flatMap(([, entries]) => entries),
      );
    },
    /** How many are due and not read yet. */
    get waiting() {
      return waiting.size;
    },
    /** The references of properties that changed and were not read since; undefined until the catalogue is known. */
    async outdated(): Promise<string[] | undefined> {
      if (!isListed) return undefined;
      const outdated: string[] = [];
      await inTurns(listed.values(), LISTINGS_A_TURN, ({ id, reference }) => {
        const times = timesOf.get(id);
        if (times && times.answeredAt < times.outdatedAt) outdated.push(reference);
      });
      return outdated;
    },
    /** The faults of the last answers. */
    faults: (): readonly Rejection[] => [...timesOf.values()].flatMap(({ fault }) => fault ?? []),
  };
}

/** Fills a new queue with the times of calendars that other nodes have read, and with refusals, which make a calendar due. */
export async function fillQueue(
  queue: CalendarQueue,
  offer: Pick<BrandOffer, 'listings'>,
  refusals: Pick<Refusals, 'lastRefusedAt'>,
): Promise<void> {
  await inTurns(offer.listings(), LISTINGS_A_TURN, ({ id, readAt }) => {
    if (readAt === null) queue.withdrawn([id]);
    else queue.restore(id, readAt);
  });
  for (const [property, at] of refusals.lastRefusedAt()) queue.refused(property, at);
}

/** Makes the changes in the record due. `start` is one instant on both clocks. */
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

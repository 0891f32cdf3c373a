import type { BrandId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import type { Clock, ClockTime } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { BrandStatus } from './brand-status.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { elapsedAt } from './stored-instant.ts';
import type { SyncRecord } from './sync-record.ts';

/** How far a brand was read: by this node, or by the one that leads, as far as this node has heard. */
export type BrandProgress = {
  readonly rounds: Rounds;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: BrandStatus['lastFailure'];
  readonly failuresInARow: number;
  /** How many calendars are still to be read. */
  readonly waiting: number;
  /** Goes on from a record of before the start, or of another node. `start` is one instant on both clocks. */
  restore(record: SyncRecord, start: ClockTime): void;
  /** What the others say holds until this node knows itself what is to be read. */
  hear(record: SyncRecord): void;
  /** This node knows what is to be read. */
  planned(): void;
  /** A run has read everything that was due. */
  completed(): void;
  failed(kind: FailureKind, error?: unknown): void;
  /** How long ago everything was read; undefined when this is not known, or when something is to be read at once. `last` is the last record known. */
  sinceRead(last: SyncRecord | undefined): number | undefined;
  /** How long ago the last run ended that left nothing unread; undefined when something is to be read at once. */
  sinceCompleted(): number | undefined;
  /** Undefined when nothing is missing that its operator has. */
  unsearchable(): UnsearchableBrand | undefined;
};

export function createBrandProgress({
  brand,
  offer,
  queue,
  clock,
  fullEveryMs,
}: {
  readonly brand: BrandId;
  readonly offer: Pick<BrandOffer, 'size' | 'catalogueIsKnown'>;
  readonly queue: () => Pick<CalendarQueue, 'waiting'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly fullEveryMs: number;
}): BrandProgress {
  const rounds = createRounds({ fullEveryMs });
  let heard: SyncRecord | undefined;
  let lastFailure: BrandStatus['lastFailure'] = null;
  let failuresInARow = 0;
  /** By this node, since its start. */
  let wasRead = false;

  const waiting = () => heard?.waiting ?? queue().waiting;

  return {
    rounds,
    get lastFailure() {
      return lastFailure;
    },
    get failuresInARow() {
      return failuresInARow;
    },
    get waiting() {
      return waiting();
    },
    restore(record, start) {
      const { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil } = record;
      const known = { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil };
      rounds.restore(known, (instant) => elapsedAt(instant, start));
      lastFailure = record.lastFailure;
      failuresInARow = 0;
    },
    hear(record) {
      heard = record;
    },
    planned() {
      heard = undefined;
    },
    completed() {
      rounds.completed(clock.now());
      lastFailure = null;
      failuresInARow = 0;
      wasRead = true;
    },
    failed(kind, error) {
      const hasLimit = kind === 'too_large' && error instanceof BookingSystemFailure;
      lastFailure = { at: clock.now(), kind, ...(hasLimit ? { message: error.message } : {}) };
      failuresInARow += 1;
      wasRead = true;
    },
    sinceRead(last) {
      if (!heard) return wasRead && last ? 0 : undefined;
      const isComplete = heard.lastFailure === null && heard.waiting === 0;
      return heard.completedAt && isComplete ? Math.max(0, clock.now() - heard.completedAt) : undefined;
    },
    sinceCompleted() {
      const { completedAt } = rounds.state();
      const isWhole = lastFailure === null && queue().waiting === 0;
      return completedAt !== null && isWhole ? Math.max(0, clock.now() - completedAt) : undefined;
    },
    unsearchable() {
      if (offer.size === 0) {
        const isKnown = offer.catalogueIsKnown || (heard?.completedAt ?? null) !== null;
        const isMissing = !isKnown || waiting() > 0;
        return isMissing ? { brand, isPartlyRead: false } : undefined;
      }
      return rounds.state().completedAt === null ? { brand, isPartlyRead: true } : undefined;
    },
  };
}

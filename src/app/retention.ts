import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import { hourOf } from '../analytics/count.ts';
import type { Clock } from '../clock.ts';
import { startDeletingOld } from '../sessions/expiry.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { Log } from '../telemetry/log.ts';
import type { Settings } from './settings.ts';

const MEGABYTE = 1024 * 1024;
/** More than of old quotes, so that deletion outpaces a flood of searches. */
const SURPLUS_AT_A_TIME = 1_000;
/** One assistant has at most this share of the ledger. */
const MAX_SHARE = 1 / 2;

/** Deletes quotes that are older than the owner has set, and the oldest ones when the ledger is larger than its limit. */
export function startLedgerRetention({
  settings: { ledgerDays: days, maxLedgerMegabytes: megabytes },
  ledger,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'ledgerDays' | 'maxLedgerMegabytes'>;
  readonly ledger: Pick<QuoteLedger, 'deleteQuotes' | 'deleteSurplus'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const onFailure = (failure: unknown) => log.error({ err: failure }, 'old quotes could not be deleted');
  let isWithinRound = false;
  const deleteSurplus = async (maxMegabytes: number, limit: number) => {
    const maxBytes = maxMegabytes * MEGABYTE;
    const deleted = await ledger.deleteSurplus({
      ...{ maxBytes, maxAssistantBytes: maxBytes * MAX_SHARE, limit: SURPLUS_AT_A_TIME },
    });
    if (deleted > 0 && !isWithinRound) {
      log.warn({ megabytes }, 'the ledger is full: the oldest quotes of the assistant with most are deleted');
    }
    isWithinRound = deleted > 0;
    return isWithinRound ? limit : 0;
  };
  const deletions = [
    startDeletingOld({ deleteOld: (old) => ledger.deleteQuotes(old), days, clock, onFailure }),
    startDeletingOld({
      deleteOld: ({ limit }) => deleteSurplus(megabytes ?? 0, limit),
      days: megabytes === null ? 'for_ever' : 0,
      ...{ clock, onFailure },
    }),
  ];
  return {
    async stop() {
      await Promise.all(deletions.map((deletion) => deletion.stop()));
    },
  };
}

/** Keeps counts and reported bookings as long as the owner has set. */
export function startActivityRetention({
  settings,
  activity,
  outcomes,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'activityDays'>;
  readonly activity: Pick<ActivityStore, 'deleteBefore'>;
  readonly outcomes: Pick<BookingOutcomes, 'deleteBefore'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const days = settings.activityDays;
  const deletions = [
    startDeletingOld({
      deleteOld: ({ now, keptMs, limit }) => activity.deleteBefore(hourOf(now - keptMs), limit),
      ...{ days, clock },
      onFailure: (failure) => log.error({ err: failure }, 'old counts could not be deleted'),
    }),
    startDeletingOld({
      deleteOld: ({ now, keptMs, limit }) => outcomes.deleteBefore(now - keptMs, limit),
      ...{ days, clock },
      onFailure: (failure) => log.error({ err: failure }, 'old bookings could not be deleted'),
    }),
  ];
  return {
    async stop() {
      await Promise.all(deletions.map((deletion) => deletion.stop()));
    },
  };
}

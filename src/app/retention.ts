import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import { hourOf } from '../analytics/count.ts';
import type { Clock } from '../clock.ts';
import { startDeletingOld } from '../sessions/expiry.ts';
import type { OldQuotes, QuoteLedger } from '../sessions/quote-ledger.ts';
import type { Log } from '../telemetry/log.ts';
import type { Settings } from './settings.ts';

const MEGABYTE = 1024 * 1024;
/** More than of old quotes, so that deletion outpaces a flood of searches. */
const SURPLUS_AT_A_TIME = 1_000;
/** One assistant has at most this share of the ledger. */
const MAX_SHARE = 1 / 2;

/** Deletes quotes, counts and reported bookings that are older than the owner has set, and the oldest quotes of a ledger that is too large. */
export function startRetention({
  settings: { ledgerDays, maxLedgerMegabytes: megabytes, activityDays },
  ledger,
  activity,
  outcomes,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'ledgerDays' | 'maxLedgerMegabytes' | 'activityDays'>;
  readonly ledger: Pick<QuoteLedger, 'deleteQuotes' | 'deleteSurplus'>;
  readonly activity: Pick<ActivityStore, 'deleteBefore'>;
  readonly outcomes: Pick<BookingOutcomes, 'deleteBefore'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const deleting = (
    rows: string,
    days: number | 'for_ever',
    deleteOld: (old: OldQuotes) => Promise<number>,
  ) =>
    startDeletingOld({
      deleteOld,
      days,
      clock,
      onFailure: (failure) => log.error({ err: failure }, `old ${rows} could not be deleted`),
    });
  let isWithinRound = false;
  const deleteSurplus = async (maxMegabytes: number, limit: number) => {
    const maxBytes = maxMegabytes * MEGABYTE;
    const maxAssistantBytes = maxBytes * MAX_SHARE;
    const deleted = await ledger.deleteSurplus({ maxBytes, maxAssistantBytes, limit: SURPLUS_AT_A_TIME });
    if (deleted > 0 && !isWithinRound) {
      log.warn({ megabytes }, 'the ledger is full: the oldest quotes of the assistant with most are deleted');
    }
    isWithinRound = deleted > 0;
    return isWithinRound ? limit : 0;
  };
  const deletions = [
    deleting('quotes', ledgerDays, ledger.deleteQuotes),
    ...(megabytes === null ? [] : [deleting('quotes', 0, ({ limit }) => deleteSurplus(megabytes, limit))]),
    deleting('counts', activityDays, ({ now, keptMs, limit }) =>
      activity.deleteBefore(hourOf(now - keptMs), limit),
    ),
    deleting('bookings', activityDays, ({ now, keptMs, limit }) =>
      outcomes.deleteBefore(now - keptMs, limit),
    ),
  ];
  return { stop: async () => void (await Promise.all(deletions.map((deletion) => deletion.stop()))) };
}

import type { Clock } from './clock.ts';
import type { Log } from './observe/log.ts';
import { startDeleting, startDeletingOld } from './sessions/delete-old.ts';
import type { QuoteLedger } from './sessions/quote-ledger.ts';
import type { Settings } from './settings.ts';

const MEGABYTE = 1024 * 1024;
/** The ledger outgrows its limit by what comes in this time. */
const SURPLUS_PAUSE_MS = 60_000;
const SURPLUS_AT_A_TIME = 2_000;

/** Deletes quotes that are older than the owner has set, and the oldest of those for which the ledger has no room. */
export function startLedgerRetention({
  settings,
  ledger,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'ledgerDays' | 'maxLedgerMegabytes'>;
  readonly ledger: Pick<QuoteLedger, 'deleteQuotes' | 'deleteSurplus'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const { ledgerDays: days, maxLedgerMegabytes: megabytes } = settings;
  const onFailure = (failure: unknown) => log.error({ err: failure }, 'old quotes could not be deleted');
  const deletions = [
    startDeletingOld({ deleteOld: (old) => ledger.deleteQuotes(old), days, clock, onFailure }),
  ];
  if (megabytes !== null) {
    const surplus = { maxBytes: megabytes * MEGABYTE, limit: SURPLUS_AT_A_TIME };
    let isWithinRound = false;
    const deleteSome = async () => {
      const deleted = await ledger.deleteSurplus(surplus);
      if (deleted > 0 && !isWithinRound) {
        log.warn(
          { megabytes },
          'the ledger is full: the oldest quotes of the assistant with most are deleted',
        );
      }
      isWithinRound = deleted === SURPLUS_AT_A_TIME;
      return isWithinRound;
    };
    deletions.push(startDeleting({ deleteSome, pauseMs: SURPLUS_PAUSE_MS, clock, onFailure }));
  }
  return {
    async stop() {
      await Promise.all(deletions.map((deletion) => deletion.stop()));
    },
  };
}

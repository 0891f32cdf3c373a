import type { Clock } from './clock.ts';
import type { Log } from './observe/log.ts';
import { startDeletingOld } from './sessions/delete-old.ts';
import type { QuoteLedger } from './sessions/quote-ledger.ts';
import type { Settings } from './settings.ts';

/** Keeps quotes as long as the owner has set. */
export function startLedgerRetention({
  settings,
  ledger,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'ledgerDays'>;
  readonly ledger: Pick<QuoteLedger, 'deleteQuotes'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  return startDeletingOld({
    deleteOld: (old) => ledger.deleteQuotes(old),
    ...{ days: settings.ledgerDays, clock },
    onFailure: (failure) => log.error({ err: failure }, 'old quotes could not be deleted'),
  });
}

import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { SessionStore } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/** Sessions and the ledger of their quotes are on different servers, and are used and closed as one. */
export function withLedger(sessions: SessionStore, ledger: QuoteLedger): SessionStore & QuoteLedger {
  let isClosed = false;
  const mustBeOpen = () => {
    if (isClosed) throw new StorageFailure('closed', 'The session store is closed.');
  };
  return {
    ...sessions,
    async issuedQuotes(range) {
      mustBeOpen();
      return ledger.issuedQuotes(range);
    },
    async findQuotes(question, limit) {
      mustBeOpen();
      return ledger.findQuotes(question, limit);
    },
    async deleteQuotes(old) {
      mustBeOpen();
      return ledger.deleteQuotes(old);
    },
    async deleteSurplus(surplus) {
      mustBeOpen();
      return ledger.deleteSurplus(surplus);
    },
    close() {
      isClosed = true;
      return sessions.close();
    },
  };
}

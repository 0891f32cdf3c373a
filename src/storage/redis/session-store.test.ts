import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { newPrefix, skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import type { LedgerEntries } from '../../sessions/ledger-entries.ts';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import { type NewSessionStore, sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';
import type { IssuedQuote } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createRedisSessionStore } from './session-store.ts';

describe('sessions in Redis', { skip: skippedWithoutRedis }, () => {
  const newStore: NewSessionStore = async (test) => {
    const ledger = createLedger();
    const store = createRedisSessionStore({ redis: await testRedis(), prefix: newPrefix(), ledger });
    test.after(() => store.close());
    return {
      ...store,
      issuedQuotes: ledger.issuedQuotes,
      async close() {
        ledger.close();
        await store.close();
      },
    };
  };
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });
});

/** A ledger as the composition has one beside the sessions, in memory. */
function createLedger(): LedgerEntries & QuoteLedger & { close(): void } {
  const entries = new Set<IssuedQuote>();
  let isClosed = false;
  return {
    async append(quotes) {
      for (const quote of quotes) entries.add(quote);
      return {
        settle: () => assert.ok(quotes.every((quote) => entries.has(quote))),
        discard: () => quotes.forEach((quote) => void entries.delete(quote)),
      };
    },
    async issuedQuotes({ since, limit }) {
      if (isClosed) throw new StorageFailure('closed', 'The ledger is closed.');
      return [...entries]
        .filter(({ retrievedAt }) => retrievedAt >= since)
        .sort((one, other) => one.retrievedAt - other.retrievedAt)
        .slice(0, limit);
    },
    close() {
      isClosed = true;
    },
  };
}

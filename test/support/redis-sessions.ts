import assert from 'node:assert/strict';
import type { IssuedQuote, LedgerEntries } from '../../src/sessions/quote-ledger.ts';
import { bytesOfQuotes, type QuoteLedger } from '../../src/sessions/quote-ledger.ts';
import type { SessionStore } from '../../src/sessions/session-store.ts';
import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import type { RedisConnection } from '../../src/storage/redis/connection.ts';
import { createRedisSessionStore } from '../../src/storage/redis/session-store.ts';

/** Sessions in Redis, with a ledger in memory where the whole store has one elsewhere. */
export function redisSessions(
  redis: RedisConnection,
  prefix: string,
  node = 'one',
  maxBytes?: () => number,
): SessionStore & QuoteLedger {
  const ledger = createLedger();
  const store = createRedisSessionStore({ redis, prefix, node, ledger, ...(maxBytes && { maxBytes }) });
  return {
    ...store,
    issuedQuotes: ledger.issuedQuotes,
    findQuotes: ledger.findQuotes,
    deleteQuotes: ledger.deleteQuotes,
    deleteSurplus: ledger.deleteSurplus,
    async close() {
      ledger.close();
      await store.close();
    },
  };
}

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
    async findQuotes(question, limit) {
      if (isClosed) throw new StorageFailure('closed', 'The ledger is closed.');
      const { checkIn, checkOut, ...named }: Partial<IssuedQuote> = question;
      const asked = Object.entries({ ...named, ...(checkIn && { checkIn }), ...(checkOut && { checkOut }) });
      return [...entries]
        .reverse()
        .filter((quote) => asked.every(([member, value]) => Reflect.get(quote, member) === value))
        .sort((one, other) => other.retrievedAt - one.retrievedAt)
        .slice(0, limit);
    },
    async deleteQuotes({ now, keptMs, limit }) {
      if (isClosed) throw new StorageFailure('closed', 'The ledger is closed.');
      const old = [...entries]
        .filter(({ retrievedAt }) => retrievedAt < now - keptMs)
        .sort((one, other) => one.retrievedAt - other.retrievedAt)
        .slice(0, limit);
      for (const quote of old) entries.delete(quote);
      return old.length;
    },
    async deleteSurplus({ maxBytes, maxAssistantBytes, limit }) {
      if (isClosed) throw new StorageFailure('closed', 'The ledger is closed.');
      for (let deleted = 0; deleted < limit; deleted += 1) {
        const ofEach = Object.values(Object.groupBy(entries, ({ assistant }) => assistant));
        const [most = []] = ofEach.sort((one = [], other = []) => bytesOfQuotes(other) - bytesOfQuotes(one));
        const isTooMuch = bytesOfQuotes([...entries]) > maxBytes || bytesOfQuotes(most) > maxAssistantBytes;
        if (!isTooMuch) return deleted;
        for (const quote of most.slice(0, 1)) entries.delete(quote);
      }
      return limit;
    },
    close() {
      isClosed = true;
    },
  };
}

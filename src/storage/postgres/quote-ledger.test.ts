import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { temporaryPool } from '../../../test/support/throwaway-postgres.ts';
import { bytesOfQuotes, type IssuedQuote } from '../../sessions/quote-ledger.ts';
import { migrate } from './migrate.ts';
import { createPostgresLedgerWriter, createPostgresQuoteLedger } from './quote-ledger.ts';

function aQuote(nxq: string, retrievedAt: number): IssuedQuote {
  return {
    nxq,
    session: 's',
    assistant: 'assistant',
    brand: 'azul',
    property: 'azul:ü-1',
    place: 'calpe',
    checkIn: '2027-05-03',
    checkOut: '2027-05-09',
    guests: 2,
    amount: 412.5,
    currency: 'EUR',
    retrievedAt,
    validUntil: retrievedAt + 600_000,
    details: { guarantee: 'at_retrieval' },
  };
}

async function aLedger(t: TestContext) {
  const pool = await temporaryPool(t);
  if (!pool) return undefined;
  await migrate(pool);
  const writer = createPostgresLedgerWriter(pool);
  const ledger = createPostgresQuoteLedger({ queries: pool, flushed: async () => {} });
  return { pool, writer, ledger };
}

describe('the ledger in PostgreSQL', () => {
  it('lists quotes from an instant on, oldest first, then in order of issue, up to a limit', async (t) => {
    const opened = await aLedger(t);
    if (!opened) return;
    const { writer, ledger } = opened;
    const at = 1_795_000_000_000;
    await writer.insert([aQuote('q3', at + 3), aQuote('q1', at + 1), aQuote('q2', at + 2)]);
    await writer.insert([aQuote('q2c', at + 2), aQuote('q2b', at + 2)]);
    const listed = await ledger.issuedQuotes({ since: at + 2, limit: 3 });
    assert.deepEqual(listed, [aQuote('q2', at + 2), aQuote('q2c', at + 2), aQuote('q2b', at + 2)]);
    assert.equal((await ledger.issuedQuotes({ since: 0, limit: 10 })).length, 5);
  });

  it('loses nothing that is not old by the clock of the server too', async (t) => {
    const opened = await aLedger(t);
    if (!opened) return;
    const { pool, writer, ledger } = opened;
    const [row] = await pool.query<{ now: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now',
    );
    const now = row?.now ?? 0;
    const day = 24 * 60 * 60 * 1000;
    await writer.insert([aQuote('old', now - 3 * day), aQuote('new', now - day)]);
    const ahead = now + 1_000 * day;
    assert.equal(await ledger.deleteQuotes({ now: ahead, keptMs: 2 * day, limit: 10 }), 1);
    const left = await ledger.issuedQuotes({ since: 0, limit: 10 });
    assert.deepEqual(
      left.map(({ nxq }) => nxq),
      ['new'],
    );
  });

  it('stores a policy once for each assistant and deletes it with its last quote, also where several nodes write', async (t) => {
    const opened = await aLedger(t);
    if (!opened) return;
    const { pool, writer, ledger } = opened;
    const quotes = Array.from({ length: 40 }, (_, at): IssuedQuote => {
      const cancellation = `Policy ${at % 5}`;
      const assistant = ['one', 'two'][at % 2] ?? '';
      return { ...aQuote(`q${at}`, at), assistant, details: { guarantee: 'held', cancellation } };
    });
    const parcels = [quotes.slice(0, 15), quotes.slice(15, 30).reverse(), quotes.slice(30)];
    await Promise.all(parcels.map((parcel) => writer.insert(parcel)));
    // A node sends a parcel again when it has not heard of its end.
    await writer.insert(quotes.slice(0, 15));
    const inLedger = async () =>
      (
        await pool.query(
          `SELECT (SELECT count(*)::integer FROM issued_quote) AS quotes, (SELECT count(*)::integer FROM quote_policy) AS policies,
             (SELECT sum(bytes)::integer FROM ledger_account) AS bytes`,
        )
      )[0];
    assert.deepEqual(await inLedger(), { quotes: 40, policies: 10, bytes: bytesOfQuotes(quotes) });
    assert.equal(await ledger.deleteQuotes({ now: 100, keptMs: 63, limit: 50 }), 37);
    assert.deepEqual(await inLedger(), { quotes: 3, policies: 3, bytes: bytesOfQuotes(quotes.slice(37)) });
    assert.equal(await ledger.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 2 }), 2);
    assert.equal(await ledger.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 2 }), 1);
    assert.deepEqual(await inLedger(), { quotes: 0, policies: 0, bytes: 0 });
  });

  it('takes quotes while others are deleted, and loses no policy that one of them has', async (t) => {
    const opened = await aLedger(t);
    if (!opened) return;
    const { pool, writer, ledger } = opened;
    for (let round = 0; round < 25; round += 1) {
      const quotes = Array.from({ length: 120 }, (_, at): IssuedQuote => {
        const cancellation = `Policy ${round % 7} ${at % 11}`;
        const assistant = ['one', 'two', 'three'][at % 3] ?? '';
        return { ...aQuote(`q${round}-${at}`, at), assistant, details: { guarantee: 'held', cancellation } };
      });
      const parcels = [0, 1, 2, 3].map((node) => quotes.filter((_, at) => at % 4 === node));
      await Promise.all([
        ...parcels.map((parcel, node) => writer.insert(node % 2 === 0 ? parcel : parcel.reverse())),
        ledger.deleteSurplus({ maxBytes: 20_000, maxAssistantBytes: 10_000, limit: 30 }),
        ledger.deleteQuotes({ now: 100, keptMs: 63, limit: 50 }),
      ]);
    }
    const left = await ledger.issuedQuotes({ since: 0, limit: 5_000 });
    const [account] = await pool.query('SELECT sum(bytes)::integer AS bytes FROM ledger_account');
    assert.deepEqual(account, { bytes: bytesOfQuotes(left) });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOutcomesInMemory } from '../../../test/support/outcomes-in-memory.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { joinQuotes, type QuotesByIdentifier } from './booking-outcomes.ts';

const QUOTE: IssuedQuote = {
  nxq: 'nxq_1',
  session: 'a-session',
  assistant: 'chatgpt',
  brand: 'casas',
  property: 'casas:1',
  place: 'lisbon-pt',
  checkIn: '2027-05-08',
  checkOut: '2027-05-15',
  guests: 3,
  amount: 123566,
  currency: 'EUR',
  retrievedAt: 5,
  validUntil: 9,
  details: null,
};
const BOOKING: ReportedBooking = {
  brand: 'casas',
  reference: 'R1',
  nxq: 'nxq_1',
  status: 'booked',
  bookedAt: 7,
  amount: 120000,
  currency: 'EUR',
};

function ledgerOf(...quotes: readonly IssuedQuote[]): QuotesByIdentifier {
  return { findQuotes: async ({ nxq }, limit) => quotes.filter((one) => one.nxq === nxq).slice(0, limit) };
}

const [AT_8, AT_9] = [8, 9].map((at) => ({ reportedAt: at, collectedAt: at })) as [Report, Report];
type Report = { readonly reportedAt: number; readonly collectedAt: number };

describe('a reported booking', () => {
  it('is joined with its quote, without the session that it was made in', async () => {
    const {
      outcomes: [joined],
    } = await joinQuotes([BOOKING], AT_8, {
      ledger: ledgerOf(QUOTE),
      outcomes: createOutcomesInMemory(),
    });
    const {
      nxq: _nxq,
      session: _session,
      brand: _brand,
      validUntil: _until,
      details: _details,
      ...quote
    } = QUOTE;
    assert.deepEqual(joined, { ...BOOKING, ...AT_8, quote });
  });

  it('has no quote where its identifier is unknown, missing, or of another brand', async () => {
    const bookings = [
      { ...BOOKING, nxq: 'nxq_2' },
      { ...BOOKING, nxq: null },
      { ...BOOKING, brand: 'other' },
    ];
    const tools = { ledger: ledgerOf(QUOTE), outcomes: createOutcomesInMemory() };
    const { outcomes: joined } = await joinQuotes(bookings, AT_8, tools);
    assert.deepEqual(
      joined,
      bookings.map((booking) => ({ ...booking, ...AT_8, quote: null })),
    );
  });

  it('keeps its quote when it is cancelled after the ledger has forgotten it', async () => {
    const outcomes = createOutcomesInMemory();
    await outcomes.put((await joinQuotes([BOOKING], AT_8, { ledger: ledgerOf(QUOTE), outcomes })).outcomes);
    const cancelled = { ...BOOKING, status: 'cancelled' as const };
    const {
      outcomes: [joined],
    } = await joinQuotes([cancelled], AT_9, { ledger: ledgerOf(), outcomes });
    assert.equal(joined?.quote?.amount, 123566);
    const {
      outcomes: [other],
    } = await joinQuotes([{ ...cancelled, brand: 'other' }], AT_9, { ledger: ledgerOf(), outcomes });
    assert.equal(other?.quote, null);
  });

  it('keeps its quote then although another brand has named it over and over', async () => {
    const outcomes = createOutcomesInMemory();
    const foreign = Array.from({ length: 60 }, (_, at) => ({
      ...BOOKING,
      ...AT_8,
      brand: 'other',
      reference: `F${at}`,
      quote: null,
    }));
    await outcomes.put(foreign);
    await outcomes.put((await joinQuotes([BOOKING], AT_8, { ledger: ledgerOf(QUOTE), outcomes })).outcomes);
    const again = { ...BOOKING, reference: 'R2' };
    const {
      outcomes: [joined],
    } = await joinQuotes([again], AT_9, { ledger: ledgerOf(), outcomes });
    assert.equal(joined?.quote?.amount, 123566);
  });

  it('has no quote that was made after it, but for clocks that differ', async () => {
    const late = { ...QUOTE, retrievedAt: BOOKING.bookedAt + 3_600_001 };
    const near = { ...QUOTE, retrievedAt: BOOKING.bookedAt + 3_600_000 };
    for (const [quote, unknownQuotes] of [
      [late, 1],
      [near, 0],
    ] as const) {
      const tools = { ledger: ledgerOf(quote), outcomes: createOutcomesInMemory() };
      const joined = await joinQuotes([BOOKING], { reportedAt: 8, collectedAt: null }, tools);
      assert.equal(joined.unknownQuotes, unknownQuotes);
    }
  });
});

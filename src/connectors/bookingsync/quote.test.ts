import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBookingsyncSearch } from './quote.ts';

/** The shape of the vendor's pricing guide: the rent, a fee, and a tax not included in either. */
const RENTAL = {
  id: 11,
  currency: 'EUR',
  initial_price: 400.0,
  final_price: 514.0,
  damage_deposit: 200.0,
  price_to_pay_now: 154.2,
  taxes: [{ name: { en: 'VAT' }, percentage: '10.0', amount: '40.0' }],
  price_details: {
    fees: [{ name: { en: 'Cleaning', fr: 'Ménage' }, required: true, price: '74.0', quantity: 1 }],
    taxes: [{ name: { en: 'VAT' }, percentage: '10.0', amount: '40.0', included: false }],
  },
};

function read(rentals: unknown, { language = 'en', asked = ['11', '12'] } = {}) {
  const document = new TextEncoder().encode(JSON.stringify({ rentals }));
  return [...readBookingsyncSearch(document, { asked, currency: 'EUR', language })];
}
function quoteOf(changes: Record<string, unknown>, language = 'en') {
  const [outcome] = read([{ ...RENTAL, ...changes }], { language });
  assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
  return outcome.quote;
}

describe('a live quote of BookingSync', () => {
  it('is the final price with lines that add up, and the deposit beside it', () => {
    assert.deepEqual(read([RENTAL]), [
      {
        kind: 'quoted',
        reference: '11',
        quote: {
          currency: 'EUR',
          total: 51_400,
          lines: [
            { label: 'Accommodation', amount: 40_000 },
            { label: 'Cleaning', amount: 7400 },
            { label: 'VAT', amount: 4000 },
          ],
          heldUntil: null,
          deposit: { amount: 20_000, refundable: true },
        },
      },
    ]);
  });

  it('does not add a tax that is included, nor a fee that nobody has to pay', () => {
    const [tax] = RENTAL.price_details.taxes;
    const [fee] = RENTAL.price_details.fees;
    const price_details = {
      fees: [fee, { ...fee, name: 'Pets', required: false }],
      taxes: [{ ...tax, included: true }],
    };
    assert.deepEqual(
      quoteOf({ final_price: 474, price_details }).lines.map(({ label }) => label),
      ['Accommodation', 'Cleaning'],
    );
  });

  it('names its lines in the language asked for, and has none that do not add up', () => {
    assert.equal(quoteOf({}, 'fr').lines[1]?.label, 'Ménage');
    const { total, lines, linesFault } = quoteOf({ final_price: 600 });
    assert.deepEqual([total, lines, linesFault], [60_000, [], 'does_not_add_up']);
  });

  it('is read the same with prices as text, and without what can be left out', () => {
    assert.deepEqual(quoteOf({ final_price: '514.0', initial_price: '400.0' }), quoteOf({}));
    const bare = quoteOf({ damage_deposit: null, price_details: null, taxes: null, final_price: 400 });
    assert.deepEqual(
      [bare.total, bare.lines, bare.deposit],
      [40_000, [{ label: 'Accommodation', amount: 40_000 }], null],
    );
  });

  it('fails for a rental whose answer cannot be understood, and for that one only', () => {
    const failures = (changes: Record<string, unknown>) =>
      read([
        { ...RENTAL, ...changes },
        { ...RENTAL, id: 12 },
      ]).map((one) => (one.kind === 'failed' ? one.failure : one.kind));
    assert.deepEqual(failures({ final_price: null }), ['garbled', 'quoted']);
    assert.deepEqual(failures({ final_price: 0 }), ['garbled', 'quoted']);
    assert.deepEqual(failures({ final_price: 514.005 }), ['garbled', 'quoted']);
    assert.deepEqual(failures({ currency: null }), ['garbled', 'quoted']);
    assert.deepEqual(failures({ currency: 'USD' }), ['wrong_currency', 'quoted']);
    assert.deepEqual(read([RENTAL, RENTAL]), [{ kind: 'failed', reference: '11', failure: 'garbled' }]);
  });

  it('says nothing of rentals that were not asked for, or that the vendor leaves out', () => {
    assert.deepEqual(read([{ ...RENTAL, id: 99 }, null, 'x']), []);
    assert.throws(() => read({}), { kind: 'garbled' });
  });
});

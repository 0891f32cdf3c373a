import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { readLodgifyQuote } from './quote.ts';

const QUOTE = {
  total_including_vat: 980.5,
  total_excluding_vat: null,
  total_vat: null,
  property_id: 9,
  date_arrival: '2027-03-01T00:00:00',
  date_departure: '2027-03-08T00:00:00',
  currency_code: 'EUR',
  room_types: [
    {
      room_type_id: 7,
      price_types: [
        {
          type: 0,
          is_negative: false,
          description: 'Room Rate',
          prices: [{ description: 'RoomType', amount: 900.0 }],
        },
        {
          type: 1,
          is_negative: true,
          description: 'Promotion',
          prices: [{ description: 'Spring', amount: -45.0 }],
        },
        {
          type: 2,
          is_negative: false,
          description: 'Fees',
          prices: [{ description: 'Cleaning', amount: 60.0 }],
        },
        {
          type: 4,
          is_negative: false,
          description: 'Taxes',
          prices: [{ description: 'Local Tax', amount: 65.5 }],
        },
      ],
    },
  ],
  add_ons: [],
  other_items: [],
  security_deposit: 150.0,
  amount_gross: 980.5,
  cancellation_policy_text: 'Half is kept 7 days before arrival.',
};

function read(answer: unknown, cancellationText: string | null = null) {
  const [reading] = readLodgifyQuote(new TextEncoder().encode(JSON.stringify(answer)), {
    property: '9',
    checkIn: parseDay('2027-03-01') ?? 0,
    checkOut: parseDay('2027-03-08') ?? 0,
    currency: 'EUR',
    cancellationText,
  });
  return reading ?? null;
}
function quoteOf(changes: Record<string, unknown>) {
  const outcome = read([{ ...QUOTE, ...changes }]);
  assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
  return outcome.quote;
}
const outcomeOf = (changes: Record<string, unknown>) => {
  const outcome = read([{ ...QUOTE, ...changes }]);
  return outcome?.kind === 'failed' ? outcome.failure : (outcome?.kind ?? null);
};

describe('a quote of Lodgify', () => {
  it('is the total with lines that add up, the deposit beside it and the policy', () => {
    assert.deepEqual(read([QUOTE]), {
      kind: 'quoted',
      reference: '9',
      quote: {
        currency: 'EUR',
        total: 98_050,
        lines: [
          { label: 'Room Rate', amount: 90_000 },
          { label: 'Spring', amount: -4500 },
          { label: 'Cleaning', amount: 6000 },
          { label: 'Local Tax', amount: 6550 },
        ],
        heldUntil: null,
        deposit: { amount: 15_000, refundable: true },
        cancellation: { summary: 'Half is kept 7 days before arrival.', free: null, refundable: null },
      },
    });
  });

  it('says that no policy is stated, unless the entry has the operator’s words', () => {
    const bare = { ...QUOTE, cancellation_policy_text: ' ' };
    const [without, told] = [read(bare), read(bare, 'No refunds.')];
    assert.ok(without?.kind === 'quoted' && told?.kind === 'quoted');
    assert.match(without.quote.cancellation?.summary ?? '', /states no cancellation policy/);
    assert.equal(told.quote.cancellation, undefined, 'that of the listing, which has these words');
  });

  it('is the same in a list or alone, with numbers as text, and with what is taken off as a positive number', () => {
    assert.deepEqual(read(QUOTE), read([QUOTE]));
    assert.deepEqual(quoteOf({ total_including_vat: '980.50', amount_gross: '980.5' }), quoteOf({}));
    const text = JSON.stringify(QUOTE).replace('-45', '45');
    assert.deepEqual(read([JSON.parse(text)]), read([QUOTE]));
  });

  it('has the same total where the account shows VAT apart, inside its prices or beside them', () => {
    const apart = { total_including_vat: null, total_excluding_vat: 860, total_vat: 120.5 };
    assert.deepEqual(quoteOf(apart), quoteOf({}));
    const [room] = QUOTE.room_types;
    const [rate] = room?.price_types ?? [];
    const room_types = [
      { ...room, price_types: [{ ...rate, prices: [{ description: 'RoomType', amount: 860 }] }] },
    ];
    assert.deepEqual(quoteOf({ ...apart, room_types }).lines, [
      { label: 'Room Rate', amount: 86_000 },
      { label: 'VAT', amount: 12_050 },
    ]);
  });

  it('never holds the deposit', () => {
    assert.equal(quoteOf({ amount_gross: 1130.5 }).total, 98_050);
    assert.equal(outcomeOf({ amount_gross: 1000 }), 'garbled');
    assert.equal(quoteOf({ total_including_vat: null, security_deposit: 0 }).total, 98_050);
    assert.equal(quoteOf({ security_deposit: 0 }).deposit, null);
  });

  it('has the deposit taken out of a total that holds it, as the lines prove', () => {
    for (const inside of [
      { total_including_vat: 1130.5, amount_gross: 1130.5 },
      { total_including_vat: 1130.5 },
      { total_including_vat: null, amount_gross: 1130.5 },
      { total_including_vat: null, total_excluding_vat: 1010, total_vat: 120.5, amount_gross: 1130.5 },
    ]) {
      assert.deepEqual(quoteOf(inside), quoteOf({}), JSON.stringify(inside));
    }
    const other_items = [{ type: 'Other', description: 'Security deposit', amount: 150 }];
    assert.deepEqual(
      quoteOf({ other_items, total_including_vat: 1130.5, amount_gross: 1130.5 }),
      quoteOf({}),
    );
    assert.deepEqual(quoteOf({ other_items }), quoteOf({}), 'listed and not charged');
    const fee = [{ description: 'Linen', amount: 150 }];
    assert.equal(
      quoteOf({ other_items: fee, total_including_vat: 1130.5, amount_gross: 1130.5 }).total,
      113_050,
      'a fee of the same amount is charged',
    );
  });

  it('fails where nobody can tell whether the deposit is in the total', () => {
    const room_types = QUOTE.room_types.concat(QUOTE.room_types);
    assert.equal(outcomeOf({ room_types }), 'garbled');
    assert.equal(outcomeOf({ room_types, total_including_vat: 1130.5, amount_gross: 1130.5 }), 'garbled');
    assert.equal(outcomeOf({ room_types: null, total_including_vat: null }), 'garbled');
    assert.equal(quoteOf({ room_types: null }).total, 98_050, 'without lines it is beside the total');
  });

  it('has no lines when they do not add up, and still a price', () => {
    const room_types = QUOTE.room_types.concat(QUOTE.room_types);
    const { total, lines, linesFault } = quoteOf({ room_types, security_deposit: 0 });
    assert.deepEqual([total, lines, linesFault], [98_050, [], 'does_not_add_up']);
    assert.deepEqual(quoteOf({ room_types: null }).lines, []);
  });

  it('is rounded to its currency, and its lines with it while they add up', () => {
    const withRate = (amount: unknown) =>
      JSON.parse(JSON.stringify(QUOTE.room_types).replace('900', String(amount)));
    const finer = { total_including_vat: 980.505, amount_gross: 980.505 };
    const rounded = quoteOf({ ...finer, room_types: withRate(900.005) });
    assert.equal(rounded.total, 98_051);
    assert.deepEqual(rounded.lines[0], { label: 'Room Rate', amount: 90_001 });
    const apart = quoteOf(finer);
    assert.deepEqual([apart.total, apart.lines, apart.linesFault], [98_051, [], 'does_not_add_up']);
    assert.equal(quoteOf({ total_including_vat: 1130.505, amount_gross: 1130.505 }).total, 98_051);
  });

  it('is for the home, the days and the currency that were asked for, or it fails', () => {
    assert.equal(outcomeOf({ property_id: 8 }), 'garbled');
    assert.equal(outcomeOf({ date_arrival: '2027-03-02T00:00:00' }), 'garbled');
    assert.equal(outcomeOf({ date_departure: null }), 'garbled');
    assert.equal(outcomeOf({ currency_code: 'USD' }), 'wrong_currency');
    assert.equal(outcomeOf({ total_including_vat: 0, amount_gross: 0 }), 'garbled');
    assert.equal(outcomeOf({ total_including_vat: 'much', amount_gross: null }), 'garbled');
  });

  it('is refused in the vendor’s own codes', () => {
    const refused = (code: unknown) => read({ message: 'No.', code, correlation_id: 'x', event_id: 'y' });
    const reasons = Object.fromEntries(
      [666, 901, 902, 905, 909, 910, 911, 940, 950, 997, 123].map((code) => {
        const outcome = refused(code);
        return [code, outcome?.kind === 'unavailable' ? outcome.reason : outcome];
      }),
    );
    assert.deepEqual(reasons, {
      123: 'not_offered',
      666: 'not_offered',
      901: 'not_offered',
      902: 'minimum_stay',
      905: 'booked',
      909: 'closed_to_arrival',
      910: 'closed_to_departure',
      911: 'booked',
      940: 'not_offered',
      950: 'not_offered',
      997: 'unknown_property',
    });
    for (const code of [996, 998, 999]) {
      assert.deepEqual(refused(code), { kind: 'failed', reference: '9', failure: 'rejected' });
    }
    assert.deepEqual(refused('902'), { kind: 'unavailable', reference: '9', reason: 'minimum_stay' });
  });

  it('is nothing that is neither', () => {
    for (const answer of [[], {}, null, 'x', [null]]) assert.equal(read(answer), null);
  });
});

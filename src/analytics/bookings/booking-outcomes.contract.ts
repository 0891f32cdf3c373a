import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { BookingOutcome } from '../../quotes/booking.ts';
import type { BookingOutcomes } from './booking-outcomes.ts';

export function sampleOutcome(reference: string, changes: Partial<BookingOutcome> = {}): BookingOutcome {
  return {
    brand: 'azul',
    reference,
    nxq: null,
    status: 'booked',
    bookedAt: 1_000,
    amount: 12_345,
    currency: 'EUR',
    reportedAt: 2_000,
    collectedAt: null,
    quote: null,
    ...changes,
  };
}

const QUOTE = {
  assistant: 'assistant "one"',
  property: 'azul:1',
  place: 'calpe',
  checkIn: '2027-06-01',
  checkOut: '2027-06-08',
  guests: 4,
  amount: 12_000,
  currency: 'EUR',
  retrievedAt: 900,
};

/** What every store of reported bookings promises. */
export function bookingOutcomesContract({
  newOutcomes,
}: {
  readonly newOutcomes: (test: TestContext) => Promise<BookingOutcomes>;
}): void {
  const always = { from: 0, before: 1_000_000, limit: 100 };

  it('keeps bookings whole, with and without a quote', async (t) => {
    const outcomes = await newOutcomes(t);
    const reported = [
      sampleOutcome('1', { bookedAt: 10, quote: QUOTE, nxq: 'nxq_1', collectedAt: 2_000 }),
      sampleOutcome('2 "’\\\u{1f3e0}', {
        bookedAt: 20,
        status: 'cancelled',
        amount: Number.MAX_SAFE_INTEGER,
      }),
      sampleOutcome('3', { bookedAt: 30, amount: -1, quote: { ...QUOTE, place: '' } }),
    ];
    assert.equal(await outcomes.put(reported), 3);
    assert.deepEqual(await outcomes.read(always), reported);
    assert.equal(await outcomes.put([]), 0);
  });

  it('replaces what it knows by brand and reference, and says how many were new', async (t) => {
    const outcomes = await newOutcomes(t);
    await outcomes.put([sampleOutcome('1'), sampleOutcome('1', { brand: 'verde' })]);
    const cancelled = sampleOutcome('1', { status: 'cancelled', reportedAt: 3_000 });
    const again = [sampleOutcome('2'), cancelled, sampleOutcome('2', { amount: 7 })];
    assert.equal(await outcomes.put(again), 1);
    assert.deepEqual(await outcomes.read({ ...always, brand: 'azul' }), [
      cancelled,
      sampleOutcome('2', { amount: 7 }),
    ]);
    assert.deepEqual(await outcomes.read({ ...always, brand: 'verde' }), [
      sampleOutcome('1', { brand: 'verde' }),
    ]);
  });

  it('reads what was booked in a time, the oldest first', async (t) => {
    const outcomes = await newOutcomes(t);
    await outcomes.put([30, 10, 20, 40].map((bookedAt) => sampleOutcome(`${bookedAt}`, { bookedAt })));
    const references = async (from: number, before: number, limit = 100) =>
      (await outcomes.read({ from, before, limit })).map(({ reference }) => reference);
    assert.deepEqual(await references(10, 40), ['10', '20', '30']);
    assert.deepEqual(await references(11, 41), ['20', '30', '40']);
    assert.deepEqual(await references(0, 100, 2), ['10', '20']);
    assert.deepEqual(await references(50, 100), []);
  });

  it('reads on after a booking, also where all were booked at one instant', async (t) => {
    const outcomes = await newOutcomes(t);
    const booked = [
      ...['1', '10', '2'].map((reference) => sampleOutcome(reference, { bookedAt: 10 })),
      ...['0', '1'].map((reference) => sampleOutcome(reference, { bookedAt: 10, brand: 'verde' })),
      ...['0', '3'].map((reference) => sampleOutcome(reference, { bookedAt: 20 })),
    ];
    await outcomes.put(booked.toReversed());
    const pagesOf = async (question: { readonly before: number; readonly brand?: string }) => {
      const pages = [];
      let after: BookingOutcome | undefined;
      do {
        const page = await outcomes.read({ from: 10, limit: 2, ...question, ...(after ? { after } : {}) });
        pages.push(page);
        after = page.at(-1);
      } while (after && pages.length < 9);
      return pages;
    };
    assert.deepEqual(await pagesOf({ before: 21 }), [
      booked.slice(0, 2),
      booked.slice(2, 4),
      booked.slice(4, 6),
      booked.slice(6),
      [],
    ]);
    assert.deepEqual(await pagesOf({ before: 20 }), [
      booked.slice(0, 2),
      booked.slice(2, 4),
      booked.slice(4, 5),
      [],
    ]);
    assert.deepEqual(
      (await pagesOf({ before: 21, brand: 'azul' })).flat(),
      booked.filter(({ brand }) => brand === 'azul'),
    );
  });

  it('finds the bookings that followed a quote, the newest first', async (t) => {
    const outcomes = await newOutcomes(t);
    const one = sampleOutcome('1', { nxq: 'nxq_1', bookedAt: 20 });
    const other = sampleOutcome('2', { nxq: 'nxq_1', bookedAt: 10 });
    await outcomes.put([other, one, sampleOutcome('3', { nxq: 'nxq_2' }), sampleOutcome('4')]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'nxq_1', brand: 'azul' }, 5), [one, other]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'nxq_1', brand: 'azul' }, 1), [one]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'nxq_3', brand: 'azul' }, 5), []);
  });

  it('finds no bookings that another brand reported for a quote, however many', async (t) => {
    const outcomes = await newOutcomes(t);
    const own = sampleOutcome('1', { nxq: 'nxq_1', bookedAt: 20 });
    const foreign = Array.from({ length: 60 }, (_, bookedAt) =>
      sampleOutcome(`${bookedAt}`, { brand: 'verde', nxq: 'nxq_1', bookedAt }),
    );
    await outcomes.put([...foreign, own]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'nxq_1', brand: 'azul' }, 5), [own]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'nxq_1', brand: 'rojo' }, 5), []);
  });

  it('counts the bookings of a brand', async (t) => {
    const outcomes = await newOutcomes(t);
    const [one, other] = [sampleOutcome('1'), sampleOutcome('2')];
    await outcomes.put([one, other, one, { ...other, brand: 'another' }]);
    assert.equal(await outcomes.count(one.brand), 2);
    assert.equal(await outcomes.count('another'), 1);
    assert.equal(await outcomes.count('nobody'), 0);
  });

  it('tells which bookings of a brand it knows', async (t) => {
    const outcomes = await newOutcomes(t);
    const odd = '2 "’\\\u{1f3e0}';
    await outcomes.put([sampleOutcome('1'), sampleOutcome(odd), sampleOutcome('3', { brand: 'verde' })]);
    assert.deepEqual([...(await outcomes.known('azul', ['3', odd, '1', '4']))].sort(), ['1', odd]);
    assert.deepEqual(await outcomes.known('azul', []), []);
    const many = Array.from({ length: 2_500 }, (_, index) => String(index));
    assert.deepEqual(await outcomes.known('verde', many), ['3']);
  });

  it('keeps the quote of a booking that is reported again without it, and takes another', async (t) => {
    const outcomes = await newOutcomes(t);
    const first = sampleOutcome('1', { nxq: 'nxq_1', quote: QUOTE });
    const cancelled = { status: 'cancelled', reportedAt: 3_000 } as const;
    for (const again of [sampleOutcome('1', cancelled), sampleOutcome('1', { ...cancelled, nxq: 'nxq_1' })]) {
      await outcomes.put([first]);
      await outcomes.put([again]);
      assert.deepEqual(await outcomes.read(always), [{ ...first, ...cancelled }]);
    }
    await outcomes.put([first, sampleOutcome('1', cancelled)]);
    assert.deepEqual(await outcomes.read(always), [{ ...first, ...cancelled }], 'also within one report');
    const other = sampleOutcome('1', { nxq: 'nxq_2' });
    await outcomes.put([other]);
    assert.deepEqual(await outcomes.read(always), [other]);
    await outcomes.put([first]);
    assert.deepEqual(await outcomes.read(always), [first]);
  });

  it('knows when a brand’s system told of a booking last, which files do not change', async (t) => {
    const outcomes = await newOutcomes(t);
    assert.equal(await outcomes.lastCollectedAt('azul'), null);
    await outcomes.put([sampleOutcome('1', { reportedAt: 9 })]);
    assert.equal(await outcomes.lastCollectedAt('azul'), null);
    await outcomes.put([
      sampleOutcome('1', { collectedAt: 12 }),
      sampleOutcome('2', { collectedAt: 5 }),
      sampleOutcome('1', { brand: 'verde', collectedAt: 20 }),
    ]);
    await outcomes.put([sampleOutcome('1', { reportedAt: 30 })]);
    assert.equal(await outcomes.lastCollectedAt('azul'), 12);
  });

  it('deletes the oldest first, no more than asked for', async (t) => {
    const outcomes = await newOutcomes(t);
    await outcomes.put([30, 10, 20, 40].map((bookedAt) => sampleOutcome(`${bookedAt}`, { bookedAt })));
    assert.equal(await outcomes.deleteBefore(40, 2), 2);
    assert.deepEqual(
      (await outcomes.read(always)).map(({ reference }) => reference),
      ['30', '40'],
    );
    assert.equal(await outcomes.deleteBefore(40, 2), 1);
    assert.equal(await outcomes.deleteBefore(40, 2), 0);
  });

  it('takes thousands at once', async (t) => {
    const outcomes = await newOutcomes(t);
    const many = Array.from({ length: 2_500 }, (_, index) => sampleOutcome(`${index}`));
    assert.equal(await outcomes.put(many), 2_500);
    assert.equal(await outcomes.put(many), 0);
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleCriteria, sampleOption } from '../../../test/support/sample-comparison.ts';
import type { Option } from '../../contract/option.ts';
import { parseDay } from '../../stay/day.ts';
import { createOptionWriter } from './option-answer.ts';

type Facts = NonNullable<Parameters<typeof sampleOption>[0]>;

function write(
  facts: Facts = {},
  { currency = 'EUR', checkIn = '2027-04-10', checkOut = '2027-04-13' } = {},
): Option {
  const stay = { ...sampleCriteria, checkIn: parseDay(checkIn) ?? 0, checkOut: parseDay(checkOut) ?? 0 };
  const { option, text } = createOptionWriter(stay, currency)(sampleOption(facts), 4);
  assert.equal(text, JSON.stringify(option));
  return option;
}

describe('a quote', () => {
  it('has this shape', () => {
    const lines = [
      { label: '3 nights', amount: 41_251 },
      { label: 'Welcome discount', amount: -1_000 },
    ];
    assert.deepEqual(write({ quote: { total: 40_251, lines, linesAvailable: true } }).quote, {
      nxq: 'nxq_1',
      amount: 402.51,
      nightly_average: 134.17,
      currency: 'EUR',
      check_in: '2027-04-10',
      check_out: '2027-04-13',
      guests: 2,
      nights: 3,
      line_items: [
        { label: '3 nights', amount: 412.51 },
        { label: 'Welcome discount', amount: -10 },
      ],
      line_items_available: true,
      price_valid_until: '2026-11-15T10:00:00Z',
      price_guarantee: 'at_retrieval',
      retrieved_at: '2026-11-15T09:30:00Z',
      deposit: null,
      due_on_site: null,
      signature: null,
      verify_url: null,
    });
  });

  it('has no breakdown where the operator reconciled none', () => {
    const { line_items, line_items_available } = write().quote;
    assert.deepEqual([line_items, line_items_available], [[], false]);
  });

  it('has the decimals of its currency', () => {
    const amounts = (total: number, currency: string) => {
      const { amount, nightly_average } = write({ quote: { total } }, { currency }).quote;
      return [amount, nightly_average];
    };
    assert.deepEqual(amounts(41_250, 'EUR'), [412.5, 137.5]);
    assert.deepEqual(amounts(41_250, 'JPY'), [41_250, 13_750]);
    assert.deepEqual(amounts(41_250, 'KWD'), [41.25, 13.75]);
  });

  it('rounds the nightly average to the minor unit, half of one upwards', () => {
    const average = (total: number, checkOut: string) =>
      write({ quote: { total } }, { checkOut }).quote.nightly_average;
    assert.equal(average(10_000, '2027-04-13'), 33.33);
    assert.equal(average(20_000, '2027-04-13'), 66.67);
    assert.equal(average(10_001, '2027-04-12'), 50.01);
    assert.equal(average(10_001, '2027-04-11'), 100.01);
  });
});

describe('free cancellation', () => {
  const until = (daysBefore: number, time: string, checkIn: string, timeZone = 'Europe/Lisbon') => {
    const cancellation = { summary: 'Free for a while.', free: { daysBefore, time } };
    const checkOut = '2027-12-31';
    return write({ timeZone, property: { cancellation } }, { checkIn, checkOut }).cancellation;
  };

  it('ends by the local time of the property, before and after a clock change', () => {
    // Lisbon moves to summer time on 2027-03-28 and back on 2027-10-31.
    assert.equal(until(7, '18:00', '2027-03-27').free_cancellation_until, '2027-03-20T18:00:00Z');
    assert.equal(until(7, '18:00', '2027-03-30').free_cancellation_until, '2027-03-23T18:00:00Z');
    assert.equal(until(1, '18:00', '2027-03-30').free_cancellation_until, '2027-03-29T17:00:00Z');
    assert.equal(until(3, '18:30', '2027-11-02').free_cancellation_until, '2027-10-30T17:30:00Z');
    assert.equal(until(1, '18:30', '2027-11-02').free_cancellation_until, '2027-11-01T18:30:00Z');
  });

  it('is told on the clock of the property too, with its offset at that time', () => {
    assert.equal(until(7, '18:00', '2027-03-27').free_cancellation_until_local, '2027-03-20T18:00:00+00:00');
    assert.equal(until(1, '18:00', '2027-03-30').free_cancellation_until_local, '2027-03-29T18:00:00+01:00');
    assert.equal(
      until(1, '09:15', '2027-03-30', 'America/St_Johns').free_cancellation_until_local,
      '2027-03-29T09:15:00-02:30',
    );
  });

  it('makes a stay refundable while it lasts; after that only the operator’s own no is certain', () => {
    const refundableOf = (cancellation: object, checkIn = '2027-04-10') =>
      write(
        { property: { cancellation: { summary: 'Words are not read.', free: null, ...cancellation } } },
        { checkIn, checkOut: '2027-12-31' },
      ).cancellation.refundable;
    const free = { daysBefore: 5, time: '18:00' };
    assert.equal(refundableOf({ free }), true);
    assert.equal(refundableOf({ free }, '2026-11-19'), null, 'it ended the day before the quote');
    assert.equal(refundableOf({ free, refundable: true }, '2026-11-19'), null, 'perhaps a part of it');
    assert.equal(refundableOf({ free, refundable: false }, '2026-11-19'), false);
    assert.equal(refundableOf({ free, refundable: false }), false);
    assert.equal(refundableOf({ free, refundable: null }), true);
    assert.equal(refundableOf({ refundable: true }), true, 'without a free period its word counts');
    assert.equal(refundableOf({ refundable: false }), false);
    assert.equal(refundableOf({ refundable: null }), null);
    assert.equal(refundableOf({}), null);
  });

  it('that ends when the quote is retrieved is over', () => {
    const termsAt = (retrievedAt: string) => {
      const cancellation = { summary: 'x', free: { daysBefore: 1, time: '18:00' } };
      const dates = { checkIn: '2026-12-02', checkOut: '2026-12-05' };
      const quote = { retrievedAt: Date.parse(retrievedAt) };
      const { summary: _, ...terms } = write({ property: { cancellation }, quote }, dates).cancellation;
      return Object.values(terms);
    };
    assert.deepEqual(termsAt('2026-12-01T17:59:59Z'), [
      '2026-12-01T18:00:00Z',
      '2026-12-01T18:00:00+00:00',
      'until',
      true,
    ]);
    assert.deepEqual(termsAt('2026-12-01T18:00:00Z'), [null, null, 'over', null]);
  });

  it('may end on another day in UTC', () => {
    const tokyo = until(0, '08:05', '2027-04-10', 'Asia/Tokyo');
    assert.deepEqual(tokyo, {
      summary: 'Free for a while.',
      free_cancellation_until: '2027-04-09T23:05:00Z',
      free_cancellation_until_local: '2027-04-10T08:05:00+09:00',
      free_cancellation: 'until',
      refundable: true,
    });
  });
});

describe('the cancellation policy of a price', () => {
  const listed = { summary: 'Free for a week.', free: { daysBefore: 7, time: '18:00' }, refundable: true };

  it('is shown in place of the listing’s, whole', () => {
    const cancellation = { summary: 'Cancellation policy: non_refundable', free: null, refundable: null };
    assert.deepEqual(write({ property: { cancellation: listed }, quote: { cancellation } }).cancellation, {
      summary: 'Cancellation policy: non_refundable',
      free_cancellation_until: null,
      free_cancellation_until_local: null,
      free_cancellation: 'unpublished',
      refundable: null,
    });
  });

  it('is counted from the arrival like the listing’s', () => {
    const cancellation = { ...listed, free: { daysBefore: 2, time: '12:00' } };
    const shown = write({ property: { cancellation: listed }, quote: { cancellation } }).cancellation;
    assert.equal(shown.free_cancellation_until_local, '2027-04-08T12:00:00+01:00');
    assert.equal(shown.refundable, true);
  });

  it('is marked as cut when it is, whatever was cut of the listing’s', () => {
    const fields = (cut: NonNullable<Facts['property']>['cut'], wasCut: object) =>
      write({ property: cut ? { cut } : {}, quote: { cancellation: { ...listed, ...wasCut } } })
        .truncated_fields;
    assert.deepEqual(fields(['name', 'cancellation.summary'], {}), ['name']);
    assert.equal(fields(['cancellation.summary'], {}), undefined);
    assert.deepEqual(fields(undefined, { wasCut: true }), ['cancellation.summary']);
    assert.deepEqual(fields(['name', 'cancellation.summary'], { wasCut: true }), [
      'name',
      'cancellation.summary',
    ]);
  });
});

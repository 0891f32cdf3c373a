import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import { parseDay } from '../../stay/day.ts';
import { createCollectedParts } from './calendar.ts';
import type { BookingsyncCalendarPart, BookingsyncCalendarResource } from './calendar-parts.ts';
import { readBookingsyncCalendarParts } from './calendar-parts.ts';

const horizon = { from: parseDay('2027-03-10') ?? 0, nights: 540 };
const currencies = new Map([
  ['2', 'EUR'],
  ['3', 'EUR'],
]);

function read(
  resource: BookingsyncCalendarResource,
  records: readonly unknown[],
  asked: ReadonlyMap<string, string> | null = currencies,
): BookingsyncCalendarPart[] {
  const document = new TextEncoder().encode(JSON.stringify({ [resource]: records }));
  return [...readBookingsyncCalendarParts(document, { resource, horizon, currencies: asked })];
}
const repeated = (count: number, record: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => record(index));
const rate = (rental: number, index: number, changes = {}) => ({
  links: { rental },
  start_date: '2027-03-20',
  end_date: '2030-01-01',
  minimum_stay: 1 + (index % 5),
  final_nightly_rate: index,
  ...changes,
});
const rateMap = (rental: number) => ({
  links: { rental },
  start_date: '2027-03-10',
  rates_map: repeated(540, (night) => 7 + (Number(night) % 2)).join(),
  minimum_stays_map: '',
});

describe('a page of maps or rates', () => {
  it('becomes one part for each rental, however many periods it has', () => {
    const parts = read(
      'rates',
      repeated(1000, (index) => rate(2 + (index % 2), index)),
    );
    assert.deepEqual(
      parts.map(({ kind, rental }) => [kind, rental]),
      [
        ['rates', '2'],
        ['rates', '3'],
      ],
    );
    assert.ok(weightOf(parts) < 12_000, `${weightOf(parts)} bytes leave the thread`);
  });

  it('has one map of each kind for a rental, and none of them is read when there are more', () => {
    for (const resource of ['nightly_rate_maps', 'availabilities', 'change_overs'] as const) {
      assert.deepEqual(
        read(
          resource,
          repeated(1000, () => rateMap(2)),
        ),
        [
          {
            kind: 'fault',
            rental: '2',
            fault: { rule: 'calendar_twice', reason: 'is in the answer 1000 times' },
          },
        ],
      );
    }
  });

  it('leaves out rentals that were not asked for', () => {
    assert.deepEqual(
      read(
        'nightly_rate_maps',
        repeated(1000, (index) => rateMap(10 + index)),
      ),
      [],
    );
    assert.deepEqual(
      read('nightly_rate_maps', [rateMap(9), rateMap(3)]).map(({ rental }) => rental),
      ['3'],
    );
  });

  it('names at most twenty faults of a rental', () => {
    const backwards = repeated(1000, (index) => rate(2, index, { end_date: '2027-03-19' }));
    assert.equal(read('rates', backwards).length, 20);
  });

  it('says only which rentals it is about when nothing else is asked', () => {
    assert.deepEqual(
      read(
        'rates',
        repeated(1000, (index) => rate(2 + (index % 2), index)),
        null,
      ),
      [
        { kind: 'mentioned', rental: '2' },
        { kind: 'mentioned', rental: '3' },
      ],
    );
  });

  it('is refused with more than a thousand records', () => {
    assert.throws(
      () =>
        read(
          'rates',
          repeated(1001, (index) => rate(9, index)),
        ),
      (error) => error instanceof BookingSystemFailure && error.kind === 'too_large',
    );
  });
});

describe('the parts of many pages', () => {
  it('take the room of one, and say the same in whichever order the pages come', () => {
    const pages = [
      [rate(2, 3), rate(2, 4, { start_date: '2027-03-25', end_date: '2027-03-30' })],
      [rate(2, 5, { start_date: '2027-03-10', end_date: '2027-03-22' })],
      [rate(2, 6, { start_date: '2027-03-28', end_date: '2027-03-29' })],
    ];
    const collectedFrom = (ordered: readonly (readonly unknown[])[]) => {
      const collected = createCollectedParts();
      for (const page of ordered) for (const part of read('rates', page)) collected.add(part);
      return collected.of('2');
    };
    const together = read('rates', pages.flat());
    assert.equal(together.length, 1);
    assert.deepEqual(collectedFrom(pages), together);
    assert.deepEqual(collectedFrom(pages.toReversed()), together);
    assert.deepEqual(collectedFrom(Array.from({ length: 50 }, () => pages.flat())), together);
  });

  it('are kept up to a few for each rental', () => {
    const collected = createCollectedParts();
    for (let page = 0; page < 1000; page += 1) collected.add({ kind: 'nights', rental: '2', signs: '0' });
    assert.equal(collected.of('2').length, 25);
  });
});

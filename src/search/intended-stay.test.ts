import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { suppliedAs } from '../../test/support/search-stage.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import { dateOrderMeant, departureAfter, intendedNights, orderOfDeparture } from './intended-stay.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

function nightsOf(check_in_day: unknown, check_out: unknown): number | null {
  return intendedNights(suppliedAs({ check_in_day, check_out }), NOW);
}

describe('the nights that a request asks for', () => {
  it('are counted between its dates, however they are written', () => {
    assert.equal(nightsOf('2027-03-08', '2027-03-15'), 7);
    assert.equal(nightsOf('8 March 2027', '2027-3-15'), 7);
    assert.equal(nightsOf('2025-11-10', '2025-11-20'), 10, 'the next of these days are in two years');
  });

  it('are those of one year where only one of the dates has the wrong one', () => {
    assert.equal(nightsOf('2026-03-08', '2027-03-15'), 7);
    assert.equal(nightsOf('2027-03-08', '2026-03-15'), 7);
  });

  it('are unknown without two dates in their order', () => {
    assert.equal(nightsOf('soon', '2027-03-15'), null);
    assert.equal(nightsOf('2027-03-15', '2027-03-15'), null);
    assert.equal(nightsOf('2027-03-15', '9999-12-31'), null);
    assert.equal(intendedNights(suppliedAs({ check_in_day: '2027-03-08' }), NOW), null);
  });
});

describe('a departure', () => {
  it('follows the arrival after so many nights', () => {
    assert.equal(departureAfter('2027-02-27', 3), '2027-03-02');
    assert.equal(departureAfter('soon', 3), undefined);
  });
});

function orderOf(check_in_day: unknown, check_out: unknown): string | undefined {
  return dateOrderMeant(suppliedAs({ check_in_day, check_out }), {}, NOW);
}

describe('the order in which dates are written', () => {
  it('is the one in which the departure follows the arrival most closely', () => {
    assert.equal(orderOf('08/05/2027', '10/05/2027'), 'day_first');
    assert.equal(orderOf('08/05/2027', '12/05/2027'), 'day_first');
    assert.equal(orderOf('8/5/27', '9/5/27'), 'day_first');
    assert.equal(orderOf('05-08-2027', '05-10-2027'), 'month_first');
    assert.equal(orderOf('12/30/2027', '01/02/2028'), 'month_first');
  });

  it('is that of a date that can be read in one order only', () => {
    assert.equal(orderOf('08/05/2027', '13/05/2027'), 'day_first');
    assert.equal(orderOf('05/06/2027', '06/13/2027'), 'month_first', 'although 5 June would be nearer');
    assert.equal(orderOf('8.5.2027', '10/05/2027'), 'day_first');
  });

  it('is told by one date where the other leaves no doubt', () => {
    assert.equal(orderOf('2027-05-08', '10/05/2027'), 'day_first');
    assert.equal(orderOf('05/08/2027', '2027-05-10'), 'month_first');
    assert.equal(dateOrderMeant(suppliedAs({ check_out: '10/05/2027' }), {}, NOW), undefined);
    assert.equal(
      dateOrderMeant(suppliedAs({ check_out: '10/05/2027' }), { check_in_day: '2027-05-08' }, NOW),
      'day_first',
    );
  });

  it('is told by dates of a year that has passed', () => {
    assert.equal(orderOf('08/05/2026', '10/05/2026'), 'day_first');
    assert.equal(orderOf('05/08/2025', '05/10/2025'), 'month_first');
  });

  it('is unknown where both fit as well, or none', () => {
    assert.equal(orderOf('08/05/2027', '09/06/2027'), undefined, '32 nights either way');
    assert.equal(orderOf('13/05/2027', '05/14/2027'), undefined);
    assert.equal(orderOf('10/05/2027', '08/05/2027'), undefined);
    assert.equal(orderOf('2027-05-08', '2027-05-10'), undefined);
    assert.equal(orderOf('soon', '10/05/2027'), undefined);
    assert.equal(orderOf(8, ['10/05/2027']), undefined);
  });

  it('never makes a stay longer than it was written', () => {
    const first = parseDay('2027-01-01') ?? 0;
    const ways = [
      (day: number) => formatDay(day).split('-').reverse().join('/'),
      (day: number) => formatDay(day).replace(/(....)-(..)-(..)/, '$2/$3/$1'),
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: first, max: first + 700 }),
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom(...ways),
        (arrival, nights, write) => {
          const dates = suppliedAs({ check_in_day: write(arrival), check_out: write(arrival + nights) });
          const read = intendedNights(dates, NOW, dateOrderMeant(dates, {}, NOW));
          assert.ok(read !== null && read <= nights, JSON.stringify(dates));
        },
      ),
    );
  });
});

describe('a departure', () => {
  it('is written in the order that gives it', () => {
    assert.equal(orderOfDeparture('10/05/2027', '2027-05-10'), 'day_first');
    assert.equal(orderOfDeparture('10/05/2027', '2027-10-05'), 'month_first');
    assert.equal(orderOfDeparture('10/05/2027', '2027-10-06'), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suppliedAs } from '../../test/support/search-stage.ts';
import { departureAfter, intendedNights } from './intended-stay.ts';

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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writtenDayInComingYear, writtenMonthInComingYear } from './stay-dates.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

describe('a date that has passed', () => {
  it('stands for the same day of the first year in which it lies ahead', () => {
    for (const [past, ahead] of [
      ['2026-03-08', '2027-03-08'],
      ['2021-03-08', '2027-03-08'],
      ['2025-12-28', '2026-12-28'],
      ['2026-10-14', '2027-10-14'],
      ['2025-11-15', '2026-11-15'],
      ['2024-02-29', '2027-02-28'],
    ] as const) {
      assert.equal(writtenDayInComingYear(past, NOW), ahead);
    }
    assert.equal(writtenMonthInComingYear('2026-03', NOW), '2027-03');
    assert.equal(writtenMonthInComingYear('2019-12', NOW), '2026-12');
    assert.equal(writtenMonthInComingYear('2025-11', NOW), '2026-11');
  });

  it('is not one that lies ahead, nor one that is no date', () => {
    for (const day of ['2026-11-15', '2027-03-08', '2099-01-01', 'soon']) {
      assert.equal(writtenDayInComingYear(day, NOW), undefined, day);
    }
    for (const month of ['2026-11', '2027-03', '2026-13']) {
      assert.equal(writtenMonthInComingYear(month, NOW), undefined, month);
    }
  });

  it('is meant as it is written when it has just passed', () => {
    for (const day of ['2026-11-14', '2026-11-13', '2026-10-15']) {
      assert.equal(writtenDayInComingYear(day, NOW), undefined, day);
    }
    assert.equal(writtenMonthInComingYear('2026-10', NOW), undefined);
    assert.equal(writtenMonthInComingYear('2026-09', NOW), '2027-09');
  });
});

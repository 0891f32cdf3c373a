import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nightOf, searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { checkInDay } from './stay-dates.ts';

const { facts } = searchStage([
  {
    brand: 'acme',
    reference: 'loft',
    change: ({ available, closedToArrival }) => {
      available.fill(0, nightOf('2027-03-10'), nightOf('2027-03-20'));
      closedToArrival[nightOf('2027-03-07')] = 1;
    },
  },
]);
const situation = (payload: Payload) => ({ session: stagedSession(), payload, facts });

describe('a day of arrival', () => {
  it('is read in the one form that leaves no doubt', () => {
    for (const [raw, value] of [
      ['2027-05-08', '2027-05-08'],
      ['2027-5-8', '2027-05-08'],
      [' 2027-05-08 ', '2027-05-08'],
      ['2028-02-29', '2028-02-29'],
    ] as const) {
      assert.deepEqual(checkInDay.read(raw), { kind: 'read', value }, raw);
    }
  });

  it('that is not on the calendar suggests the end of its month', () => {
    for (const [raw, meant] of [
      ['2027-02-30', ['2027-02-28']],
      ['2028-2-31', ['2028-02-29']],
      ['2027-13-01', []],
      ['0000-01-01', []],
    ] as const) {
      assert.deepEqual(
        checkInDay.read(raw),
        { kind: 'unreadable', reason: { code: 'no_such_date' }, meant },
        raw,
      );
    }
  });

  it('in another form is refused with the days that may be meant', () => {
    for (const [raw, meant] of [
      ['05/08/2027', ['2027-05-08', '2027-08-05']],
      ['8 May 2027', ['2027-05-08']],
      ['2027-05-08T00:00:00Z', ['2027-05-08']],
      ['8', []],
      ['tomorrow', []],
      ['', []],
      ['2'.repeat(500), []],
    ] as const) {
      const reason = { code: 'not_a_date', format: 'YYYY-MM-DD' };
      assert.deepEqual(checkInDay.read(raw), { kind: 'unreadable', reason, meant }, raw.slice(0, 30));
    }
  });

  it('is a text', () => {
    for (const raw of [20270508, null, undefined, ['2027-05-08'], { day: 8 }]) {
      assert.deepEqual(checkInDay.read(raw), {
        kind: 'unreadable',
        reason: { code: 'wrong_type' },
        meant: [],
      });
    }
  });

  it('implies its month', () => {
    assert.deepEqual(checkInDay.implied?.('2027-05-08'), { check_in_month: '2027-05' });
    assert.deepEqual(checkInDay.implied?.('2027-12-31'), { check_in_month: '2027-12' });
  });

  it('is offered when a stay can begin then', () => {
    const { values, total } = checkInDay.offer(situation({ check_in_month: '2027-03' }));
    assert.deepEqual(values.slice(0, 3), ['2027-03-01', '2027-03-02', '2027-03-03']);
    for (const taken of ['2027-03-07', '2027-03-10', '2027-03-19']) assert.ok(!values.includes(taken), taken);
    assert.deepEqual([values.at(-1), total], ['2027-03-31', values.length]);
  });

  it('is refused with the rule that stands in the way', () => {
    const explain = (day: string) => checkInDay.explain(day, situation({ check_in_month: day.slice(0, 7) }));
    assert.deepEqual(explain('2027-03-07'), { code: 'closed_to_arrival' });
    assert.deepEqual(explain('2027-03-12'), { code: 'nothing_free' });
    assert.deepEqual(explain('2027-02-28'), { code: 'in_the_past' });
    assert.deepEqual(explain('2030-01-01'), { code: 'beyond_horizon', last_day: '2028-08-22' });
  });

  it('has the nearest days on offer as suggestions, the earlier of two that are equally near first', () => {
    const march = situation({ check_in_month: '2027-03' });
    assert.deepEqual(checkInDay.nearest(['2027-03-07'], march).slice(0, 5), [
      '2027-03-06',
      '2027-03-08',
      '2027-03-05',
      '2027-03-09',
      '2027-03-04',
    ]);
    assert.deepEqual(checkInDay.nearest([], march), []);
  });
});

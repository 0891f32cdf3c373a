import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { nightOf, type StagedHome, searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { explainDates } from './stay-dates.ts';

const DAY = '2027-03-05';
const explain = (homes: readonly StagedHome[], payload: Payload = {}) =>
  explainDates('check_in_day', DAY, { session: stagedSession(), payload, facts: searchStage(homes).facts });

test('a rule of the homes is the reason, with its fact', () => {
  const soon: StagedHome = { brand: 'acme', reference: 'loft', leadDays: 7 };
  assert.deepEqual(explain([soon]), { code: 'lead_time', days: 7 });
  const long: StagedHome = {
    brand: 'acme',
    reference: 'loft',
    change: ({ available, minimumStay }) => {
      minimumStay[nightOf(DAY)] = 5;
      available[nightOf(DAY) + 3] = 0;
    },
  };
  assert.deepEqual(explain([long]), { code: 'minimum_stay', nights: 5 });
});

test('the number of guests is an answer, so the day is at odds with it', () => {
  const homes: readonly StagedHome[] = [
    { brand: 'acme', reference: 'hut', maxGuests: 2 },
    { brand: 'acme', reference: 'hall', maxGuests: 8, change: ({ available }) => available.fill(0, 0, 20) },
  ];
  assert.deepEqual(explain(homes, { guests: '2' }), { code: 'nothing_free' }, 'the index has a match');
  assert.deepEqual(explain(homes, { guests: '8' }), { code: 'conflicts_with', fields: ['guests'] });
});

test('guests are not blamed for a day that fits no party', () => {
  const homes: readonly StagedHome[] = [
    { brand: 'acme', reference: 'hut', maxGuests: 2, leadDays: 7 },
    {
      brand: 'acme',
      reference: 'hall',
      maxGuests: 8,
      change: ({ available, closedToArrival }) => {
        available.fill(0, 0, 20);
        closedToArrival.fill(1, 0, 20);
      },
    },
  ];
  assert.deepEqual(explain(homes, { guests: '8' }), { code: 'lead_time', days: 7 });
});

test('without homes in scope nothing is free', () => {
  assert.deepEqual(explain([{ brand: 'other', reference: 'villa' }], { brand_locked: true }), {
    code: 'nothing_free',
  });
});

describe('a departure that does not follow the arrival', () => {
  const homes: readonly StagedHome[] = [{ brand: 'acme', reference: 'loft' }];
  const explainDeparture = (day: string, payload: Payload) =>
    explainDates('check_out', day, { session: stagedSession(), payload, facts: searchStage(homes).facts });
  const fromApril: Payload = { check_in_month: '2027-04', check_in_day: '2027-04-10' };

  it('is at odds with the day, and with the month when every day of it is too late', () => {
    assert.deepEqual(explainDeparture('2027-04-05', fromApril), {
      code: 'conflicts_with',
      fields: ['check_in_day'],
    });
    assert.deepEqual(explainDeparture('2027-03-20', fromApril), {
      code: 'conflicts_with',
      fields: ['check_in_month', 'check_in_day'],
    });
  });

  it('is in the past when no arrival could come before it', () => {
    assert.deepEqual(explainDeparture('2027-02-20', fromApril), { code: 'in_the_past' });
  });
});

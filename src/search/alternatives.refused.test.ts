import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, searchStage, TODAY } from '../../test/support/search-stage.ts';
import { ANY_STAY, type CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import { reasonsAmongMatches } from './alternatives.ts';

const STAY: CompleteCriteria = {
  ...ANY_STAY,
  place: 'lisbon-pt',
  checkIn: TODAY + 5,
  checkOut: TODAY + 7,
  guests: 2,
};

test('only homes that match are counted, each under its own reason', () => {
  const { index } = searchStage([
    { brand: 'acme', reference: '1' },
    { brand: 'acme', reference: '2' },
    { brand: 'acme', reference: '3' },
    { brand: 'other', reference: '4' },
    { brand: 'acme', reference: 'small', maxGuests: 1 },
    { brand: 'acme', reference: 'elsewhere', place: 'porto-pt' },
  ]);
  const rules = new Map<string, UnavailableReason>([
    ['acme:1', 'minimum_stay'],
    ['acme:small', 'minimum_stay'],
    ['other:4', 'lead_time'],
    ['acme:2', 'minimum_stay'],
    ['acme:elsewhere', 'lead_time'],
    ['acme:gone', 'closed_to_arrival'],
  ]);
  const reasons = reasonsAmongMatches({ index, criteria: STAY, now: NOW, rules, others: 1 });
  assert.deepEqual(reasons, ['minimum_stay', 'minimum_stay', 'lead_time']);
  const none = { index, criteria: STAY, now: NOW, rules: new Map(), others: 4 };
  assert.deepEqual(reasonsAmongMatches(none), []);
});

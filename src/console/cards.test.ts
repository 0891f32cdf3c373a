import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorHealth } from '../sync/operator-controls.ts';
import { operatorCard } from './cards.ts';

const HEALTH: OperatorHealth = {
  brand: 'casas',
  name: 'Casas',
  system: 'rate-card',
  lastReadAt: 0,
  lastFailure: null,
  homes: 3,
  oldestCalendarMs: 1000,
  calendarsWaiting: 0,
  breaker: 'closed',
  pausedAt: null,
  budget: null,
  rejections: [],
  unlistedRejections: 0,
};
const shown = (changes: Partial<OperatorHealth>) => String(operatorCard({ ...HEALTH, ...changes }, ''));

test('the card of an operator names the limit that its brand is beyond', () => {
  const lastFailureMessage = 'more than its budget.listings of 100,000';
  assert.match(
    shown({ lastFailure: 'too_large', lastFailureMessage }),
    /too large: more than its budget\.listings of 100,000</,
  );
  assert.match(
    shown({ lastFailure: 'timeout', lastFailureMessage: null }),
    /<dt>Last failure<\/dt><dd>[^:<]+<\/dd>/,
  );
});

test('the card of an operator warns of feeds that have lost their nights, and says how to confirm it', () => {
  const entry = { field: 'calendar', value: null, remedy: '', isRepaired: true };
  const lost = { ...entry, rule: 'feed_lost_nights' };
  const rejections = [
    { ...lost, reference: 'mill' },
    { ...lost, reference: 'barn' },
    { ...entry, rule: 'too_long', reference: 'tower' },
  ];
  assert.match(shown({ rejections }), /of 2 homes: /);
  assert.doesNotMatch(shown({}), /lost their nights/);
});

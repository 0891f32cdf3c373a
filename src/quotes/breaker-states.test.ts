import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createBreakerStates } from './circuit-breaker.ts';

test('an operator that nobody was told of is not left alone', () => {
  assert.equal(createBreakerStates(createFakeClock(0)).of('sol'), 'closed');
});

test('one that is left alone may be tried when its time is over, whether somebody calls or not', async () => {
  const clock = createFakeClock(0);
  const states = createBreakerStates(clock);
  states.note('sol', 'open');
  await clock.advance(14_999);
  assert.deepEqual([states.of('sol'), states.of('mar')], ['open', 'closed']);
  await clock.advance(1);
  assert.equal(states.of('sol'), 'half_open');
  states.note('sol', 'closed');
  assert.equal(states.of('sol'), 'closed');
});

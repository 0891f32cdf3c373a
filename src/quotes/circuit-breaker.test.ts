import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { type BreakerState, type CallResult, createCircuitBreaker } from './circuit-breaker.ts';

function setUp() {
  const clock = createFakeClock(1_000_000);
  const changes: BreakerState[] = [];
  const breaker = createCircuitBreaker({ clock, onChange: (state) => changes.push(state) });
  const report = (...results: readonly CallResult[]) => {
    for (const result of results) {
      const reportResult = breaker.admit();
      assert.ok(reportResult, 'the call was not admitted');
      reportResult(result);
    }
  };
  return { clock, changes, breaker, report };
}

test('four failures are too few to judge by, the fifth call opens', () => {
  const { breaker, report } = setUp();
  report('failed', 'failed', 'failed', 'failed');
  assert.equal(breaker.state(), 'closed');
  report('failed');
  assert.equal(breaker.state(), 'open');
  assert.equal(breaker.admit(), undefined);
});

test('half of the calls failing opens, a little less does not', () => {
  const half = setUp();
  half.report('succeeded', 'succeeded', 'succeeded', 'failed', 'failed', 'failed');
  assert.equal(half.breaker.state(), 'open');
  const less = setUp();
  less.report('succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed', 'failed', 'failed');
  assert.equal(less.breaker.state(), 'closed');
});

test('failures older than the window do not count', async () => {
  const { breaker, clock, report } = setUp();
  report('failed', 'failed', 'failed', 'failed');
  await clock.advance(30_000);
  report('failed');
  assert.equal(breaker.state(), 'closed');
  await clock.advance(29_000);
  report('failed', 'failed', 'failed', 'failed');
  assert.equal(breaker.state(), 'open');
});

test('after fifteen seconds one probe goes through; its success closes', async () => {
  const { breaker, changes, clock, report } = setUp();
  report('failed', 'failed', 'failed', 'failed', 'failed');
  await clock.advance(14_999);
  assert.equal(breaker.admit(), undefined);
  await clock.advance(1);
  const probe = breaker.admit();
  assert.equal(breaker.admit(), undefined, 'a second probe');
  probe?.('succeeded');
  assert.deepEqual(changes, ['open', 'half_open', 'closed']);
  report('failed', 'failed', 'failed', 'failed');
  assert.equal(breaker.state(), 'closed', 'what was before the opening still counted');
});

test('a failed probe opens for another fifteen seconds', async () => {
  const { breaker, clock, report } = setUp();
  report('failed', 'failed', 'failed', 'failed', 'failed');
  await clock.advance(15_000);
  report('failed');
  assert.equal(breaker.state(), 'open');
  await clock.advance(14_999);
  assert.equal(breaker.state(), 'open');
  await clock.advance(1);
  assert.equal(breaker.state(), 'half_open');
});

test('an abandoned call counts for nothing, and an abandoned probe lets the next one try', async () => {
  const { breaker, clock, report } = setUp();
  report('abandoned', 'abandoned', 'abandoned', 'abandoned', 'failed');
  assert.equal(breaker.state(), 'closed');
  report('failed', 'failed', 'failed', 'failed');
  await clock.advance(15_000);
  report('abandoned');
  assert.equal(breaker.state(), 'half_open');
  report('succeeded');
  assert.equal(breaker.state(), 'closed');
});

test('a call from before the opening cannot close it, nor take the place of the probe', async () => {
  const { breaker, clock, report } = setUp();
  const early = breaker.admit();
  const alsoEarly = breaker.admit();
  report('failed', 'failed', 'failed', 'failed', 'failed');
  early?.('succeeded');
  assert.equal(breaker.state(), 'open');
  await clock.advance(15_000);
  const probe = breaker.admit();
  alsoEarly?.('succeeded');
  assert.equal(breaker.state(), 'half_open');
  assert.equal(breaker.admit(), undefined);
  probe?.('failed');
  assert.equal(breaker.state(), 'open');
});

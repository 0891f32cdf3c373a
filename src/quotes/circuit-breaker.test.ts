import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import {
  type BreakerState,
  type CallResult,
  type CircuitBreaker,
  createCircuitBreaker,
} from './circuit-breaker.ts';

function setUp() {
  const clock = createFakeClock(1_000_000);
  const changes: BreakerState[] = [];
  const plain = createCircuitBreaker({ clock, onChange: (state) => changes.push(state) });
  const breaker = {
    ...plain,
    state(): BreakerState {
      // The end of a pause shows when somebody asks.
      plain.refuses();
      return changes.at(-1) ?? 'closed';
    },
  };
  const report = (...results: readonly CallResult[]) => {
    for (const result of results) {
      admitted(breaker).report(result);
    }
  };
  return { clock, changes, breaker, report };
}

function admitted(breaker: CircuitBreaker) {
  const admission = breaker.admit();
  assert.ok(admission.kind === 'admitted');
  return admission;
}

test('four failures are too few to judge by, the fifth call opens', () => {
  const { breaker, report } = setUp();
  report('failed', 'failed', 'failed', 'failed');
  assert.equal(breaker.state(), 'closed');
  report('failed');
  assert.equal(breaker.state(), 'open');
  assert.equal(breaker.admit().kind, 'refused');
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

for (const [direction, step] of [
  ['back', -7_200_000],
  ['forward', 7_200_000],
] as const) {
  test(`a wall clock that steps ${direction} neither opens a breaker nor moves its pause`, async () => {
    const { breaker, clock, report } = setUp();
    report('failed', 'failed', 'failed', 'failed');
    clock.stepWallClock(step);
    await clock.advance(30_000);
    report('failed');
    assert.equal(breaker.state(), 'closed', 'the failures before are older than the window');
    report('failed', 'failed', 'failed', 'failed');
    assert.equal(breaker.state(), 'open');
    clock.stepWallClock(step);
    await clock.advance(14_999);
    assert.equal(breaker.state(), 'open');
    await clock.advance(1);
    assert.equal(breaker.state(), 'half_open');
  });

  test(`failures just before a step ${direction} still count`, () => {
    const { breaker, clock, report } = setUp();
    report('failed', 'failed', 'failed', 'failed');
    clock.stepWallClock(step);
    report('failed');
    assert.equal(breaker.state(), 'open');
  });
}

test('after fifteen seconds one probe goes through; its success closes', async () => {
  const { breaker, changes, clock, report } = setUp();
  report('failed', 'failed', 'failed', 'failed', 'failed');
  await clock.advance(14_999);
  assert.equal(breaker.admit().kind, 'refused');
  await clock.advance(1);
  const probe = admitted(breaker);
  assert.equal(breaker.admit().kind, 'awaits_probe', 'a second probe');
  assert.equal(breaker.refuses(), false, 'it may go on in a moment');
  probe.report('succeeded');
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

const QUESTION = { references: ['a'], checkIn: 20_000, checkOut: 20_003, guests: 2, currency: 'EUR' };

test('an operator that has answered is tried with the last question that it answered, and left alone only when it fails', async () => {
  const { breaker, changes, clock, report } = setUp();
  admitted(breaker).report('succeeded', { ...QUESTION, guests: 1 });
  admitted(breaker).report('succeeded', QUESTION);
  report('succeeded', 'failed', 'failed', 'failed');
  const probe = admitted(breaker);
  assert.deepEqual(probe.probe, QUESTION);
  assert.equal(breaker.admit().kind, 'awaits_probe', 'a second probe');
  probe.report('failed');
  assert.deepEqual(changes, ['half_open', 'open']);
  await clock.advance(15_000);
  const own = admitted(breaker);
  assert.equal(own.probe, null, 'in turns with questions of callers');
  own.report('failed');
  await clock.advance(15_000);
  const again = admitted(breaker);
  assert.deepEqual(again.probe, QUESTION);
  again.report('succeeded');
  assert.equal(breaker.state(), 'closed');
  assert.equal(admitted(breaker).probe, null);
});

test('however many calls fail, an operator that answers its probe gets the next one fifteen seconds later', async () => {
  const { breaker, changes, clock } = setUp();
  admitted(breaker).report('succeeded', QUESTION);
  let probes = 0;
  for (let second = 0; second < 60; second += 1) {
    for (let call = 0; call < 5; call += 1) {
      const admission = admitted(breaker);
      if (admission.probe) probes += 1;
      admission.report(admission.probe ? 'succeeded' : 'failed');
    }
    await clock.advance(1000);
  }
  assert.equal(probes, 4);
  assert.ok(!changes.includes('open'));
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
  const early = admitted(breaker);
  const alsoEarly = admitted(breaker);
  report('failed', 'failed', 'failed', 'failed', 'failed');
  early.report('succeeded');
  assert.equal(breaker.state(), 'open');
  await clock.advance(15_000);
  const probe = admitted(breaker);
  alsoEarly.report('succeeded');
  assert.equal(breaker.state(), 'half_open');
  assert.equal(breaker.admit().kind, 'awaits_probe');
  probe.report('failed');
  assert.equal(breaker.state(), 'open');
});

for (const [result, next] of [
  ['succeeded', 'admitted'],
  ['failed', 'refused'],
  ['abandoned', 'admitted'],
] as const) {
  test(`those who wait for a probe hear when it has ${result}`, async () => {
    const { breaker, clock, report } = setUp();
    report('failed', 'failed', 'failed', 'failed', 'failed');
    await clock.advance(15_000);
    const probe = admitted(breaker);
    const told: string[] = [];
    for (let waiting = 0; waiting < 3; waiting += 1) {
      const admission = breaker.admit();
      assert.ok(admission.kind === 'awaits_probe');
      admission.probeEnd.then(() => told.push(breaker.admit().kind));
    }
    await clock.settle();
    assert.deepEqual(told, []);
    probe.report(result);
    await clock.settle();
    const others = result === 'abandoned' ? 'awaits_probe' : next;
    assert.deepEqual(told, [next, others, others], 'never more than one probe');
  });
}

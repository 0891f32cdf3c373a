import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import {
  type BreakerState,
  type CallResult,
  type CircuitBreaker,
  createBreakerStates,
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

const QUESTION = { references: ['a'], checkIn: 40_000, checkOut: 40_003, guests: 2, currency: 'EUR' };

const askedBy = (assistant: string, address: string) => ({
  ...QUESTION,
  askedBy: [assistant, address, 'any'],
});

/** Fails often enough for a probe, and says which question that repeats. */
function probeOf({ breaker, report }: ReturnType<typeof setUp>) {
  for (let call = 0; call < 100 && breaker.state() === 'closed'; call += 1) report('failed');
  return admitted(breaker);
}

test('an operator that has answered is tried with the oldest question that it answered, and left alone only when it fails', async () => {
  const stage = setUp();
  const { breaker, changes, clock, report } = stage;
  const [first, second] = [askedBy('one', '192.0.2.1'), askedBy('two', '192.0.2.1')];
  for (const answered of [first, second, { ...first, guests: 5 }])
    admitted(breaker).report('succeeded', answered);
  report('succeeded', 'succeeded');
  const probe = probeOf(stage);
  assert.deepEqual(probe.probe, first);
  assert.equal(breaker.admit().kind, 'awaits_probe', 'a second probe');
  probe.report('failed');
  assert.deepEqual(changes, ['half_open', 'open']);
  await clock.advance(15_000);
  const next = admitted(breaker);
  assert.deepEqual(next.probe, second, 'one that failed goes behind the others');
  next.report('succeeded');
  assert.equal(breaker.state(), 'closed');
  await clock.advance(15_000);
  const again = probeOf(stage);
  assert.deepEqual(again.probe, second);
  again.report('failed');
  for (const expected of [first, null, second, first]) {
    await clock.advance(15_000);
    const own = admitted(breaker);
    assert.deepEqual(own.probe, expected);
    own.report('failed');
  }
});

test('questions for days that are past make room for others', async () => {
  const stage = setUp();
  const { breaker, clock } = stage;
  const first = askedBy('one', '192.0.2.1');
  for (const host of [1, 2, 3, 4]) {
    admitted(breaker).report('succeeded', { ...askedBy('one', `192.0.2.${host}`), checkIn: 2 });
  }
  await clock.advance(3 * 86_400_000);
  admitted(breaker).report('succeeded', first);
  assert.deepEqual(probeOf(stage).probe, first);
});

test('after a caller whose own question failed as the probe, another assistant goes first, then another address', async () => {
  const callers = [
    ['one', '192.0.2.1'],
    ['one', '192.0.2.2'],
    ['two', '192.0.2.1'],
  ] as const;
  for (const [waitedMs, allowed] of [
    [0, ['two 192.0.2.1']],
    [4_999, ['two 192.0.2.1']],
    [5_000, ['one 192.0.2.2', 'two 192.0.2.1']],
    [10_000, ['one 192.0.2.1', 'one 192.0.2.2', 'two 192.0.2.1']],
  ] as const) {
    const admittedCallers: string[] = [];
    for (const caller of callers) {
      const { breaker, clock, report } = setUp();
      report('failed', 'failed', 'failed', 'failed', 'failed');
      await clock.advance(15_000);
      const own = breaker.admit(callers[0]);
      assert.ok(own.kind === 'admitted');
      own.report('failed');
      await clock.advance(15_000);
      assert.equal(breaker.refuses(), false);
      await clock.advance(waitedMs);
      if (breaker.admit(caller).kind === 'admitted') admittedCallers.push(caller.join(' '));
    }
    assert.deepEqual(admittedCallers, allowed, `${waitedMs}`);
  }
});

test('questions are repeated of eight callers at most, of which four are of one assistant, and none for a past day', async () => {
  const stage = setUp();
  const { breaker, clock } = stage;
  admitted(breaker).report('succeeded', { ...askedBy('past', '192.0.2.1'), checkIn: 0 });
  for (const assistant of ['one', 'two', 'three']) {
    for (let host = 1; host <= 6; host += 1) {
      admitted(breaker).report('succeeded', askedBy(assistant, `192.0.2.${host}`));
    }
  }
  const repeated: (string | undefined)[] = [];
  for (;;) {
    const { probe, report } = probeOf(stage);
    report('failed');
    if (!probe) break;
    repeated.push(probe.askedBy?.slice(0, 2).join(' '));
    await clock.advance(15_000);
  }
  const expected = [
    ...[1, 2, 3, 4].map((host) => `one 192.0.2.${host}`),
    ...[1, 2, 3, 4].map((host) => `two 192.0.2.${host}`),
  ];
  assert.deepEqual(repeated, expected);
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

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createScriptedSystem, quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { type CallCounts, createOperator } from './ask-operator.ts';
import type { BookingSystem, OperatorQuote, QuoteOutcome, QuoteRequest } from './booking-system.ts';

const never = new AbortController().signal;
const STAY = { checkIn: 20_000, checkOut: 20_003, guests: 2, currency: 'EUR' };
const about = (...references: string[]): QuoteRequest => ({ references, ...STAY });
const hangs = () => new Promise<never>(() => {});
const failuresOf = async (answers: readonly Promise<{ readonly failure: FailureKind | null }>[]) =>
  (await Promise.all(answers)).map(({ failure }) => failure);

function setUp(quote: BookingSystem['quote'], { limit = 8, queueLimit = 8, keepsBudget = false } = {}) {
  const clock = createFakeClock(1_000_000);
  const scripted = createScriptedSystem('sol', { quote });
  const system = Object.assign(scripted, {
    limits: { ...scripted.limits, concurrency: limit, keepsBudget },
  });
  const calls: { milliseconds: number; counts: CallCounts }[] = [];
  const faults: unknown[] = [];
  const notShown: unknown[] = [];
  const pausing = new AbortController();
  const { ask, restsForMs } = createOperator({
    system,
    clock,
    maxWaitMs: 4000,
    callsWaiting: queueLimit,
    shared: null,
    pauseSignal: () => pausing.signal,
    timeoutMs: 4000,
    observe: {
      call: (_brand, milliseconds, counts) => calls.push({ milliseconds, counts }),
      breaker: () => {},
      breakdownsNotShown: (brand, fault, references) => notShown.push([brand, fault, references]),
      policiesNotShown: (brand, references) => notShown.push([brand, references]),
      fault: (_brand, error) => faults.push(error),
    },
  });
  const isLeftAlone = () => restsForMs() > 0;
  return { clock, system, isLeftAlone, ask, calls, faults, notShown, pause: () => pausing.abort() };
}

test('a budget that is used up leaves an operator in use that keeps one, and no other', async () => {
  for (const keepsBudget of [true, false]) {
    const failing = (failure: FailureKind) =>
      setUp(
        async ({ references }) => references.map((reference) => ({ kind: 'failed', reference, failure })),
        {
          keepsBudget,
        },
      );
    for (const [failure, isLeftAlone] of [
      ['rate_limited', !keepsBudget],
      ['server_error', true],
    ] as const) {
      const operator = failing(failure);
      for (let call = 0; call < 20; call += 1) await operator.ask(about(String(call)), never);
      assert.equal(operator.isLeftAlone(), isLeftAlone, `${failure}, ${keepsBudget}`);
    }
  }
});

const quotedWith = (reference: string, quote: Partial<OperatorQuote>): QuoteOutcome => {
  const outcome = quotedAt(reference, 100);
  return outcome.kind === 'quoted' ? { ...outcome, quote: { ...outcome.quote, ...quote } } : outcome;
};

test('prices whose own policy was held back are reported, once for an answer', async () => {
  const policy = { summary: 'Strict.', free: null, refundable: null };
  const hidden = { cancellation: { ...policy, isRejected: true } } as const;
  const { ask, notShown } = setUp(async () => [
    quotedWith('a', hidden),
    quotedWith('b', { cancellation: policy }),
    quotedWith('c', hidden),
    quotedWith('d', {}),
  ]);
  await ask(about('a', 'b', 'c', 'd'), never);
  assert.deepEqual(notShown, [['sol', ['a', 'c']]]);
});

test('a booking system is told who began a call, and one who shares it makes no other', async () => {
  const askers: unknown[] = [];
  const { ask } = setUp(async ({ references, askedBy }) => {
    askers.push(askedBy);
    return references.map((reference) => quotedAt(reference, 100));
  });
  const [one, other] = ['one', 'other'].map((address) => ['assistant', address, 'session']);
  await Promise.all([ask(about('a'), never, one), ask(about('a'), never, other)]);
  await ask(about('a'), never, other);
  assert.deepEqual(askers, [one, other]);
});

test('breakdowns that are not shown are reported, once for each fault', async () => {
  const short = [{ label: 'Nights', amount: 99 }];
  const { ask, notShown } = setUp(async () => [
    quotedWith('a', { lines: short }),
    quotedWith('b', { lines: [], linesFault: 'label_held_back' }),
    quotedWith('c', { lines: short }),
    quotedWith('d', { lines: [] }),
  ]);
  await ask(about('a', 'b', 'c', 'd'), never);
  assert.deepEqual(notShown, [
    ['sol', 'does_not_add_up', ['a', 'c']],
    ['sol', 'label_held_back', ['b']],
  ]);
});

test('an answer carries the moment of its arrival, and the call is observed', async () => {
  const { ask, calls, clock } = setUp(async () => {
    await new Promise<void>((resolve) => clock.after(250, resolve));
    return [quotedAt('a', 100), refusedAs('b')];
  });
  const answer = ask(about('a', 'b', 'c'), never);
  await clock.advance(250);
  const { verdicts, failure } = await answer;
  const verdict = verdicts.get('a');
  assert.equal(verdict?.kind === 'quoted' && verdict.retrievedAt, 1_000_250);
  assert.equal(failure, null);
  assert.deepEqual(calls, [
    { milliseconds: 250, counts: { quoted: 1, unavailable: 1, failures: new Map([['garbled', 1]]) } },
  ]);
  assert.equal(clock.pendingTimers, 0);
});

test('a system that hangs and ignores its signal is a timeout, and does not block its gate', async () => {
  const { ask, calls, clock } = setUp(hangs, { limit: 1 });
  const first = ask(about('a'), never);
  await clock.advance(3999);
  assert.equal(calls.length, 0);
  await clock.advance(1);
  assert.equal((await first).failure, 'timeout');
  ask(about('b'), never);
  await clock.advance(4000);
  assert.deepEqual(
    calls.map(({ counts }) => [...counts.failures]),
    [[['timeout', 1]], [['timeout', 1]]],
  );
});

test('what throws although it must not becomes a failure of the call, and a fault to look into', async () => {
  const broken = setUp(() => {
    throw new TypeError('undefined is not a function');
  });
  assert.equal((await broken.ask(about('a'), never)).failure, 'garbled');
  assert.equal(broken.faults.length, 1);
  const failing = setUp(async () => {
    throw new BookingSystemFailure('unreachable', 'no route');
  });
  assert.equal((await failing.ask(about('a'), never)).failure, 'unreachable');
});

test('identical questions share one call whatever the order of references; others do not', async () => {
  const { ask, clock, system } = setUp(hangs);
  ask(about('a', 'b'), never);
  ask(about('b', 'a'), never);
  assert.equal(system.quoteCalls.length, 0, 'the gate answers in a promise');
  await clock.settle();
  assert.equal(system.quoteCalls.length, 1);
  ask(about('a'), never);
  ask({ ...about('a', 'b'), guests: 3 }, never);
  ask({ ...about('a', 'b'), checkOut: 20_004 }, never);
  ask({ ...about('a', 'b'), currency: 'USD' }, never);
  await clock.settle();
  assert.equal(system.quoteCalls.length, 5);
});

test('a call that has waited at the gate has its whole time behind it, and a full queue is told at once', async () => {
  const { ask, clock, system } = setUp(hangs, { limit: 1, queueLimit: 1 });
  ask(about('a'), never);
  await clock.advance(1000);
  const queued = ask(about('b'), never);
  const turnedAway = ask(about('c'), never);
  assert.equal((await turnedAway).failure, 'overloaded');
  await clock.advance(3000);
  assert.equal(system.quoteCalls.length, 2);
  await clock.advance(3999);
  const impatient = ask(about('d'), never);
  await clock.advance(1);
  assert.equal((await queued).failure, 'timeout');
  await clock.advance(4000);
  assert.equal((await impatient).failure, 'timeout');
  const first = ask(about('e'), never);
  const second = ask(about('f'), never);
  await clock.advance(4000);
  assert.deepEqual([(await first).failure, (await second).failure], ['timeout', 'overloaded']);
});

test('five failures open the circuit: the system is spared until a probe succeeds', async () => {
  let isWell = false;
  const { ask, isLeftAlone, clock, system } = setUp(async ({ references }) =>
    references.map(
      (reference): QuoteOutcome =>
        isWell ? quotedAt(reference, 100) : { kind: 'failed', reference, failure: 'server_error' },
    ),
  );
  for (let call = 0; call < 5; call += 1)
    assert.equal((await ask(about('a'), never)).failure, 'server_error');
  assert.equal((await ask(about('a'), never)).failure, 'circuit_open');
  assert.equal(system.quoteCalls.length, 5);
  isWell = true;
  await clock.advance(15_000);
  const both = failuresOf([ask(about('a'), never), ask(about('b'), never)]);
  await clock.advance(50);
  assert.deepEqual(await both, [null, null]);
  assert.equal(isLeftAlone(), false);
});

test('a stay that an operator rejects is no outage, and one assistant’s failures do not close it for another', async () => {
  const { ask, isLeftAlone } = setUp(async ({ references, guests }) =>
    references.map((reference) => ({
      kind: 'failed',
      reference,
      failure: guests > 4 ? 'server_error' : 'stay_rejected',
    })),
  );
  for (let call = 0; call < 20; call += 1)
    assert.equal((await ask(about('a'), never)).failure, 'stay_rejected');
  assert.equal(isLeftAlone(), false);
  const large = { ...about('a'), guests: 5 };
  for (let call = 0; call < 5; call += 1) await ask(large, never, ['greedy']);
  assert.equal((await ask(large, never, ['greedy'])).failure, 'circuit_open');
  assert.equal((await ask(about('a'), never, ['modest'])).failure, 'stay_rejected');
});

test('a call that its callers have left runs to its end, holds its place until then, and says so', async () => {
  const { ask, calls, clock, system } = setUp(
    async ({ references }) => {
      await new Promise<void>((resolve) => clock.after(700, resolve));
      return references.map((reference) => quotedAt(reference, 100));
    },
    { limit: 1, queueLimit: 500 },
  );
  const leaving = new AbortController();
  let hasEnded = false;
  const first = ask(about('first'), leaving.signal, [], (call) => {
    call.then(() => {
      hasEnded = true;
    });
  });
  const waiting = Array.from({ length: 300 }, (_, at) => ask(about(`waiting ${at}`), leaving.signal));
  await clock.settle();
  leaving.abort();
  assert.deepEqual(new Set(await failuresOf([first, ...waiting])), new Set(['timeout']));
  const next = ask(about('next'), never);
  await clock.advance(699);
  assert.equal(system.quoteCalls.length, 1);
  assert.equal(hasEnded, false);
  await clock.advance(1);
  assert.equal(system.quoteCalls.length, 2, 'calls that had only waited are not made');
  assert.equal(hasEnded, true);
  await clock.advance(700);
  assert.equal((await next).failure, null);
  assert.equal(calls.filter(({ counts }) => counts.quoted === 1).length, 2);
  assert.equal(calls.filter(({ counts }) => counts.failures.has('abandoned')).length, 300);
});

test('thousands of calls leave no timer and no listener behind, whether they are answered or left', async () => {
  const calls = 5000;
  const { ask, clock, system } = setUp(
    async ({ references }) => {
      await new Promise<void>((resolve) => clock.after(50, resolve));
      return references.map((reference) => quotedAt(reference, 100));
    },
    { limit: calls },
  );
  const searches = Array.from({ length: calls / 4 }, () => new AbortController());
  const answers = searches.flatMap(({ signal }, search) =>
    [0, 1, 2, 3].map((brand) => ask(about(`home-${search}-${brand}`), signal)),
  );
  await clock.settle();
  assert.equal(system.quoteCalls.length, calls);
  for (const search of searches.slice(0, 100)) search.abort();
  await clock.advance(50);
  const failures = (await Promise.all(answers)).map(({ failure }) => failure);
  assert.equal(failures.filter((failure) => failure === null).length, calls - 400);
  for (const { signal } of searches) assert.equal(getEventListeners(signal, 'abort').length, 0);
  assert.equal(clock.pendingTimers, 0);
});

test('a pause breaks a call off at once, makes none that waits, and blames nobody', async () => {
  const { ask, clock, system, isLeftAlone, calls, pause } = setUp(hangs, { limit: 1 });
  const answers = ['a', 'b'].map((one) => ask(about(one), never));
  await clock.settle();
  assert.equal(system.quoteCalls.length, 1);
  pause();
  const given = await Promise.all(answers);
  assert.ok(given.every(({ verdicts }) => verdicts.size === 0));
  for (let call = 0; call < 10; call += 1) await ask(about(String(call)), never);
  assert.equal(system.quoteCalls.length, 1);
  assert.equal(isLeftAlone(), false);
  assert.ok(calls.every(({ counts }) => counts.failures.has('abandoned')));
  assert.equal(clock.pendingTimers, 0);
});

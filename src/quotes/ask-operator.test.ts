import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createScriptedSystem, quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { createConcurrencyGate } from '../limits/fair-semaphore.ts';
import { type CallCounts, createAnswerPace, createAskOperator } from './ask-operator.ts';
import type { BookingSystem, OperatorQuote, QuoteOutcome, QuoteRequest } from './booking-system.ts';
import { createCallEntrance } from './call-entrance.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

const never = new AbortController().signal;
const STAY = { checkIn: 20_000, checkOut: 20_003, guests: 2, currency: 'EUR' };
const about = (...references: string[]): QuoteRequest => ({ references, ...STAY });
const hangs = () => new Promise<never>(() => {});

function setUp(quote: BookingSystem['quote'], { limit = 8, queueLimit = 8, keepsBudget = false } = {}) {
  const clock = createFakeClock(1_000_000);
  const scripted = createScriptedSystem('sol', { quote });
  const system = Object.assign(scripted, { limits: { ...scripted.limits, keepsBudget } });
  const calls: { milliseconds: number; counts: CallCounts }[] = [];
  const faults: unknown[] = [];
  const notShown: unknown[] = [];
  const pausing = new AbortController();
  const breaker = createCircuitBreaker({ clock });
  const isLeftAlone = () => breaker.refuses();
  const ask = createAskOperator({
    system,
    clock,
    entrance: createCallEntrance({
      clock,
      breaker,
      gate: createConcurrencyGate({ clock, limit, queueLimit }),
      maxWaitMs: 4000,
    }),
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

test('a wall clock that steps back during a call changes neither how long it took nor its deadline', async () => {
  const { ask, calls, clock } = setUp(async () => {
    await new Promise<void>((resolve) => clock.after(250, resolve));
    return [quotedAt('a', 100)];
  });
  const answer = ask(about('a'), never);
  clock.stepWallClock(-7_200_000);
  await clock.advance(250);
  assert.equal((await answer).failure, null);
  assert.deepEqual(
    calls.map(({ milliseconds }) => milliseconds),
    [250],
  );
  const hanging = setUp(hangs);
  const late = hanging.ask(about('a'), never);
  hanging.clock.stepWallClock(-7_200_000);
  await hanging.clock.advance(4000);
  assert.equal((await late).failure, 'timeout');
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

test('an answer that is not even a list is garbled', async () => {
  const nonsense: readonly unknown[] = [
    null,
    { quotes: [] },
    'sorry',
    [null],
    [{ kind: 'quoted', reference: 'a' }],
  ];
  for (const answer of nonsense) {
    const text = JSON.stringify(answer);
    // What arrives here at run time is whatever an adapter lets through: parsed JSON has no type.
    const { ask } = setUp(async () => JSON.parse(text));
    assert.equal((await ask(about('a'), never)).failure, 'garbled', text);
  }
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

test('the first caller leaving does not cost the second its answer', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly QuoteOutcome[]>();
  let signal: AbortSignal | undefined;
  const { ask, clock } = setUp((_request, given) => {
    signal = given;
    return promise;
  });
  const leaving = new AbortController();
  const first = ask(about('a'), leaving.signal);
  const second = ask(about('a'), never);
  await clock.settle();
  leaving.abort();
  assert.equal((await first).failure, 'timeout');
  assert.equal(signal?.aborted, false);
  resolve([quotedAt('a', 100)]);
  assert.equal((await second).failure, null);
});

test('joining again and again cannot keep a hanging call alive', async () => {
  const { ask, clock } = setUp(hangs);
  const first = ask(about('a'), never);
  await clock.advance(3000);
  const late = ask(about('a'), never);
  await clock.advance(1000);
  assert.equal((await first).failure, 'timeout');
  assert.equal((await late).failure, 'timeout');
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

test('one greedy caller does not make a healthy operator look ill: the wait is ours, not the operator’s', async () => {
  const { ask, isLeftAlone, clock, system } = setUp(
    async ({ references }) => {
      await new Promise<void>((resolve) => clock.after(1900, resolve));
      return references.map((reference) => quotedAt(reference, 100));
    },
    { limit: 1, queueLimit: 50 },
  );
  const answers = Array.from({ length: 12 }, (_, at) => ask(about(`home-${at}`), never));
  await clock.advance(12_000);
  const failures = (await Promise.all(answers)).map(({ failure }) => failure);
  assert.deepEqual(
    new Set(failures),
    new Set([null, 'overloaded']),
    'served, or told that there was no place',
  );
  assert.equal(
    failures.filter((failure) => failure === null).length,
    system.quoteCalls.length,
    'no call in vain',
  );
  assert.equal(isLeftAlone(), false);
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
  const both = await Promise.all([ask(about('a'), never), ask(about('b'), never)]);
  assert.deepEqual(
    both.map(({ failure }) => failure),
    [null, null],
  );
  assert.equal(isLeftAlone(), false);
});

/** Answers parties of up to four, and others with `failure`. */
function setUpForSmallParties(failure: () => FailureKind | null, { keepsBudget = false, limit = 8 } = {}) {
  const scene = setUp(
    async ({ references, guests }) => {
      const failed = guests > 4 ? 'server_error' : failure();
      return references.map((reference) =>
        failed === null ? quotedAt(reference, 100) : { kind: 'failed', reference, failure: failed },
      );
    },
    { keepsBudget, limit },
  );
  const askFor = (guests: number, changes: Partial<QuoteRequest> = {}) =>
    scene.ask({ ...about(`for-${guests}`), guests, ...changes }, never, ['assistant', `address-${guests}`]);
  const asked = () => scene.system.quoteCalls.map(({ guests }) => guests);
  return { ...scene, askFor, asked };
}

test('an operator that fails for one caller is asked what it has answered before, and stays in use', async () => {
  const { askFor, asked, isLeftAlone, calls, clock, system } = setUpForSmallParties(() => null);
  assert.equal((await askFor(2)).failure, null);
  for (let call = 0; call < 6; call += 1) assert.equal((await askFor(5)).failure, 'server_error');
  assert.deepEqual(
    asked(),
    [2, 5, 5, 5, 5, 2, 5, 5],
    'and the caller that made the probe got its own answer',
  );
  assert.deepEqual(system.quoteCalls[5]?.askedBy, ['assistant', 'address-5'], 'on account of its caller');
  assert.equal(calls.length, 8, 'the probe is observed');
  for (let call = 0; call < 20; call += 1) await askFor(5);
  assert.equal(isLeftAlone(), false);
  assert.equal(
    asked().filter((guests) => guests === 2).length,
    2,
    'no second probe within the time of a pause',
  );
  await clock.advance(15_000);
  await Promise.all([askFor(5), askFor(6), askFor(3)]);
  const [, , wanted] = await Promise.all([askFor(5), askFor(6), askFor(3)]);
  assert.equal(wanted?.failure, null);
  assert.equal(clock.pendingTimers, 0);
});

test('an operator that fails for what it has answered before is left alone', async () => {
  let failure: FailureKind | null = null;
  const { askFor, asked, isLeftAlone, clock } = setUpForSmallParties(() => failure);
  await askFor(2);
  failure = 'unreachable';
  for (let call = 0; call < 4; call += 1) assert.equal((await askFor(3)).failure, 'unreachable');
  assert.equal((await askFor(3)).failure, 'circuit_open');
  assert.deepEqual(asked(), [2, 3, 3, 3, 3, 2]);
  assert.equal(isLeftAlone(), true);
  failure = null;
  await clock.advance(15_000);
  assert.equal((await askFor(3)).failure, null);
});

test('a call asks its own question in the place of its probe, before a call that waits', async () => {
  const { askFor, asked } = setUpForSmallParties(() => null, { limit: 1 });
  for (const guests of [2, 5, 5, 5, 5]) await askFor(guests);
  await Promise.all([askFor(3), askFor(6)]);
  assert.deepEqual(asked().slice(5), [2, 3, 6]);
});

test('a stay that an operator rejects is no outage, and an operator that rejects the probe works', async () => {
  let failure: FailureKind | null = 'stay_rejected';
  const { askFor, asked, isLeftAlone } = setUpForSmallParties(() => failure);
  for (let call = 0; call < 20; call += 1) assert.equal((await askFor(2)).failure, 'stay_rejected');
  for (let call = 0; call < 4; call += 1) await askFor(5);
  assert.equal(isLeftAlone(), false);
  failure = null;
  await askFor(3);
  for (let call = 0; call < 20; call += 1) {
    await askFor(5);
    failure = 'stay_rejected';
  }
  assert.equal(isLeftAlone(), false);
  assert.equal(asked().filter((guests) => guests === 3).length, 2, 'a rejected stay was never the probe');
});

test('the probe is a question whose stay is still ahead, and one that was not sent says nothing', async () => {
  let failure: FailureKind | null = null;
  const { askFor, asked, isLeftAlone, clock } = setUpForSmallParties(() => failure, { keepsBudget: true });
  const today = Math.floor(clock.now() / 86_400_000);
  await askFor(2, { checkIn: today + 1 });
  for (let call = 0; call < 5; call += 1) await askFor(5);
  assert.equal(isLeftAlone(), true, 'nothing was answered that can be repeated for long');
  assert.deepEqual(asked(), [2, 5, 5, 5, 5]);
  await clock.advance(15_000);
  await askFor(3);
  for (let call = 0; call < 4; call += 1) await askFor(5);
  await clock.advance(15_000);
  await askFor(5);
  failure = 'rate_limited';
  assert.equal((await askFor(4)).failure, 'rate_limited');
  failure = null;
  assert.equal((await askFor(4)).failure, null);
  assert.deepEqual(asked().slice(-3), [3, 3, 4]);
});

/** Five calls have failed and the pause is over. What is asked from now on is answered by hand, in the order of the calls. */
async function afterThePause({ limit = 8, keepsBudget = false } = {}) {
  const answers: ((outcome: 'quoted' | FailureKind) => void)[] = [];
  let isBroken = true;
  const scene = setUp(
    ({ references }) =>
      new Promise((resolve) => {
        const answer = (outcome: 'quoted' | FailureKind) =>
          resolve(
            references.map((reference) =>
              outcome === 'quoted'
                ? quotedAt(reference, 100)
                : { kind: 'failed', reference, failure: outcome },
            ),
          );
        if (isBroken) answer('server_error');
        else answers.push(answer);
      }),
    { limit, keepsBudget },
  );
  for (let call = 0; call < 5; call += 1) await scene.ask(about('a'), never);
  await scene.clock.advance(15_000);
  isBroken = false;
  const asked = () => scene.system.quoteCalls.slice(5).map(({ references }) => references.join());
  return { ...scene, answers, asked };
}

const failuresOf = async (answers: readonly Promise<{ failure: FailureKind | null }>[]) =>
  (await Promise.all(answers)).map(({ failure }) => failure);

for (const limit of [1, 2, 8]) {
  test(`calls wait for the end of a probe and go on when it succeeds, ${limit} at a time`, async () => {
    const { ask, answers, asked, clock } = await afterThePause({ limit });
    const all = ['a', 'b', 'c'].map((reference) => ask(about(reference), never));
    await clock.advance(3000);
    assert.deepEqual(asked(), ['a'], 'never more than one probe');
    for (let call = 0; call < 3; call += 1) {
      answers[call]?.('quoted');
      await clock.settle();
    }
    assert.deepEqual(await failuresOf(all), [null, null, null]);
    assert.deepEqual(asked().sort(), ['a', 'b', 'c']);
    assert.equal(clock.pendingTimers, 0);
  });

  test(`calls that waited for a probe in vain leave the operator alone, ${limit} at a time`, async () => {
    const { ask, answers, asked, clock } = await afterThePause({ limit });
    const all = ['a', 'b', 'c'].map((reference) => ask(about(reference), never));
    await clock.advance(1000);
    answers[0]?.('server_error');
    assert.deepEqual(await failuresOf(all), ['server_error', 'circuit_open', 'circuit_open']);
    assert.deepEqual(asked(), ['a']);
    assert.equal(clock.pendingTimers, 0);
  });
}

test('nobody waits for a probe longer than for a place', async () => {
  const { ask, answers, asked, clock } = await afterThePause();
  const probe = ask(about('a'), never);
  await clock.advance(1);
  const leaving = new AbortController();
  const left = ask(about('b'), leaving.signal);
  await clock.advance(500);
  leaving.abort();
  assert.deepEqual(await failuresOf([left]), ['timeout']);
  await clock.advance(2499);
  const waiting = ask(about('c'), never);
  await clock.advance(1000);
  assert.deepEqual(await failuresOf([probe, waiting]), ['timeout', 'circuit_open']);
  assert.deepEqual(asked(), ['a']);
  assert.equal(answers.length, 1);
  assert.equal(clock.pendingTimers, 0);
});

test('a probe that everybody has left goes on for those who wait', async () => {
  const { ask, answers, asked, clock } = await afterThePause();
  const leaving = new AbortController();
  const probe = ask(about('a'), leaving.signal);
  await clock.settle();
  const waiting = ask(about('b'), never);
  await clock.settle();
  leaving.abort();
  assert.deepEqual(await failuresOf([probe]), ['timeout']);
  await clock.settle();
  assert.deepEqual(asked(), ['a']);
  answers[0]?.('quoted');
  await clock.settle();
  answers[1]?.('quoted');
  assert.deepEqual(await failuresOf([waiting]), [null]);
});

test('a probe that was not sent says nothing, so the next of those who wait makes it', async () => {
  const { ask, answers, asked, clock } = await afterThePause({ keepsBudget: true });
  const all = ['a', 'b', 'c'].map((reference) => ask(about(reference), never));
  await clock.settle();
  answers[0]?.('rate_limited');
  await clock.settle();
  assert.deepEqual(asked(), ['a', 'b'], 'never more than one probe');
  answers[1]?.('quoted');
  await clock.settle();
  answers[2]?.('quoted');
  assert.deepEqual(await failuresOf(all), ['rate_limited', null, null]);
});

test('calls that their callers abandon say nothing about the operator', async () => {
  const { ask, isLeftAlone, clock } = setUp(hangs);
  for (let call = 0; call < 10; call += 1) {
    const leaving = new AbortController();
    const answer = ask(about(`r${call}`), leaving.signal);
    await clock.settle();
    leaving.abort();
    await answer;
  }
  assert.equal(isLeftAlone(), false);
  for (let call = 0; call < 5; call += 1) ask(about(`t${call}`), never);
  await clock.advance(4100);
  assert.equal(isLeftAlone(), true, 'timeouts count');
});

test('prices of another currency are no reason to open the circuit', async () => {
  const { ask, isLeftAlone } = setUp(async ({ references }) =>
    references.map(
      (reference): QuoteOutcome => ({
        kind: 'quoted',
        reference,
        quote: { currency: 'USD', total: 100, lines: [], heldUntil: null },
      }),
    ),
  );
  for (let call = 0; call < 10; call += 1) await ask(about('a'), never);
  assert.equal(isLeftAlone(), false);
});

test('one caller that fills the gate delays another by one turn', async () => {
  const answers: (() => void)[] = [];
  const { ask, clock, system } = setUp(
    ({ references }) =>
      new Promise((resolve) => {
        answers.push(() => resolve(references.map((reference) => quotedAt(reference, 100))));
      }),
    { limit: 1, queueLimit: 100 },
  );
  for (let call = 0; call < 50; call += 1) ask(about(`g${call}`), never, ['greedy']);
  const modest = ask(about('m'), never, ['modest']);
  await clock.settle();
  for (let turn = 0; turn < 3; turn += 1) {
    answers[turn]?.();
    await clock.settle();
  }
  assert.equal((await modest).failure, null);
  assert.deepEqual(
    system.quoteCalls.map(({ references }) => references[0]),
    ['g0', 'g1', 'm', 'g2'],
  );
});

test('a shared call is made when the first of its callers would be served', async () => {
  const answers: (() => void)[] = [];
  const { ask, clock, system } = setUp(() => new Promise((resolve) => answers.push(() => resolve([]))), {
    limit: 1,
    queueLimit: 100,
  });
  for (const reference of ['g0', 'g1', 'g2', 'both', 'g3']) ask(about(reference), never, ['greedy']);
  ask(about('both'), never, ['modest']);
  await clock.settle();
  for (const turn of [0, 1]) {
    answers[turn]?.();
    await clock.settle();
  }
  assert.deepEqual(
    system.quoteCalls.map(({ references }) => references[0]),
    ['g0', 'g1', 'both'],
  );
});

test('callers that leave together are not called for one after the other', async () => {
  const { ask, calls, clock, system } = setUp(hangs, { limit: 2, queueLimit: 500 });
  const leaving = Array.from({ length: 500 }, () => new AbortController());
  const answers = leaving.map(({ signal }, number) => ask(about(`r${number}`), signal, [`${number}`]));
  await clock.settle();
  for (const client of leaving) {
    client.abort();
    // Each departure is an event of its own.
    await clock.settle();
  }
  await Promise.all(answers);
  assert.equal(system.quoteCalls.length, 2);
  assert.deepEqual(
    [...new Set(calls.flatMap(({ counts }) => [...counts.failures.keys()]))],
    ['abandoned'],
    'nothing is said about the operator',
  );
  const next = ask(about('next'), never);
  await clock.advance(4000);
  assert.equal(system.quoteCalls.length, 3, 'the places are free again');
  await clock.advance(4000);
  assert.equal((await next).failure, 'timeout');
  assert.equal(clock.pendingTimers, 0);
});

const LIMIT = 2;

/** An operator that finishes every call, whoever has hung up, with what it carries at a time and in all. */
function setUpDiligent(answerMs: () => number) {
  let carried = 0;
  const seen = { calls: 0, mostCarried: 0 };
  const scene = setUp(
    async ({ references }) => {
      seen.calls += 1;
      carried += 1;
      seen.mostCarried = Math.max(seen.mostCarried, carried);
      await new Promise<void>((resolve) => scene.clock.after(answerMs(), resolve));
      carried -= 1;
      return references.map((reference) => quotedAt(reference, 100));
    },
    { limit: LIMIT, queueLimit: 100 },
  );
  return { ...scene, seen };
}

type DiligentScene = ReturnType<typeof setUpDiligent>;

/** Callers that ask again as soon as they have left or been answered. */
async function askAgainAndAgain(
  { ask, clock }: DiligentScene,
  { callers, leaveAfterMs, forMs }: { callers: number; leaveAfterMs: number; forMs: number },
): Promise<void> {
  const end = clock.elapsed() + forMs;
  const loops = Array.from({ length: callers }, async (_, caller) => {
    for (let turn = 0; clock.elapsed() < end; turn += 1) {
      const leaving = new AbortController();
      const cancel = clock.after(leaveAfterMs, () => leaving.abort());
      await ask(about(`${caller}-${end}-${turn}`), leaving.signal, ['greedy', `${caller}`]);
      cancel();
    }
  });
  await clock.advance(forMs + leaveAfterMs);
  await Promise.all(loops);
}

const WAITING_MS = 100_000;

for (const answerMs of [50, 400, 3900]) {
  for (const leaveAfterMs of [30, 450, 1100]) {
    test(`asking and leaving after ${leaveAfterMs} ms calls an operator of ${answerMs} ms no more often than waiting`, async () => {
      const [waiting, leaving] = [setUpDiligent(() => answerMs), setUpDiligent(() => answerMs)];
      await askAgainAndAgain(waiting, { callers: 4, leaveAfterMs: WAITING_MS, forMs: 12_000 });
      await askAgainAndAgain(leaving, { callers: 4, leaveAfterMs, forMs: 12_000 });
      assert.ok(leaving.seen.calls <= waiting.seen.calls * 1.05, `${leaving.seen.calls} calls`);
      assert.ok(leaving.seen.calls >= LIMIT, 'and they do get through');
      assert.equal(leaving.seen.mostCarried, LIMIT, 'carried at a time');
    });
  }
}

test('an operator that becomes slow while everybody leaves is found out', async () => {
  let answerMs = 100;
  const scene = setUpDiligent(() => answerMs);
  await askAgainAndAgain(scene, { callers: 6, leaveAfterMs: WAITING_MS, forMs: 2000 });
  answerMs = 2000;
  await askAgainAndAgain(scene, { callers: 4, leaveAfterMs: 40, forMs: 10_000 });
  const before = scene.seen.calls;
  await askAgainAndAgain(scene, { callers: 4, leaveAfterMs: 40, forMs: 20_000 });
  const calls = scene.seen.calls - before;
  assert.ok(calls <= 1.1 * LIMIT * 10, `${calls} calls in 20 s`);
});

test('a call that takes longer than usual is not broken off: its place is free when it has ended', async () => {
  let answerMs = 100;
  const { ask, clock, seen } = setUpDiligent(() => answerMs);
  ask(about('usual'), never);
  await clock.advance(100);
  answerMs = 2000;
  const clients = [new AbortController(), new AbortController()];
  for (const [number, { signal }] of clients.entries()) ask(about(`long-${number}`), signal);
  await clock.advance(500);
  for (const client of clients) client.abort();
  ask(about('next'), never);
  await clock.advance(1499);
  assert.equal(seen.calls, 3);
  await clock.advance(1);
  assert.equal(seen.calls, 4);
});

test('a caller beside those who ask and leave gets its turn as beside those who wait', async () => {
  const scene = setUpDiligent(() => 300);
  const greedy = askAgainAndAgain(scene, { callers: 20, leaveAfterMs: 50, forMs: 7000 });
  const { clock, ask } = scene;
  const waits: number[] = [];
  const modest = (async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const askedAt = clock.elapsed();
      assert.equal((await ask(about(`modest-${turn}`), never, ['modest'])).failure, null);
      waits.push(clock.elapsed() - askedAt);
    }
  })();
  await Promise.all([greedy, modest]);
  assert.ok(Math.max(...waits) <= 2 * 300 + 100, `${Math.max(...waits)} ms`);
});

test('a call that everybody has left is left to finish while nobody knows the pace, and counts', async () => {
  const { ask, calls, clock, system } = setUp(
    async ({ references }) => {
      await new Promise<void>((resolve) => clock.after(700, resolve));
      return references.map((reference) => quotedAt(reference, 100));
    },
    { limit: 1 },
  );
  const leaveAtOnce = async (reference: string) => {
    const leaving = new AbortController();
    const answer = ask(about(reference), leaving.signal);
    await clock.settle();
    leaving.abort();
    assert.equal((await answer).failure, 'timeout');
  };
  await leaveAtOnce('first');
  const next = ask(about('next'), never);
  await clock.advance(699);
  assert.equal(system.quoteCalls.length, 1);
  await clock.advance(1);
  assert.equal(system.quoteCalls.length, 2, 'when it has finished, its place is free');
  await clock.advance(700);
  await next;
  await leaveAtOnce('third');
  ask(about('fourth'), never);
  await clock.advance(699);
  assert.equal(system.quoteCalls.length, 3);
  await clock.advance(1);
  assert.equal(system.quoteCalls.length, 4);
  assert.deepEqual(
    calls.map(({ milliseconds, counts }) => [milliseconds, counts.quoted, [...counts.failures.keys()]]),
    [
      [700, 1, []],
      [1400, 1, []],
      [0, 0, ['abandoned']],
    ],
  );
});

test('whoever leaves last learns when the operator is no longer busy with the call', async () => {
  const { ask, clock } = setUp(async ({ references }) => {
    await new Promise<void>((resolve) => clock.after(700, resolve));
    return references.map((reference) => quotedAt(reference, 100));
  });
  const leave = async (reference: string) => {
    const leaving = new AbortController();
    let ended = false;
    const answer = ask(about(reference), leaving.signal, [], (call) => {
      call.then(() => {
        ended = true;
      });
    });
    await clock.advance(100);
    leaving.abort();
    await answer;
    return () => ended;
  };
  const toFinish = await leave('left to finish');
  await clock.advance(599);
  assert.equal(toFinish(), false);
  await clock.advance(1);
  assert.equal(toFinish(), true);
  const brokenOff = await leave('broken off');
  await clock.advance(599);
  assert.equal(brokenOff(), false, 'an operator may not notice that it was broken off');
  await clock.advance(1);
  assert.equal(brokenOff(), true);
  assert.equal(clock.pendingTimers, 0);
});

test('nobody is called for by a place that became free as everybody left', async () => {
  const { ask, clock, system } = setUp(async () => [], { limit: 1 });
  const leaving = new AbortController();
  const answer = ask(about('a'), leaving.signal);
  leaving.abort();
  await answer;
  await clock.settle();
  assert.equal(system.quoteCalls.length, 0);
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

test('nothing is known before the first call has ended, and its time is taken as it is', () => {
  const pace = createAnswerPace(createFakeClock(0));
  assert.equal(pace.usualMs(), null);
  pace.note(800);
  assert.equal(pace.usualMs(), 800);
});

test('the pace follows the calls, and a single slow one moves it a little', () => {
  const pace = createAnswerPace(createFakeClock(0));
  pace.note(100);
  pace.note(900);
  assert.equal(pace.usualMs(), 200);
  for (let call = 0; call < 50; call += 1) pace.note(900);
  assert.ok(Math.abs((pace.usualMs() ?? 0) - 900) < 5);
});

test('an old pace is forgotten, whatever the wall clock says, and has no part in the next one', async () => {
  const clock = createFakeClock(0);
  const pace = createAnswerPace(clock);
  pace.note(100);
  clock.stepWallClock(7_200_000);
  await clock.advance(4999);
  assert.equal(pace.usualMs(), 100);
  await clock.advance(1);
  assert.equal(pace.usualMs(), null);
  pace.note(3000);
  assert.equal(pace.usualMs(), 3000);
});

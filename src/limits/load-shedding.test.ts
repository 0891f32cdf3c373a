import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Admission, createLoadShedder, type WorkKind } from './load-shedding.ts';

const KINDS: readonly WorkKind[] = ['search', 'auth', 'read'];
/** Without names there are no shares, only the limits. */
const NOBODY: readonly string[] = [];

function setUp({ maxInFlight = 10, lag = 0 } = {}) {
  const shed: WorkKind[] = [];
  const state = { lag };
  const shedder = createLoadShedder({
    maxInFlight,
    maxLagMs: 200,
    lag: () => state.lag,
    onShed: (kind) => shed.push(kind),
  });
  const admits = (kind: WorkKind) => {
    const admission = shedder.admit(kind, NOBODY);
    if (admission.kind === 'admitted') admission.release();
    return admission.kind === 'admitted';
  };
  return { shedder, shed, state, admitted: () => KINDS.filter(admits) };
}

function releaseOf(admission: Admission): () => void {
  assert.ok(admission.kind === 'admitted');
  return admission.release;
}

test('searches are shed first, then auths, and reads long after', () => {
  const { shedder, admitted } = setUp();
  const expected: readonly (readonly [number, readonly WorkKind[]])[] = [
    [9, ['search', 'auth', 'read']],
    [10, ['auth', 'read']],
    [14, ['auth', 'read']],
    [15, ['read']],
    [39, ['read']],
    [40, []],
  ];
  for (const [inFlight, kinds] of expected) {
    while (shedder.inFlight < inFlight) releaseOf(shedder.admit('read', NOBODY));
    assert.deepEqual(admitted(), kinds, `${inFlight} in flight`);
  }
});

test('a refusal says when to retry: sooner at lower load, never after more than ten seconds', () => {
  const { shedder, state, shed } = setUp({ lag: 200 });
  assert.deepEqual(shedder.admit('search', NOBODY), { kind: 'shed', retryAfterSeconds: 1 });
  state.lag = 500;
  assert.deepEqual(shedder.admit('auth', NOBODY), { kind: 'shed', retryAfterSeconds: 3 });
  state.lag = 1_000_000;
  assert.deepEqual(shedder.admit('read', NOBODY), { kind: 'shed', retryAfterSeconds: 10 });
  assert.deepEqual(shed, ['search', 'auth', 'read']);
});

test('in any order of requests, the count is what is in flight and no limit is exceeded', () => {
  const event = fc.oneof(fc.constantFrom(...KINDS), fc.constant('end' as const));
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 200 }),
      fc.integer({ min: 1, max: 8 }),
      (events, maxInFlight) => {
        const { shedder } = setUp({ maxInFlight });
        const underWay: (() => void)[] = [];
        for (const now of events) {
          if (now === 'end') underWay.shift()?.();
          else {
            const admission = shedder.admit(now, NOBODY);
            if (admission.kind === 'admitted') underWay.push(admission.release);
          }
          assert.equal(shedder.inFlight, underWay.length);
          assert.ok(shedder.inFlight <= maxInFlight * 4);
        }
      },
    ),
  );
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  BREAKER_RULE,
  type BreakerListener,
  type CallResult,
  type GuardedOperator,
} from './circuit-breaker.ts';

/** Two nodes that ask one operator; of a process that is alone, its breaker twice. */
export type BreakerStage = {
  readonly nodes: readonly [GuardedOperator, GuardedOperator];
  pass(milliseconds: number): Promise<void>;
};

export function circuitBreakerContract(
  name: string,
  open: (onBreaker: BreakerListener, t: TestContext) => Promise<BreakerStage>,
  { skip = false as string | false } = {},
): void {
  async function setUp(t: TestContext) {
    const states: string[] = [];
    const { nodes, pass } = await open((state, forMs) => {
      const told = forMs > 0 ? `${state} for ${Math.ceil(forMs / 1000)} s` : state;
      if (states.at(-1) !== told) states.push(told);
    }, t);
    const admit = (node: 0 | 1, caller = 'one 192.0.2.1') => nodes[node].admit(caller.split(' '));
    const call = async (node: 0 | 1, result: CallResult, caller?: string) => {
      const admission = await admit(node, caller);
      if (admission.kind === 'entered') {
        await admission.report(result);
        admission.leave();
      }
      return admission.kind;
    };
    const failOften = async () => {
      for (let time = 0; time < BREAKER_RULE.failures; time += 1)
        await call(time % 2 === 0 ? 0 : 1, 'failed');
    };
    return { states, pass, admit, call, failOften };
  }

  describe(`the circuit breaker: ${name}`, { skip }, () => {
    it('opens after failures in a row, for the callers of an assistant that were never answered, on all nodes', async (t) => {
      const { states, call, failOften } = await setUp(t);
      assert.equal(await call(1, 'succeeded', 'one 192.0.2.9'), 'entered');
      for (let time = 1; time < BREAKER_RULE.failures; time += 1) await call(0, 'failed');
      await call(0, 'abandoned');
      await failOften();
      for (const caller of ['one 192.0.2.1', 'one 192.0.2.2']) {
        assert.deepEqual(
          [await call(0, 'failed', caller), await call(1, 'failed', caller)],
          ['refused', 'refused'],
        );
      }
      for (const caller of ['one 192.0.2.9', 'other 192.0.2.1']) {
        assert.equal(await call(0, 'succeeded', caller), 'entered');
      }
      assert.ok(states.includes(`open for ${BREAKER_RULE.openMs / 1000} s`));
    });

    it('opens for a caller that was answered when only its own calls fail', async (t) => {
      const { call, failOften } = await setUp(t);
      await call(0, 'succeeded');
      for (let time = 1; time < BREAKER_RULE.failures; time += 1) await call(0, 'failed');
      await call(1, 'succeeded');
      assert.equal(await call(0, 'failed'), 'entered', 'an answer begins the count anew');
      await failOften();
      assert.equal(await call(1, 'failed'), 'refused');
      assert.equal(await call(1, 'failed', 'one 192.0.2.2'), 'entered');
    });

    for (const [result, after] of [
      ['succeeded', 'entered'],
      ['failed', 'refused'],
      ['abandoned', 'entered'],
    ] as const) {
      it(`sends one probe from all nodes, and when that has ${result} the next call is ${after}`, async (t) => {
        const { pass, admit, call, failOften } = await setUp(t);
        const late = await admit(0);
        await failOften();
        await pass(BREAKER_RULE.openMs);
        const probe = await admit(0);
        assert.ok(probe.kind === 'entered' && late.kind === 'entered');
        assert.deepEqual([(await admit(0)).kind, (await admit(1)).kind], ['full', 'full']);
        // Its call began before the breaker opened.
        await late.report('failed');
        assert.equal((await admit(1)).kind, 'full');
        await probe.report(result);
        probe.leave();
        await pass(0);
        assert.equal(await call(1, 'abandoned'), after);
      });
    }
  });
}

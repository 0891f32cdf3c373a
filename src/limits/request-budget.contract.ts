import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { scaledCases } from '../../test/support/property-cases.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';
import type { Permit, RequestBudget, TurnOptions } from './request-budget.ts';
import type { CallUrgency, RateWindow } from './window-count.ts';

/** Two nodes with one account; of a process that is alone, its budget twice. */
export type BudgetStage = {
  readonly nodes: readonly [RequestBudget, RequestBudget];
  elapsed(): number;
  /** Lets time pass, and all that is under way come to its end. */
  pass(milliseconds: number): Promise<void>;
  /** The first node ends without a word. Left out where it cannot end alone. */
  readonly endFirst?: () => Promise<void>;
};

export type BudgetTerms = { readonly windows: readonly RateWindow[]; readonly maxInFlight: number };

type Node = 0 | 1;

const patient = new AbortController().signal;
const ANY = Number.POSITIVE_INFINITY;
const MINUTE_MS = 60_000;

export function requestBudgetContract(
  name: string,
  open: (terms: BudgetTerms, t: TestContext) => Promise<BudgetStage>,
  { skip = false as string | false, canEndAlone = true, runs = 20 } = {},
): void {
  describe(`the budget of an account: ${name}`, { skip }, () => {
    it('is never overspent, and background calls leave their part of it, whatever nodes do', async (t) => {
      const call = fc.record({
        node: fc.constantFrom<Node>(0, 1),
        urgency: fc.constantFrom<CallUrgency>('live', 'background'),
        afterMs: fc.nat(300),
        takesMs: fc.nat(400),
      });
      const terms = fc.record({
        windows: fc.uniqueArray(
          fc.record({
            requests: fc.integer({ min: 1, max: 8 }),
            perMs: fc.constantFrom(500, 1000, 3000),
          }),
          { minLength: 1, maxLength: 2, selector: ({ perMs }) => perMs },
        ),
        maxInFlight: fc.constantFrom(ANY, 1, 3),
      });
      await fc.assert(
        fc.asyncProperty(terms, fc.array(call, { minLength: 1, maxLength: 15 }), async (given, calls) => {
          const { nodes, elapsed, pass } = await open(given, t);
          const flying = new Map<Permit, number>();
          const ends: number[] = [];
          const faults: string[] = [];
          const begin = (permit: Permit, urgency: CallUrgency, takesMs: number) => {
            for (const { requests, perMs } of given.windows) {
              const counted = ends.filter((at) => at > elapsed() - perMs).length + flying.size + 1;
              const kept = urgency === 'live' ? 0 : Math.ceil(requests / 4);
              if (counted > Math.max(1, requests - kept))
                faults.push(`${counted} of ${requests}, ${urgency}`);
            }
            flying.set(permit, elapsed() + takesMs);
            if (flying.size > given.maxInFlight) faults.push(`${flying.size} under way`);
          };
          let begun = 0;
          const step = async () => {
            for (const [permit, until] of flying) {
              if (until > elapsed()) continue;
              flying.delete(permit);
              ends.push(elapsed());
              permit.done();
            }
            await pass(50);
          };
          for (const { node, urgency, afterMs, takesMs } of calls) {
            nodes[node].take(turn(urgency)).then((permit) => {
              begun += 1;
              begin(permit, urgency, takesMs);
            });
            for (let passed = 0; passed < afterMs; passed += 50) await step();
          }
          for (const end = elapsed() + 10 * MINUTE_MS; elapsed() < end && begun < calls.length; )
            await step();
          assert.equal(begun, calls.length, 'each has its turn');
          while (flying.size > 0) await step();
          assert.deepEqual(faults, []);
        }),
        { numRuns: scaledCases(runs) },
      );
    });

    it('counts what calls have cost on any node', async (t) => {
      const stage = await open({ windows: [{ requests: 10, perMs: 10_000 }], maxInFlight: ANY }, t);
      (await next(stage, 0, 'live')).done(6.5);
      (await next(stage, 1, 'live')).done(2);
      (await next(stage, 1, 'live')).done(1);
      const refused = assert.rejects(
        stage.nodes[0].take({ ...turn('live'), withinMs: 5000 }),
        (error) => error instanceof BookingSystemFailure && error.kind === 'rate_limited',
      );
      await stage.pass(1000);
      await refused;
      const startedAt = stage.elapsed();
      await next(stage, 1, 'live');
      const waitedMs = stage.elapsed() - startedAt;
      assert.ok(waitedMs > 8000 && waitedMs < 10_000, `${waitedMs}`);
    });

    it('leaves an assistant its share while another one asks from more addresses than a window has requests', async (t) => {
      const stage = await open({ windows: [{ requests: 80, perMs: 10_000 }], maxInFlight: ANY }, t);
      const had = { many: 0, one: 0 };
      const ask = (node: Node, assistant: 'many' | 'one', address: string) => {
        const options = { ...turn('live'), withinMs: 500, askedBy: [assistant, address] };
        stage.nodes[node].take(options).then(
          (permit) => {
            permit.done();
            had[assistant] += 1;
          },
          () => undefined,
        );
      };
      for (let round = 1; round <= 8; round += 1) {
        for (let address = 0; address < 100; address += 1)
          ask(address % 2 === 0 ? 0 : 1, 'many', `${address}`);
        await stage.pass(1000);
        ask(1, 'one', 'address');
        await stage.pass(1500);
        assert.equal(had.one, round);
      }
      assert.ok(had.many > 100, `${had.many} is not its share of two windows`);
    });

    it('pauses on all nodes when one does', async (t) => {
      const stage = await open({ windows: [{ requests: 100, perMs: 1000 }], maxInFlight: ANY }, t);
      stage.nodes[0].pause(5000);
      await stage.pass(0);
      const startedAt = stage.elapsed();
      await next(stage, 1, 'live');
      assert.ok(stage.elapsed() - startedAt >= 4900);
    });

    it('gives nothing to one that has gone', async (t) => {
      const stage = await open({ windows: [{ requests: 1, perMs: MINUTE_MS }], maxInFlight: 1 }, t);
      const gone = new AbortController();
      const first = await next(stage, 0, 'live');
      const leaving = assert.rejects(stage.nodes[0].take({ ...turn('live'), signal: gone.signal }), /gone/);
      await stage.pass(500);
      gone.abort(new Error('gone'));
      await leaving;
      first.done(0);
      await stage.pass(500);
      await next(stage, 1, 'live');
    });

    it('counts what a node had under way that ends, and frees its place', {
      skip: !canEndAlone,
    }, async (t) => {
      const stage = await open({ windows: [{ requests: 2, perMs: 20_000 }], maxInFlight: 1 }, t);
      await next(stage, 0, 'live');
      await stage.endFirst?.();
      const startedAt = stage.elapsed();
      (await next(stage, 1, 'live')).done();
      assert.ok(stage.elapsed() - startedAt <= 16_000, 'the place is free again');
      await next(stage, 1, 'live');
      assert.ok(stage.elapsed() - startedAt >= 35_000, 'both count');
    });
  });
}

function turn(urgency: CallUrgency): TurnOptions {
  return { urgency, withinMs: 60 * MINUTE_MS, signal: patient };
}

/** The permit of one call, however long it waits. */
async function next({ nodes, pass }: BudgetStage, node: Node, urgency: CallUrgency): Promise<Permit> {
  let permit: Permit | undefined;
  nodes[node].take(turn(urgency)).then((given) => {
    permit = given;
  });
  while (!permit) await pass(100);
  return permit;
}

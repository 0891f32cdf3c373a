import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Line } from '../limits/fair-queue.ts';
import type { QuoteRequest } from './booking-system.ts';
import type { CallEntrance, CallEntry } from './call-entrance.ts';
import { BREAKER_RULE, type CallResult, PROBE_TURN_MS } from './circuit-breaker.ts';

/** Two nodes that ask one operator; of a process that is alone, its entrance twice. */
export type EntranceStage = {
  readonly nodes: readonly [CallEntrance, CallEntrance];
  /** Lets time pass, and all that is under way come to its end. */
  pass(milliseconds: number): Promise<void>;
  /** The first node ends without a word. Left out where it cannot end alone. */
  readonly endFirst?: () => Promise<void>;
};

export type EntranceTerms = {
  readonly limit: number;
  readonly reservesLast?: boolean;
  readonly maxWaitMs: number;
  readonly maxPlaceMs: number;
};

const QUESTION = { references: ['a'], checkIn: 40_000, checkOut: 40_003, guests: 2, currency: 'EUR' };
const TERMS: EntranceTerms = { limit: 3, maxWaitMs: 60_000, maxPlaceMs: 10_000 };
const patient = new AbortController().signal;

export function callEntranceContract(
  name: string,
  open: (terms: EntranceTerms, t: TestContext) => Promise<EntranceStage>,
  { skip = false as string | false, canEndAlone = true } = {},
): void {
  describe(`the entrance of calls: ${name}`, { skip }, () => {
    it('lets no more calls in than the operator may have, whichever node they come from', async (t) => {
      const { nodes, pass } = await open(TERMS, t);
      const inside: CallEntry[] = [];
      const calls = Array.from({ length: 5 }, () => nodes).flat();
      for (const node of calls) enter(node).then((entry) => inside.push(entry));
      for (let waiting = calls.length - TERMS.limit; waiting >= 0; waiting -= 1) {
        await pass(1000);
        assert.equal(inside.length, TERMS.limit, `${waiting} wait`);
        end(inside.shift(), 'succeeded');
      }
    });

    for (const [who, limit, many, modest] of [
      ['a caller', 3, () => ['assistant', '192.0.2.1'], ['assistant', '192.0.2.2']],
      ['an assistant', 3, (call: number) => ['greedy', `192.0.2.${call}`], ['modest', '198.51.100.1']],
      ['an assistant', 1, (call: number) => ['greedy', `192.0.2.${call}`], ['modest', '198.51.100.1']],
    ] as const) {
      it(`lets in ${who} that has none of ${limit} places after one turn of another, which waits at both nodes`, async (t) => {
        const stage = await open({ ...TERMS, limit }, t);
        const inside: CallEntry[] = [];
        for (const [call, node] of Array.from({ length: 30 }, () => stage.nodes)
          .flat()
          .entries()) {
          enter(node, many(call)).then((entry) => inside.push(entry));
        }
        for (let round = 0; round < 8; round += 1) {
          let own: CallEntry | undefined;
          enter(stage.nodes[1], modest).then((entry) => {
            own = entry;
          });
          await stage.pass(1000);
          for (let turn = 0; turn < 2; turn += 1) {
            end(inside.shift(), 'succeeded');
            await stage.pass(1000);
          }
          assert.equal(own?.kind, 'entered', `round ${round}`);
          end(own, 'succeeded');
          await stage.pass(1000);
          assert.equal(inside.length, limit, 'and no place stays empty');
        }
      });
    }

    it('keeps the last place for a caller that has none, whichever node it comes to', async (t) => {
      const stage = await open({ ...TERMS, reservesLast: true }, t);
      const inside: CallEntry[] = [];
      for (const node of [...stage.nodes, ...stage.nodes]) {
        enter(node, ['assistant', '192.0.2.1']).then((entry) => inside.push(entry));
      }
      await stage.pass(1000);
      assert.equal(inside.length, TERMS.limit - 1);
      enter(stage.nodes[1], ['assistant', '192.0.2.2']).then((entry) => inside.push(entry));
      await stage.pass(0);
      assert.equal(inside.length, TERMS.limit);
      for (let ended = 0; ended < 5; ended += 1) {
        end(inside.shift(), 'succeeded');
        await stage.pass(1000);
      }
    });

    it('leaves an operator alone that fails for both, and tells both', async (t) => {
      const stage = await open(TERMS, t);
      await fail(stage, 0, BREAKER_RULE.minCalls - 2);
      await fail(stage, 1, 1);
      assert.equal((await next(stage, 0)).kind, 'entered');
      await fail(stage, 1, 1);
      for (const node of [0, 1] as const) {
        assert.deepEqual(await next(stage, node), { kind: 'kept_out', failure: 'circuit_open' });
        assert.ok(stage.nodes[node].refuses());
      }
      await stage.pass(BREAKER_RULE.openMs);
      for (const node of stage.nodes) assert.ok(!node.refuses());
    });

    it('leaves it alone from the failure on that was one too many', async (t) => {
      const stage = await open(TERMS, t);
      await fail(stage, 1, BREAKER_RULE.minCalls - 1);
      const entry = await next(stage, 0);
      assert.ok(entry.kind === 'entered');
      assert.ok(!stage.nodes[0].refuses());
      await entry.report('failed');
      assert.ok(stage.nodes[0].refuses(), 'and whoever had it can say so');
      entry.leave();
    });

    for (const result of ['succeeded', 'failed', 'abandoned'] as const) {
      it(`sends one probe from all nodes, and then: ${result}`, async (t) => {
        const stage = await open({ ...TERMS, limit: 8 }, t);
        await fail(stage, 0, BREAKER_RULE.minCalls);
        await stage.pass(BREAKER_RULE.openMs);
        const entries: CallEntry[] = [];
        const calls = stage.nodes.flatMap((node) =>
          Array.from({ length: 3 }, async () => entries.push(await enter(node))),
        );
        await stage.pass(1000);
        assert.deepEqual(
          entries.map(({ kind }) => kind),
          ['entered'],
        );
        end(entries[0], result);
        await stage.pass(1000);
        const others = entries.slice(1).map((entry) => (entry.kind === 'entered' ? 'in' : entry.failure));
        if (result === 'succeeded') assert.deepEqual(others, Array(5).fill('in'));
        if (result === 'failed') assert.deepEqual(others, Array(5).fill('circuit_open'));
        if (result === 'abandoned') assert.deepEqual(others, ['in'], 'the next probe');
        while (entries.length < calls.length) {
          for (const entry of entries.slice(1)) end(entry, 'succeeded');
          await stage.pass(1000);
        }
        await Promise.all(calls);
      });
    }

    it('repeats the oldest question that any node had an answer to before it leaves an operator alone', async (t) => {
      const stage = await open(TERMS, t);
      const past = Array.from({ length: 8 }, (_, at) => [`past ${at % 2}`, `192.0.2.${at}`] as const);
      const callers = [...past, ['one', '192.0.2.1'], ['one', '192.0.2.2'], ['two', '192.0.2.1']] as const;
      for (const [caller, line] of [...callers, ...callers].entries()) {
        const checkIn = line[0].startsWith('past') ? 0 : QUESTION.checkIn;
        end(await next(stage, 0, line), 'succeeded', { ...QUESTION, checkIn, guests: caller, askedBy: line });
      }
      await fail(stage, 1, 2 * callers.length);
      const repeat = async (result: CallResult, guests?: number, line: Line = []) => {
        const entry = await next(stage, 1, line);
        assert.ok(entry.kind === 'entered');
        assert.equal(entry.probe?.guests, guests);
        const answered = { ...QUESTION, guests: guests ?? 1, askedBy: line };
        end(entry, result, result === 'succeeded' && !entry.probe ? answered : undefined);
        await stage.pass(0);
      };
      const leftAlone = async () => {
        assert.deepEqual(await next(stage, 0), { kind: 'kept_out', failure: 'circuit_open' });
        await stage.pass(BREAKER_RULE.openMs);
      };
      await repeat('failed', 8);
      await leftAlone();
      await repeat('succeeded', 9);
      await fail(stage, 1, 4 * BREAKER_RULE.minCalls);
      await stage.pass(BREAKER_RULE.openMs - 1000);
      const doubted = await next(stage, 0);
      assert.ok(doubted.kind === 'entered' && doubted.probe === null, 'not again within the time of a pause');
      end(doubted, 'abandoned');
      await stage.pass(1000);
      await fail(stage, 1, 1);
      for (const guests of [9, 10, 8, undefined, 9]) {
        await repeat('failed', guests);
        await leftAlone();
      }
    });

    it('lets others try before a caller whose own question has failed, where there is none to repeat', async (t) => {
      const stage = await open(TERMS, t);
      await fail(stage, 0, BREAKER_RULE.minCalls);
      await stage.pass(BREAKER_RULE.openMs);
      const [greedy, neighbour, modest] = [
        ['one', '192.0.2.1'],
        ['one', '192.0.2.2'],
        ['two', '192.0.2.1'],
      ];
      end(await next(stage, 0, greedy), 'failed');
      await stage.pass(BREAKER_RULE.openMs);
      for (const line of [greedy, neighbour]) {
        assert.deepEqual(await next(stage, 0, line), { kind: 'kept_out', failure: 'circuit_open' });
      }
      end(await next(stage, 1, modest), 'abandoned');
      await stage.pass(PROBE_TURN_MS);
      assert.equal((await next(stage, 0, greedy)).kind, 'kept_out');
      end(await next(stage, 0, neighbour), 'abandoned');
      await stage.pass(PROBE_TURN_MS);
      end(await next(stage, 0, greedy), 'succeeded');
    });

    it('keeps the next place for a caller without one, also when the call before makes the operator doubted', async (t) => {
      const stage = await open({ ...TERMS, limit: 1 }, t);
      const [greedy, modest] = [
        ['greedy', '192.0.2.1'],
        ['modest', '192.0.2.1'],
      ];
      end(await next(stage, 0, greedy), 'succeeded', { ...QUESTION, askedBy: greedy });
      await stage.pass(BREAKER_RULE.windowSeconds * 1000);
      for (let call = 0; call < BREAKER_RULE.minCalls - 1; call += 1)
        end(await next(stage, 0, greedy), 'failed');
      const last = await next(stage, 0, greedy);
      const entered: string[] = [];
      const own = enter(stage.nodes[1], modest).then(async (entry) => {
        entered.push('modest');
        return entry;
      });
      await stage.pass(1000);
      assert.ok(last.kind === 'entered');
      await last.report('failed');
      last.leave();
      enter(stage.nodes[0], greedy).then((entry) => {
        entered.push('greedy');
        end(entry, 'abandoned');
      });
      await stage.pass(1000);
      assert.deepEqual(entered, ['modest']);
      end(await own, 'succeeded');
      await stage.pass(1000);
      assert.deepEqual(entered, ['modest', 'greedy']);
    });

    it('keeps a call out that finds no place in time', async (t) => {
      const stage = await open({ ...TERMS, limit: 1, maxWaitMs: 500 }, t);
      const call = await next(stage, 0);
      assert.deepEqual(await next(stage, 1), { kind: 'kept_out', failure: 'overloaded' });
      end(call, 'succeeded');
      await stage.pass(0);
      assert.equal((await next(stage, 1)).kind, 'entered');
    });

    it('frees the places and the probe of a node that ends', { skip: !canEndAlone }, async (t) => {
      const stage = await open({ ...TERMS, limit: 1 }, t);
      await fail(stage, 0, BREAKER_RULE.minCalls);
      await stage.pass(BREAKER_RULE.openMs);
      assert.equal((await next(stage, 0)).kind, 'entered');
      await stage.endFirst?.();
      const entries: CallEntry[] = [];
      const call = enter(stage.nodes[1]).then((entry) => entries.push(entry));
      await stage.pass(TERMS.maxPlaceMs - 1000);
      assert.equal(entries.length, 0);
      await stage.pass(2000);
      assert.equal(entries[0]?.kind, 'entered');
      await call;
    });
  });
}

async function enter(entrance: CallEntrance, line: Line = []): Promise<CallEntry> {
  if (entrance.refuses()) return { kind: 'kept_out', failure: 'circuit_open' };
  return entrance.enterAtOnce(line) ?? entrance.enter(patient, { follow: (join) => join(line) });
}

function end(entry: CallEntry | undefined, result: CallResult, answered?: QuoteRequest): void {
  if (entry?.kind !== 'entered') return;
  entry.report(result, answered);
  entry.leave();
}

/** The entry of one call, however long it waits. */
async function next({ nodes, pass }: EntranceStage, node: 0 | 1, line?: Line): Promise<CallEntry> {
  let entry: CallEntry | undefined;
  enter(nodes[node], line).then((given) => {
    entry = given;
  });
  while (!entry) await pass(20);
  return entry;
}

async function fail(stage: EntranceStage, node: 0 | 1, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) end(await next(stage, node), 'failed');
  await stage.pass(0);
}

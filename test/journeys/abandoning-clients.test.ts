import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOf } from '../../src/contract/exchange.ts';
import { ClientGone, type WaitingClient } from '../../src/limits/deadline.ts';
import { valid } from '../../src/parsing/reading.ts';
import { type OperationAnswer, operationRequest } from '../../src/requests/serve-operation.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';

// Clients that leave at any moment and come back with the same key. Whatever they interrupt, each request is carried out once,
// as a whole, and the last answer tells what stands.

const CALLER = { assistant: 'local', address: '127.0.0.1' };

/** Leaves after so many turns of the event loop, or stays. */
function clientFor(turns: number | null): WaitingClient {
  const departure = new AbortController();
  const leaveAfter = (left: number) => {
    if (left === 0) departure.abort(new ClientGone());
    else setImmediate(() => leaveAfter(left - 1));
  };
  if (turns !== null) leaveAfter(turns);
  return { hasGone: () => departure.signal.aborted, departure: () => departure.signal };
}

const values = fc.constantFrom<Record<string, string>>(
  { guests: '2' },
  { guests: '3' },
  { destination: 'lisbon-pt' },
  { destination: 'porto-pt' },
  { ...STAY },
  { ...STAY, guests: '1' },
);
const visit = fc.record({ values, leavesAfter: fc.option(fc.nat(12)), pause: fc.nat(4) });

test('clients that leave and come back lose nothing and double nothing', async (t) => {
  const operator = await startScriptedOperator();
  quoteTruthfully(operator);
  operator.properties = [property('a'), property('b', { place: 'porto-pt', location: 'Ribeira, Porto' })];
  const storage = await openMemoryStorage({ directory: '', rateRule: { limit: 1e6, windowMs: 60_000 } });
  /** How often a request was written, by its key. */
  const written = new Map<string, number>();
  const counting: Storage = {
    ...storage,
    sessions: {
      ...storage.sessions,
      async commit(change) {
        // A store takes a moment, in which a client can leave.
        await new Promise((resolve) => setImmediate(resolve));
        const outcome = await storage.sessions.commit(change);
        const id = change.usedKey?.id;
        if (outcome.kind === 'committed' && id) written.set(id, (written.get(id) ?? 0) + 1);
        return outcome;
      },
    },
  };
  const service = await startTestService({
    network: networkFile([brandEntry('acme', operator.origin)]),
    storage: counting,
  });
  t.after(async () => {
    await service.close();
    await operator.close();
  });
  const call = (
    operation: 'openSession' | 'search',
    sent: object,
    { token, key, client }: { token?: string; key?: string; client?: WaitingClient },
  ): Promise<OperationAnswer> =>
    service.serveOperation(
      operationRequest({
        id: 'call',
        operation,
        caller: CALLER,
        token,
        keys: key === undefined ? [] : [key],
        versions: [],
        values: valid(new Map(Object.entries(sent))),
        method: 'POST',
        ...(client ? { client } : {}),
      }),
    );
  const bodyOf = (answer: OperationAnswer) => JSON.parse(Buffer.from(textOf(answer)).toString());
  let interrupted = 0;
  let late = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 8 }), async (visits) => {
      written.clear();
      const token: string = bodyOf(await call('openSession', {}, {})).session;
      const before = await Promise.all(
        visits.map(async (one, number) => {
          for (let turn = 0; turn < one.pause; turn += 1) await new Promise((next) => setImmediate(next));
          const client = clientFor(one.leavesAfter);
          try {
            const answer = await call('search', one.values, { token, key: `k${number}`, client });
            assert.ok(answer.error === null || answer.error === 'incomplete_payload', `${answer.error}`);
            if (client.hasGone()) late += 1;
            return 'answered';
          } catch (fault) {
            assert.ok(fault instanceof ClientGone && one.leavesAfter !== null);
            return 'gone';
          }
        }),
      );
      // Places of abandoned calls rest for a moment.
      await service.time.pass(100);
      const writtenBefore = written.size;
      assert.ok(writtenBefore >= before.filter((end) => end === 'answered').length);
      // Everybody asks again, as a client does that got no answer, one after the other.
      let executed = 0;
      for (const [number, one] of visits.entries()) {
        const answer = await call('search', one.values, { token, key: `k${number}` });
        assert.ok(answer.error === null || answer.error === 'incomplete_payload', `${answer.error}`);
        if (before[number] === 'answered') assert.equal(answer.replayed, true, 'carried out twice');
        if (!answer.replayed) {
          executed += 1;
          const { received, query } = bodyOf(answer);
          for (const [field, value] of Object.entries(one.values)) {
            if (field in (received ?? {})) assert.equal(received[field], value);
            else if (field in (query ?? {})) assert.equal(String(query[field]), value);
          }
        }
      }
      interrupted += executed;
      assert.equal(executed, visits.length - writtenBefore, 'what was not written is carried out now');
      assert.deepEqual(
        [...written.values()],
        visits.map(() => 1),
      );
      assert.match(await service.metrics.render(), /^staywire_http_requests_in_flight 0$/m);
    }),
  );
  assert.ok(interrupted > 0, 'some were interrupted before they were written');
  assert.ok(late > 0, 'some were written although their client had gone');
});

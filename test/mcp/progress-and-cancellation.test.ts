import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { postRequest, sendAndLeave } from '../support/leaving-client.ts';
import {
  type ClientTransport,
  callTool,
  connectMcp,
  REVISIONS,
  type Revision,
  startStays,
} from '../support/mcp-client.ts';

const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const USUAL_MS = 5000;

describe('progress of a search', () => {
  for (const revision of REVISIONS) {
    it(`grows and comes before the result in MCP ${revision}`, async (t) => {
      const { origin } = await startStays(t);
      const client = await connectMcp(t, { origin, revision });
      await client.listTools();
      const reports: { progress: number; message?: string | undefined }[] = [];
      let isAnswered = false;
      const { answer } = await callTool(
        client,
        'search_stays',
        { ...STAY, amenities: ['pool', 'sauna'] },
        {
          onprogress: ({ progress, message }) => {
            assert.equal(isAnswered, false, 'nothing comes after the result');
            reports.push({ progress, message });
          },
        },
      );
      isAnswered = true;
      assert.equal(answer.comparison.options.length, 2);
      assert.deepEqual(reports, [
        { progress: 1, message: '0 of 1 booking systems have answered' },
        { progress: 2, message: '1 of 1 booking systems have answered' },
      ]);
    });
  }
});

describe('a search that its client gives up', () => {
  const ways: readonly (readonly [Revision, ClientTransport, 'heard' | 'unheard'])[] = [
    ['2026-07-28', 'http', 'unheard'],
    ['2026-07-28', 'http', 'heard'],
    ['2026-07-28', 'stdio', 'unheard'],
    ['2025-11-25', 'stdio', 'unheard'],
  ];
  for (const [revision, transport, hearing] of ways) {
    it(`asks the operators no longer: MCP ${revision} over ${transport}, progress ${hearing}`, async (t) => {
      const stays = await startSlowStays(t);
      const client = await connectMcp(t, { origin: stays.origin, revision, transport });
      await client.listTools();
      await stays.answerAfterAWhile(callTool(client, 'search_stays', STAY));

      const leaving = new AbortController();
      const heard = Promise.withResolvers<void>();
      const call = callTool(
        client,
        'search_stays',
        { ...STAY, guests: 3 },
        {
          signal: leaving.signal,
          ...(hearing === 'heard' ? { onprogress: () => heard.resolve() } : {}),
        },
      );
      const { response } = await stays.nextCall();
      if (hearing === 'heard') await heard.promise;
      leaving.abort();
      await assert.rejects(call);
      await stays.until(() => response.destroyed);
    });
  }

  it('asks the operators no longer when a stream of 2025 is closed', async (t) => {
    const stays = await startSlowStays(t);
    const call = (guests: number, signal: AbortSignal | null) =>
      fetch(`${stays.origin}/mcp`, {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'search_stays',
            arguments: { ...STAY, guests },
            _meta: { progressToken: 'told' },
          },
        }),
      });
    await stays.answerAfterAWhile(call(2, null).then((answer) => answer.text()));

    const leaving = new AbortController();
    const answer = call(3, leaving.signal);
    const { response } = await stays.nextCall();
    assert.match((await answer).headers.get('content-type') ?? '', /^text\/event-stream/);
    leaving.abort();
    await stays.until(() => response.destroyed);
  });

  it('is still answered when its client only stops sending', async (t) => {
    const stays = await startSlowStays(t);
    const client = await sendAndLeave(
      stays.origin,
      postRequest(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search_stays', arguments: STAY, _meta: { progressToken: 'told' } },
        },
        ['Accept: application/json, text/event-stream'],
      ),
    );
    const quoteCall = await stays.nextCall();
    client.halfClose();
    for (let passed = 0; passed < 1000; passed += 100) await stays.service.time.pass(100);
    quoteCall.answer();
    assert.match(await client.received(), /"outcome":"comparison"/);
  });
});

type QuoteCall = { readonly answer: () => void; readonly response: ServerResponse };

/** The operator takes a while for each answer, and is patiently waited for: only a client that leaves ends a call. */
async function startSlowStays(t: TestContext) {
  const waiting: QuoteCall[] = [];
  const comers: ((call: QuoteCall) => void)[] = [];
  const stays = await startStays(t, {
    settings: { quoteDeadlineMs: 60_000 },
    bookingSystem: { timeout_ms: 30_000 },
  });
  stays.operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const call = { answer: () => resolve(false), response };
    const comer = comers.shift();
    if (comer) comer(call);
    else waiting.push(call);
    return promise;
  };
  const nextCall = async (): Promise<QuoteCall> =>
    waiting.shift() ?? new Promise((comer) => comers.push(comer));
  return {
    ...stays,
    nextCall,
    /** So that it is known how long the operator usually takes: what lasts longer is left to finish. */
    async answerAfterAWhile(call: Promise<unknown>): Promise<void> {
      const { answer } = await nextCall();
      await stays.service.time.pass(USUAL_MS);
      answer();
      await call;
    },
    /** Passes time for the probes of a connection that may have gone. */
    async until(isSo: () => boolean): Promise<void> {
      for (let passed = 0; !isSo(); passed += 20) {
        assert.ok(passed < USUAL_MS, 'the operator is still being asked');
        await stays.service.time.pass(20);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

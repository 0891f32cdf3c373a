import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { QuotesRequest } from '../../src/connectors/open/quote.ts';
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
/** Only what never comes about takes as long; a waiting search would be given up later. */
const PATIENCE_MS = 5000;

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
      await stays.leaveWhileWaiting(async (guests, signal) => {
        const heard = Promise.withResolvers<void>();
        const onprogress = hearing === 'heard' ? { onprogress: () => heard.resolve() } : {};
        const call = callTool(client, 'search_stays', { ...STAY, guests }, { signal, ...onprogress });
        if (hearing === 'heard') await heard.promise;
        return { call };
      });
    });
  }

  it('asks the operators no longer when a stream of 2025 is closed', async (t) => {
    const stays = await startSlowStays(t);
    await stays.leaveWhileWaiting(async (guests, signal) => {
      const params = {
        name: 'search_stays',
        arguments: { ...STAY, guests },
        _meta: { progressToken: 'told' },
      };
      const answer = await fetch(`${stays.origin}/mcp`, {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
      return { call: answer.text() };
    });
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

type QuoteCall = { readonly answer: () => void; readonly guests: number };
/** Sends a search, and returns once its client may leave. */
type Search = (guests: number, signal: AbortSignal) => Promise<{ readonly call: Promise<unknown> }>;

/** An operator that takes one call at a time, and answers when it is told to. */
async function startSlowStays(t: TestContext) {
  const waiting: QuoteCall[] = [];
  const comers: ((call: QuoteCall) => void)[] = [];
  const stays = await startStays(t, {
    settings: { quoteDeadlineMs: 60_000 },
    bookingSystem: { timeout_ms: 30_000, concurrency: 1 },
  });
  stays.operator.misbehave = (path, _response, body) => {
    if (path !== '/quotes') return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const call = { answer: () => resolve(false), guests: (body as QuotesRequest).guests };
    const comer = comers.shift();
    if (comer) comer(call);
    else waiting.push(call);
    return promise;
  };
  const nextCall = async (): Promise<QuoteCall> =>
    waiting.shift() ?? new Promise((comer) => comers.push(comer));

  async function inFlight(): Promise<number> {
    const metrics = await stays.service.metrics.render();
    return Number(/^staywire_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
  }

  /** Passes time for the probes of a connection that may have gone. */
  async function untilInFlight(count: number): Promise<void> {
    for (let passed = 0; (await inFlight()) !== count; passed += 20) {
      assert.ok(passed < PATIENCE_MS, `never ${count} requests in flight`);
      await stays.service.time.pass(20);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  return {
    ...stays,
    nextCall,
    /** The second search is left while it waits for the first: the operator's next call is the third's. */
    async leaveWhileWaiting(search: Search): Promise<void> {
      const staying = new AbortController().signal;
      const leaving = new AbortController();
      const first = search(2, staying);
      const open = await nextCall();
      const before = await inFlight();
      const second = search(3, leaving.signal);
      await untilInFlight(before + 1);
      const { call } = await second;
      leaving.abort();
      await assert.rejects(call);
      await untilInFlight(before);
      const third = search(4, staying);
      await untilInFlight(before + 1);
      open.answer();
      const next = await nextCall();
      assert.deepEqual([open.guests, next.guests], [2, 4]);
      next.answer();
      await (await first).call;
      await (await third).call;
    },
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import type { InterfaceCalls } from './interface-calls.ts';
import { createMcpServer } from './mcp-server.ts';
import { createSessionOpenings, type OpeningBody } from './session-openings.ts';

const GUESTS_MISSING = {
  error: 'incomplete_payload',
  message: 'Missing required field: guests',
  received: {},
  allowed_values: { guests: ['1', '2'] },
  missing_fields: ['guests'],
};

test('a form that a host declares and never answers is taken back after 25 seconds, and the text comes', async (t) => {
  const clock = createFakeClock(0);
  const calls: InterfaceCalls = {
    open: async () => ({ object: 'session', session: 'ses_a' }) as never,
    search: async () => GUESTS_MISSING as never,
    result: async () => assert.fail('there is no set'),
    network: async () => ({ name: '', sources: [], pictureHosts: [] }),
  };
  const server = createMcpServer({
    connect: () => calls,
    name: 'Open Shores',
    pictureHosts: [],
    publicUrl: null,
    version: '1',
    forms: clock,
    now: clock.now,
    elapsed: clock.elapsed,
    key: null,
    placeName: () => undefined,
    openings: createSessionOpenings(createRecentOpenings<OpeningBody>(clock), clock),
    caller: 'host',
    fault: (fault) => assert.fail(String(fault)),
  });
  const { promise: shown, resolve: show } = Promise.withResolvers<AbortSignal>();
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: {} }, supportedProtocolVersions: ['2025-11-25'] },
  );
  client.setRequestHandler('elicitation/create', (_request, { mcpReq }) => {
    show(mcpReq.signal);
    return new Promise<never>(() => {});
  });
  const [ofHost, ofServer] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ofServer), client.connect(ofHost)]);
  t.after(() => client.close());

  const called = client.callTool({ name: 'search_stays', arguments: {} });
  const form = await shown;
  await clock.advance(24_999);
  assert.equal(form.aborted, false);
  await clock.advance(1);
  const { content, structuredContent } = await called;
  assert.match((content[0] as { text: string }).text, /Missing: guests/);
  assert.equal((structuredContent as { outcome: unknown }).outcome, 'question');
  assert.equal(form.aborted, true, 'the host takes the form away');
  assert.equal(clock.pendingTimers, 0);
});

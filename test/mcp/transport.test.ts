import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startStays } from '../support/mcp-client.ts';
import { mcpMessage, sendToMcp, toolMessage } from '../support/mcp-message.ts';

const LIST = mcpMessage('tools/list');
const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };

describe('the MCP transport', () => {
  it('refuses strangers, browsers and other hosts with the same answer as /ai/', async (t) => {
    const { origin, service } = await startStays(t);
    const strangers = [
      { 'x-forwarded-for': '203.0.113.9' },
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { origin },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'none' },
    ] as readonly Record<string, string>[];
    for (const headers of strangers) {
      const refused = await sendToMcp(origin, LIST, headers);
      const elsewhere = await service.post('/ai/v1/nothing', {}, headers);
      assert.equal(refused.status, 403, JSON.stringify(headers));
      const { endpoint, self_url, ...same } = elsewhere.body;
      assert.deepEqual(refused.body, { ...same, endpoint: '/mcp', self_url: '/mcp' });
      assert.equal(refused.headers['accept-signature'], elsewhere.headers['accept-signature']);
      for (const method of ['GET', 'DELETE', 'OPTIONS'] as const) {
        assert.equal((await sendToMcp(origin, LIST, headers, method)).status, 403);
      }
    }
    const trusted = await sendToMcp(origin, LIST, { 'sec-fetch-site': 'none' });
    assert.equal(trusted.status, 200, 'a program that says it is no page');
  });

  it('takes POST alone', async (t) => {
    const { origin } = await startStays(t);
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'] as const) {
      const { status, headers, body } = await sendToMcp(origin, LIST, {}, method);
      assert.deepEqual([status, headers.allow, body.error], [405, 'POST', 'method_not_allowed']);
    }
  });

  it('says what is wrong with a body that is no message', async (t) => {
    const { origin } = await startStays(t);
    const send = (body: object | string, headers = {}) => sendToMcp(origin, { ...LIST, body }, headers);

    const plain = await send(LIST.body, { 'content-type': 'text/plain' });
    assert.deepEqual([plain.status, plain.body.error], [415, 'unsupported_media_type']);
    const large = await send({ ...LIST.body, filler: 'x'.repeat(20_000) });
    assert.deepEqual([large.status, large.body.error], [400, 'invalid_request']);
    assert.match(large.body.message, /16384 bytes/);
    for (const broken of ['{"jsonrpc":', '', 'ses_secret']) {
      const { status, body } = await send(broken);
      assert.deepEqual([status, body.jsonrpc, body.id, body.error.code], [400, '2.0', null, -32700]);
      assert.doesNotMatch(JSON.stringify(body), /secret/);
    }
    for (const other of ['null', '"text"', '{}', '[]', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}']) {
      const { status, body } = await send(other);
      assert.deepEqual([status, body.jsonrpc, body.error.code], [400, '2.0', -32600], other);
    }
  });

  it('answers a client that takes anything, or says nothing about it, in every revision', async (t) => {
    const { origin } = await startStays(t);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const headers of [{ accept: '*/*' }, {}] as readonly Record<string, string>[]) {
      const { status, text } = await sendToMcp(origin, {
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      assert.equal(status, 200, text);
      assert.match(text, /search_stays/);
    }
  });

  it('answers a batch of 2025-03-26 with all its answers', async (t) => {
    const { origin } = await startStays(t);
    const { status, text } = await sendToMcp(origin, {
      headers: { ...LEGACY, 'mcp-protocol-version': '2025-03-26' },
      body: [
        { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        {
          jsonrpc: '2.0',
          id: 'call',
          method: 'tools/call',
          params: { name: 'search_stays', arguments: STAY },
        },
      ],
    });
    assert.equal(status, 200);
    const answers = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
    assert.deepEqual(answers.map(({ id }) => id).sort(), ['call', 'list']);
    const called = answers.find(({ id }) => id === 'call');
    assert.equal(called.result.structuredContent.outcome, 'comparison');
  });

  it('acknowledges a notification and needs no answer to it', async (t) => {
    const { origin } = await startStays(t);
    const { status, text } = await sendToMcp(origin, {
      headers: LEGACY,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    assert.deepEqual([status, text], [202, '']);
  });

  it('writes a line for each request, and no handle of a session', async (t) => {
    const { origin, service } = await startStays(t);
    const { body } = await sendToMcp(origin, toolMessage('search_stays', { destination: 'Lisbon' }));
    const { session } = body.result.structuredContent;
    assert.match(session, /^ses_/);
    service.logLines.length = 0;
    await sendToMcp(origin, toolMessage('search_stays', { session, ...STAY }));
    await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }));
    await sendToMcp(origin, toolMessage('show_stay', { session: `${session}x` }));
    await sendToMcp(origin, { ...LIST, body: `{"session":"${session}"` });
    await sendToMcp(
      origin,
      toolMessage('search_stays', { session }, { meta: { 'staywire/idempotencyKey': session } }),
    );
    const lines = service.logLines.map((line) => JSON.parse(line)).filter(({ path }) => path === '/mcp');
    assert.deepEqual(
      lines.map(({ operation, method, status, assistant }) => [operation, method, status, assistant]),
      [200, 200, 200, 400, 200].map((status) => ['mcp', 'POST', status, 'local']),
    );
    assert.ok(!service.logLines.join('').includes(session.slice(4)), 'no line has the handle');
  });
});

const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

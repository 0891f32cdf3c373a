import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { startStays } from '../support/mcp-client.ts';
import { type McpExchange, mcpMessage, sendToMcp, toolMessage } from '../support/mcp-message.ts';

const LIST = mcpMessage('tools/list');
const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };

const remaining = ({ headers }: McpExchange) => Number(headers['x-ratelimit-remaining']);
const answerOf = ({ body }: McpExchange) => body.result.structuredContent;

describe('limits of the MCP transport', () => {
  it('count every message of a caller, and tool calls by the session that they are for', async (t) => {
    const { origin } = await startStays(t);
    assert.equal(remaining(await sendToMcp(origin, LIST)), 599);
    assert.equal(remaining(await sendToMcp(origin, mcpMessage('nothing/here'))), 598);
    assert.equal(remaining(await sendToMcp(origin, toolMessage('book_stay', {}))), 597, 'an unknown tool');
    assert.equal(remaining(await sendToMcp(origin, toolMessage('show_stay', {}))), 596, 'bad arguments');
    assert.equal(remaining(await sendToMcp(origin, { ...LIST, body: 'broken' })), 595);

    const opened = await sendToMcp(origin, toolMessage('search_stays', STAY));
    assert.equal(remaining(opened), 599, 'a new session has a window of its own');
    const { session } = answerOf(opened);
    const refined = await sendToMcp(
      origin,
      toolMessage('refine_stays', { session, amenities: ['pool', 'sauna'] }),
    );
    assert.equal(remaining(refined), 598, 'one for all amenities');
    assert.equal(remaining(await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }))), 597);
    assert.equal(remaining(await sendToMcp(origin, LIST)), 593, 'opening it counted for the caller');
  });

  it('count a batch that is refused as a whole once, whatever is wrong with it', async (t) => {
    const { origin } = await startStays(t);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const initialize = {
      ...list,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    };
    const refused: Readonly<Record<string, readonly unknown[] | string>> = {
      'one too many': Array.from({ length: 21 }, () => list),
      'behind a byte-order mark': `\ufeff${JSON.stringify(Array.from({ length: 21 }, () => list))}`,
      'a hundred': Array.from({ length: 100 }, () => list),
      'no messages': Array.from({ length: 4000 }, () => 0),
      'one that is none': [list, list, { method: 'tools/list' }],
      'a handshake': [list, list, initialize],
      'a message of a later revision': [list, list, LIST.body],
      empty: [],
    };
    let left = 600;
    for (const [what, body] of Object.entries(refused)) {
      const answer = await sendToMcp(origin, {
        headers: { ...LEGACY, 'mcp-protocol-version': '2025-03-26' },
        body,
      });
      left -= 1;
      assert.deepEqual([answer.status, remaining(answer)], [400, left], what);
    }
  });

  it('let a batch through as a whole or not at all, and one that is not counts once', async (t) => {
    const { origin } = await startStays(t, { settings: { rateLimit: 5 } });
    const batch = (count: number) => ({
      headers: { ...LEGACY, 'mcp-protocol-version': '2025-03-26' },
      body: Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    });
    assert.equal(remaining(await sendToMcp(origin, batch(3))), 2);
    const refused = await sendToMcp(origin, batch(3));
    assert.deepEqual([refused.status, refused.body.error, remaining(refused)], [429, 'rate_limited', 1]);
    assert.equal(refused.headers['retry-after'], '60');
    const last = await sendToMcp(origin, batch(1));
    assert.deepEqual([last.status, remaining(last)], [200, 0]);
    assert.equal((await sendToMcp(origin, batch(1))).status, 429);
  });

  it('answer with 429 and Retry-After, or as a problem of the tool, and say when to come back', async (t) => {
    const { origin, service } = await startStays(t, { settings: { rateLimit: 3 } });
    const { session } = answerOf(await sendToMcp(origin, toolMessage('search_stays', STAY)));
    for (let sent = 0; sent < 2; sent += 1) await sendToMcp(origin, LIST);
    service.time.now += 12_000;

    const listed = await sendToMcp(origin, LIST);
    assert.deepEqual(
      [listed.status, listed.body.error, listed.headers['retry-after']],
      [429, 'rate_limited', '48'],
    );
    const unknown = await sendToMcp(origin, toolMessage('book_stay', {}));
    assert.deepEqual([unknown.status, unknown.headers['retry-after']], [429, '48']);

    for (let sent = 0; sent < 2; sent += 1) {
      await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }));
    }
    const shown = await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }));
    assert.equal(shown.status, 200);
    assert.equal(shown.body.result.isError, true);
    const { problem } = answerOf(shown);
    assert.deepEqual([problem.code, problem.retry_after_seconds], ['rate_limited', 48]);
    assert.match(problem.how_to_go_on, /retry_after_seconds/);
    assert.match(shown.body.result.content[0].text, /retry_after_seconds: 48/);

    service.time.now += 48_000;
    assert.equal((await sendToMcp(origin, LIST)).status, 200);
  });

  it('keep a session for the assistant that opened it', async (t) => {
    const reading = describeAssistantRegistry(
      {
        assistants: ['Alpha', 'Beta'].map((name) => ({
          id: name.toLowerCase(),
          name,
          status: 'approved',
          recognised_by: [{ user_agent: `${name}-User`, ranges: ['127.0.0.0/8'] }],
        })),
      },
      () => assert.fail('no file is named'),
    );
    assert.equal(reading.kind, 'valid');
    const { origin } = await startStays(t, { registry: reading.value });
    const as = (name: string) => ({ 'user-agent': `${name}-User` });
    const found = await sendToMcp(origin, toolMessage('search_stays', STAY), as('Alpha'));
    const { session } = answerOf(found);
    for (const message of [
      toolMessage('search_stays', { session, guests: 3 }),
      toolMessage('refine_stays', { session, amenities: ['pool'] }),
      toolMessage('show_stay', { session, rank: 1 }),
    ]) {
      const foreign = await sendToMcp(origin, message, as('Beta'));
      assert.equal(foreign.body.result.isError, true);
      assert.equal(answerOf(foreign).problem.code, 'session_not_found');
    }
    const shown = await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }), as('Alpha'));
    assert.equal(answerOf(shown).outcome, 'stay');
  });
});

describe('a key of the client', () => {
  const keys = {
    'in the call': [{ meta: { 'staywire/idempotencyKey': 'trip-1' } }, {}],
    'in the header': [{}, { 'idempotency-key': 'trip-1' }],
  } as const;
  for (const [where, [options, headers]] of Object.entries(keys)) {
    it(`${where}: repeats at the same time open one session and ask the operators once`, async (t) => {
      const { origin, operator } = await startStays(t);
      const message = toolMessage('search_stays', { ...STAY, amenities: ['pool', 'sauna'] }, options);
      const sent = Array.from({ length: 4 }, () => sendToMcp(origin, message, headers));
      const answers = (await Promise.all(sent)).map(answerOf);
      assert.equal(new Set(answers.map(({ session }) => session)).size, 1);
      assert.deepEqual(answers[0].comparison.filters, ['pool', 'sauna']);
      for (const answer of answers) assert.deepEqual(answer.comparison, answers[0].comparison);
      assert.equal(operator.asked.length, 1, 'once for all amenities');
    });

    it(`${where}: a repeat after a lost answer gets the same one`, async (t) => {
      const { origin, operator, service } = await startStays(t);
      const message = toolMessage('search_stays', STAY, options);
      const first = answerOf(await sendToMcp(origin, message, headers));
      service.time.now += 30_000;
      const second = answerOf(await sendToMcp(origin, message, headers));
      assert.deepEqual(second, first);
      assert.equal(operator.asked.length, 1);
    });

    it(`${where}: another call with it is told so, and changes nothing`, async (t) => {
      const { origin, operator } = await startStays(t);
      const first = answerOf(await sendToMcp(origin, toolMessage('search_stays', STAY, options), headers));
      const other = await sendToMcp(
        origin,
        toolMessage('search_stays', { ...STAY, guests: 3 }, options),
        headers,
      );
      assert.equal(other.body.result.isError, true);
      assert.equal(answerOf(other).problem.code, 'idempotency_key_reused');
      assert.equal(operator.asked.length, 1);
      const { session } = first;
      const shown = await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }));
      assert.equal(answerOf(shown).option.quote.guests, 2);
    });

    it(`${where}: once the session is in use, the key opens another one`, async (t) => {
      const { origin } = await startStays(t);
      const message = toolMessage('search_stays', STAY, options);
      const { session } = answerOf(await sendToMcp(origin, message, headers));
      await sendToMcp(origin, toolMessage('refine_stays', { session, amenities: ['pool'] }));
      const other = answerOf(await sendToMcp(origin, message, headers));
      assert.equal(other.outcome, 'comparison');
      assert.notEqual(other.session, session, 'somebody else has the same idea of a key');
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitedAssistants } from '../support/limited-assistants.ts';
import { startStays } from '../support/mcp-client.ts';
import { type McpExchange, mcpMessage, sendToMcp, toolMessage } from '../support/mcp-message.ts';

const LIST = mcpMessage('tools/list');
const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const ACME = { 'user-agent': 'acme-User' };
const OTHER = { 'user-agent': 'other-User' };

const answerOf = ({ body }: McpExchange) => body.result.structuredContent;

describe('the quota of an assistant at the MCP transport', () => {
  it('counts messages and the requests of tool calls together', async (t) => {
    const { registry } = limitedAssistants({ acme: { requests: 4 }, other: {} });
    const { origin, service } = await startStays(t, { registry });
    const found = await sendToMcp(origin, toolMessage('search_stays', STAY), ACME);
    const { session } = answerOf(found);
    assert.equal(answerOf(found).outcome, 'comparison', 'opening and searching are two');
    for (const left of ['598', '597']) {
      const listed = await sendToMcp(origin, LIST, ACME);
      assert.deepEqual([listed.status, listed.headers['x-ratelimit-remaining']], [200, left]);
    }
    service.time.now += 12_000;

    const listed = await sendToMcp(origin, LIST, ACME);
    assert.deepEqual(
      [listed.status, listed.body.error, listed.headers['retry-after'], listed.headers['x-ratelimit-limit']],
      [429, 'rate_limited', '48', '4'],
    );
    const shown = await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }), ACME);
    assert.equal(shown.body.result.isError, true);
    const { problem } = answerOf(shown);
    assert.deepEqual([problem.code, problem.retry_after_seconds], ['rate_limited', 48]);
    const streamed = toolMessage('show_stay', {}, { meta: { progressToken: 1 } });
    assert.equal((await sendToMcp(origin, streamed, ACME)).status, 429, 'a stream is no way around it');

    assert.equal((await sendToMcp(origin, LIST, OTHER)).status, 200);
    service.time.now += 48_000;
    const again = await sendToMcp(origin, toolMessage('show_stay', { session, rank: 1 }), ACME);
    assert.equal(answerOf(again).outcome, 'stay');
  });
});

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

  it('lets as many searches ask operators as it says, and tells the model when to call again', async (t) => {
    const { registry } = limitedAssistants({
      acme: { searches: 1, sessions: 2 },
      other: { searches: 1 },
    });
    const { origin, operator } = await startStays(t, { registry });
    const answers: (() => void)[] = [];
    operator.misbehave = (path) => {
      if (path !== '/quotes') return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answers.push(() => resolve(false));
      return promise;
    };
    const asked = async (count: number) => {
      while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const search = (guests: number, as: Record<string, string>) =>
      sendToMcp(origin, toolMessage('search_stays', { ...STAY, guests }), as);
    const first = search(1, ACME);
    await asked(1);
    const refused = await search(2, ACME);
    assert.equal(refused.body.result.isError, true);
    const { problem, session } = answerOf(refused);
    assert.deepEqual([problem.code, problem.retry_after_seconds], ['overloaded', 2]);
    assert.match(problem.how_to_go_on, /make the same call again/);
    assert.equal(session, null, 'the next call gets the session that was opened');
    for (const guests of [2, 3, 2]) {
      assert.equal(answerOf(await search(guests, ACME)).problem.code, 'overloaded', 'not too many sessions');
    }

    const others = search(3, OTHER);
    await asked(2);
    operator.misbehave = () => false;
    for (const answer of answers) answer();
    assert.equal(answerOf(await first).outcome, 'comparison');
    assert.equal(answerOf(await others).outcome, 'comparison', 'another assistant has its own places');
    assert.equal(answerOf(await search(4, ACME)).outcome, 'comparison');
    assert.equal(answerOf(await search(4, ACME)).problem.code, 'too_many_sessions', 'it is in use now');
  });
});

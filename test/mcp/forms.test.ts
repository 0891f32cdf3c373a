import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { callTool, connectMcp, startStays } from '../support/mcp-client.ts';

const REST_OF_STAY = { check_in_day: '2027-04-10', check_out: '2027-04-13', guests: '2' };

describe('forms of MCP', () => {
  for (const [revision, transport] of [
    ['2026-07-28', 'http'],
    ['2025-11-25', 'http'],
    ['2026-07-28', 'stdio'],
    ['2025-11-25', 'stdio'],
  ] as const) {
    it(`are not sent over ${transport} in ${revision}: a question and a refusal are answers`, async (t) => {
      const { origin } = await startStays(t);
      const client = await connectMcp(t, {
        origin,
        revision,
        transport,
        capabilities: { elicitation: { form: {} } },
        prepare: (one) => one.setRequestHandler('elicitation/create', () => assert.fail('an unwanted form')),
      });
      const question = await callTool(client, 'search_stays', { destination: 'Lisbon' });
      assert.equal(question.answer.outcome, 'question');
      assert.match(question.text, /Missing: check_in_month/);

      const { session } = question.answer;
      const refused = await callTool(client, 'search_stays', { session, ...REST_OF_STAY, guests: '9' });
      assert.equal(refused.answer.outcome, 'refused');
      assert.match(refused.text, /guests not taken: No home .* sleeps so many; 4 is the most\./);
    });
  }

  it('are sent by a program that was started with --forms, once for everything that is missing', async (t) => {
    const { origin } = await startStays(t);
    const forms: ElicitRequestFormParams[] = [];
    const answers: ElicitResult[] = [
      { action: 'accept', content: REST_OF_STAY },
      { action: 'accept', content: { ...REST_OF_STAY, check_in_day: '2020-04-10' } },
      { action: 'decline' },
    ];
    const client = await connectMcp(t, {
      origin,
      revision: '2025-11-25',
      transport: 'stdio',
      options: ['--forms'],
      capabilities: { elicitation: {} },
      prepare: (one) =>
        one.setRequestHandler('elicitation/create', ({ params }) => {
          forms.push(params as ElicitRequestFormParams);
          return answers[forms.length - 1] ?? assert.fail('one form too many');
        }),
    });
    const search = (args: object) =>
      callTool(
        client,
        'search_stays',
        { destination: 'Lisbon', ...args },
        { meta: { 'staywire/idempotencyKey': `round-${forms.length}` } },
      );

    const found = await search({ amenities: ['pool'] });
    assert.equal(found.answer.outcome, 'comparison');
    assert.deepEqual(found.answer.comparison.filters, ['pool']);
    const { requestedSchema, message } = forms[0] as ElicitRequestFormParams;
    assert.deepEqual(requestedSchema.required, ['check_in_day', 'check_out', 'guests']);
    assert.match(message, /arrival, departure, guests/);

    const refused = await search({});
    assert.equal(refused.answer.outcome, 'refused');
    assert.match(refused.text, /check_in_day not taken: It is in the past\./);

    const declined = await search({});
    assert.equal(declined.answer.outcome, 'question');
    assert.match(declined.text, /came back without an answer/);

    const complete = await search(REST_OF_STAY);
    assert.equal(complete.answer.outcome, 'comparison');
    assert.equal(forms.length, 3, 'nothing is asked when nothing is missing');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import {
  type ClientTransport,
  callTool,
  connectMcp,
  type Revision,
  startStays,
} from '../support/mcp-client.ts';

const REST_OF_STAY = { check_in_day: '2027-04-10', check_out: '2027-04-13', guests: '2' };
/** Before 2026 a server pushes its forms, which needs a connection: over HTTP there is none between two requests. */
const WITH_FORMS: readonly (readonly [Revision, ClientTransport])[] = [
  ['2026-07-28', 'http'],
  ['2026-07-28', 'stdio'],
  ['2025-11-25', 'stdio'],
  ['2025-06-18', 'stdio'],
];

/** Fills in forms. */
type Traveller = {
  /** Those that were shown since it was told what to answer. */
  readonly forms: ElicitRequestFormParams[];
  answerInTurn(...answers: ElicitResult[]): void;
  readonly prepare: (client: Client) => void;
};

for (const [revision, transport] of WITH_FORMS) {
  describe(`forms of MCP ${revision} over ${transport}`, () => {
    it('ask the traveller for what is missing, and take a refusal for an answer', async (t) => {
      const { origin, operator } = await startStays(t);
      const traveller = createTraveller();
      const client = await connectMcp(t, {
        origin,
        revision,
        transport,
        capabilities: { elicitation: { form: {} } },
        prepare: traveller.prepare,
      });
      await client.listTools();
      const search = (args: object = { destination: 'Lisbon' }) =>
        callTool(client, 'search_stays', { ...args });

      await t.test('one form for everything, and the set is there', async () => {
        traveller.answerInTurn({ action: 'accept', content: REST_OF_STAY });
        const { answer } = await search();
        assert.equal(answer.outcome, 'comparison');
        assert.equal(answer.comparison.options.length, 4);
        const [form] = traveller.forms;
        assert.deepEqual(form?.requestedSchema.required, ['check_in_day', 'check_out', 'guests']);
        assert.deepEqual(Object.keys(form?.requestedSchema.properties ?? {}), form?.requestedSchema.required);
        assert.match(form?.message ?? '', /arrival, departure, guests/);
      });

      await t.test('what does not fit is asked for again, with its reason', async () => {
        traveller.answerInTurn(
          { action: 'accept', content: { ...REST_OF_STAY, guests: '9' } },
          { action: 'accept', content: { guests: '3' } },
        );
        const { answer } = await search();
        assert.equal(answer.outcome, 'comparison');
        assert.equal(answer.comparison.guests, 3);
        assert.deepEqual(traveller.forms[1]?.requestedSchema.required, ['guests']);
        assert.match(traveller.forms[1]?.message ?? '', /Guests: .*4/);
      });

      for (const action of ['decline', 'cancel'] as const) {
        await t.test(`after ${action} the answer is the question, as for everybody else`, async () => {
          const asks = operator.asked.length;
          traveller.answerInTurn({ action });
          const { answer, isError } = await search();
          assert.equal(isError, false);
          assert.equal(answer.outcome, 'question');
          assert.deepEqual(answer.received, { destination: 'lisbon-pt' });
          assert.equal(answer.question.field, 'check_in_month');
          assert.equal(operator.asked.length, asks);

          const found = await search({ session: answer.session, ...REST_OF_STAY });
          assert.equal(found.answer.outcome, 'comparison');
        });
      }

      await t.test('a key of the client holds for all rounds of a call', async () => {
        traveller.answerInTurn({ action: 'accept', content: REST_OF_STAY });
        const { answer } = await callTool(
          client,
          'search_stays',
          { destination: 'Lisbon' },
          { meta: { 'staywire/idempotencyKey': 'rounds' } },
        );
        assert.equal(answer.outcome, 'comparison', JSON.stringify(answer));
      });

      await t.test('nothing is asked when nothing is missing', async () => {
        traveller.answerInTurn();
        const { answer } = await search({ destination: 'Lisbon', ...REST_OF_STAY });
        assert.equal(answer.outcome, 'comparison');
        assert.deepEqual(traveller.forms, []);
      });
    });
  });
}

describe('forms of MCP', () => {
  it('before 2026 are not for clients over HTTP, which get the question as an answer', async (t) => {
    const { origin } = await startStays(t);
    const client = await connectMcp(t, {
      origin,
      revision: '2025-11-25',
      capabilities: { elicitation: {} },
      prepare: (one) =>
        one.setRequestHandler('elicitation/create', () => {
          throw new Error('there is no connection to ask over');
        }),
    });
    const { answer } = await callTool(client, 'search_stays', { destination: 'Lisbon' });
    assert.equal(answer.outcome, 'question');
  });

  it('carry the session as their state, and a changed one leads nowhere', async (t) => {
    const { origin } = await startStays(t);
    const call = (inputResponses: object, requestState: string) =>
      fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'search_stays',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'search_stays',
            arguments: { destination: 'Lisbon' },
            inputResponses,
            requestState,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
            },
          },
        }),
      });
    const response = await call(
      { stay: { action: 'accept', content: REST_OF_STAY } },
      `ses_${'A'.repeat(43)}`,
    );
    const { result } = (await response.json()) as {
      result: { isError: boolean; structuredContent: { problem: { code: string; how_to_go_on: string } } };
    };
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent.problem.code, 'session_not_found');
    assert.match(result.structuredContent.problem.how_to_go_on, /without a session/);
  });
});

function createTraveller(): Traveller {
  const forms: ElicitRequestFormParams[] = [];
  const waiting: ElicitResult[] = [];
  return {
    forms,
    answerInTurn(...answers) {
      forms.length = 0;
      waiting.splice(0, waiting.length, ...answers);
    },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        forms.push(params as ElicitRequestFormParams);
        const answer = waiting.shift();
        if (!answer) throw new Error('the traveller was not expected to be asked');
        return answer;
      }),
  };
}

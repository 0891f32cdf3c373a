import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorInAnswer } from './tool-errors.ts';

const answered = (result: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const failed = (code: number, data?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no', data } });
const problem = (code: string) =>
  answered({ isError: true, structuredContent: { outcome: 'problem', problem: { code } } });
const events = (...messages: string[]) =>
  messages.map((message) => `event: message\ndata: ${message}\n\n`).join('');

describe('the error in an answer', () => {
  const rows: readonly (readonly [string, string, string | null, boolean?])[] = [
    ['none', answered({ tools: [] }), null],
    [
      'none, where somebody writes as if',
      answered({ text: '"isError":true, "error":{"code":-32603}' }),
      null,
    ],
    ['none, where a result has a member of that name', answered({ error: { code: 1 } }), null],
    ['of a tool', problem('invalid_arguments'), 'invalid_request'],
    ['of a stay that is not in the set', problem('unknown_stay'), 'not_found'],
    ['of the interface', problem('session_expired'), 'session_expired'],
    ['of a kind that nobody knows', problem('toString'), 'internal_error'],
    ['of a tool without a problem', answered({ isError: true }), 'internal_error'],
    ['of an unknown method', failed(-32601), 'not_found'],
    ['of an unknown tool', failed(-32602), 'not_found', true],
    ['of an unknown resource', failed(-32602, { uri: 'ui://nothing' }), 'not_found'],
    ['of parameters', failed(-32602), 'invalid_request'],
    ['of a body that is no JSON', failed(-32700), 'invalid_request'],
    ['of ours', failed(-32603), 'internal_error'],
    ['of the second of two', `[${answered({})},${failed(-32601)}]`, 'not_found'],
    ['in a stream', events(answered({}), problem('overloaded')), 'overloaded'],
    ['in a part of a stream that is not whole', `data: ${failed(-32601).slice(0, -3)}`, null],
  ];
  for (const [what, text, expected, isToolUnknown = false] of rows) {
    it(what, () => assert.equal(errorInAnswer(text, isToolUnknown), expected));
  }
});

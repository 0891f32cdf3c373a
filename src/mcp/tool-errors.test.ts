import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOfAnswer, type SentMessage } from './tool-errors.ts';

const failed = (code: number, data?: object): SentMessage => ({ error: { code, data } });
const problem = (code: string): SentMessage => ({
  result: { isError: true, structuredContent: { outcome: 'problem', problem: { code } } },
});

test('the error of an answer is that of the interface', () => {
  const rows: readonly (readonly [string, SentMessage, string | null, boolean?])[] = [
    ['none', { result: { tools: [] } }, null],
    ['none, where a result has a member of that name', { result: { error: { code: 1 } } }, null],
    ['of a tool', problem('invalid_arguments'), 'invalid_request'],
    ['of a stay that is not in the set', problem('unknown_stay'), 'not_found'],
    ['of the interface', problem('session_expired'), 'session_expired'],
    ['of an unknown kind', problem('toString'), 'internal_error'],
    ['of a tool without a problem', { result: { isError: true } }, 'internal_error'],
    ['of an unknown method', failed(-32601), 'not_found'],
    ['of an unknown tool', failed(-32602), 'not_found', true],
    ['of an unknown resource', failed(-32602, { uri: 'ui://nothing' }), 'not_found'],
    ['of parameters', failed(-32602), 'invalid_request'],
    ['of the service', failed(-32603), 'internal_error'],
  ];
  for (const [what, message, expected, isToolUnknown = false] of rows) {
    assert.equal(errorOfAnswer(message, isToolUnknown), expected, what);
  }
});

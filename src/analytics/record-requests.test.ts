import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FinishedRequest } from '../requests/request-observer.ts';
import { createRequestRecorder } from './record-requests.ts';

const approved = { kind: 'approved', assistant: 'claude', way: 'ranges', address: '10.0.0.1' } as const;
const refused = { kind: 'refused', reason: 'not_approved', address: '10.0.0.1' } as const;
const REQUEST: FinishedRequest = {
  requestId: 'req_1',
  operation: 'search',
  method: 'POST',
  path: '/ai/v1/search',
  status: 200,
  error: null,
  replayed: false,
  assistant: 'claude',
  access: approved,
  tools: [],
  durationMs: 12.5,
};

const cases: readonly (readonly [string, Partial<FinishedRequest>, readonly string[] | null])[] = [
  ['a step', { error: 'incomplete_payload' }, ['claude', 'search', 'incomplete_payload']],
  ['a result', {}, ['claude', 'search', '']],
  ['a tool call', { operation: 'mcp' }, ['claude', 'mcp', '']],
  [
    'a suspended assistant',
    { operation: 'other', access: { ...refused, cause: 'suspended', assistant: 'claude', way: 'ranges' } },
    ['claude', 'other', 'suspended'],
  ],
  [
    'one who only claims to be an assistant',
    {
      operation: 'other',
      access: { ...refused, cause: 'invalid_signature', assistant: 'claude', way: null },
    },
    ['', 'other', 'invalid_signature'],
  ],
  [
    'a stranger',
    { operation: 'other', access: { ...refused, cause: 'unknown_caller', assistant: null, way: null } },
    ['', 'other', 'unknown_caller'],
  ],
  ['a public page', { access: null, operation: 'entry' }, null],
  ['the owner', { access: { ...approved, assistant: 'console' } }, null],
];

for (const [who, changes, labels] of cases) {
  it(`a request of ${who} is counted as ${labels}`, () => {
    const counted: unknown[] = [];
    const record = createRequestRecorder((measure, { assistant, facet, reason }, amounts) => {
      counted.push([measure, [assistant, facet, reason], amounts]);
    });
    record({ ...REQUEST, ...changes });
    assert.deepEqual(counted, labels === null ? [] : [['requests', labels, { sum: 12.5 }]]);
  });
}

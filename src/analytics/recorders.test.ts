import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FinishedRequest } from '../requests/request-observer.ts';
import { createOperatorRecorder, createRequestRecorder } from './recorders.ts';

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

function aStage() {
  const counted: string[] = [];
  const recorder = createOperatorRecorder((measure, { brand, facet = '', reason = '' }, amounts) => {
    counted.push(`${measure} ${brand} ${facet}${reason} ${amounts?.count ?? 1}, ${amounts?.sum ?? 0}`);
  });
  return { counted, recorder };
}

const sample = (indicativeTotal: number | null, total: number) => ({
  property: 'acme:1',
  place: 'lisbon-pt',
  indicativeTotal,
  total,
});

describe('of operators is counted', () => {
  it('what became of each home that was asked for, and how long the call took', () => {
    const { counted, recorder } = aStage();
    const failures = new Map([['garbled' as const, 2]]);
    recorder.call('acme', 180, { quoted: 3, unavailable: 1, failures });
    assert.deepEqual(counted, [
      'prices acme quoted 3, 0',
      'prices acme unavailable 1, 0',
      'prices acme garbled 2, 0',
      'price_calls acme 0.25 1, 180',
    ]);
  });

  it('no time where nobody was called', () => {
    const { counted, recorder } = aStage();
    for (const kind of ['circuit_open', 'overloaded'] as const) {
      recorder.call('acme', 0, { quoted: 0, unavailable: 0, failures: new Map([[kind, 4]]) });
    }
    assert.deepEqual(counted, ['prices acme circuit_open 4, 0', 'prices acme overloaded 4, 0']);
  });

  it('how far totals were from what the calendar promised, where it promised something', () => {
    const { counted, recorder } = aStage();
    recorder.priced('acme', [sample(10_000, 10_000), sample(10_000, 9_000), sample(10_000, 13_000)]);
    recorder.priced('acme', [sample(null, 10_000), sample(0, 10_000)]);
    assert.deepEqual(counted, ['drifts acme 10 1, 0', 'drifts acme -50 1, -100', 'drifts acme more 1, 300']);
  });

  it('what they refused though their calendar offered it, and how they were read', () => {
    const { counted, recorder } = aStage();
    recorder.refused('acme:17', 'minimum_stay');
    recorder.refreshed('acme', 1200, 7, [], 0);
    recorder.failed('acme', 'timeout', new Error('late'));
    assert.deepEqual(counted, [
      'refused_offers acme minimum_stay 1, 0',
      'readings acme succeeded 1, 1200',
      'readings acme timeout 1, 0',
    ]);
  });
});

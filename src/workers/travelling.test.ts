import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { CLIENT_STAYS } from '../contract/waiting-client.ts';
import type { OperationAnswer } from '../operations/serve-operation.ts';
import { valid } from '../reading/reading.ts';
import { packAnswer, packRequest, unpackAnswer, unpackRequest } from './travelling.ts';

it('brings a request to another thread as it was', () => {
  const request = sampleRequest({
    operation: 'readResult',
    token: 'a token',
    key: 'a key',
    versions: ['2026-11-15'],
    values: valid(new Map<string, unknown>([['guests', { __proto__: null, nested: [1, 'two'] }]])),
    method: 'GET',
    view: 'compact',
    amenitiesAtOnce: true,
    unknownParameter: 'colour',
    faultyParameter: 'fields',
  });
  const arrived = unpackRequest(structuredClone(packRequest(request)), CLIENT_STAYS);
  assert.deepEqual(arrived, {
    ...request,
    values: valid(new Map([['guests', { nested: [1, 'two'] }]])),
  });
});

it('brings its answer back as it was', () => {
  const answer: OperationAnswer = {
    body: new Uint8Array([1, 2, 3]),
    error: 'overloaded',
    replayed: true,
    retryAfterSeconds: 4,
    tag: 'a tag',
    current: false,
    key: 'a key',
    rate: { limit: 6, remaining: 5, resetAt: 7, allowed: true, retryAfterSeconds: 8 },
  };
  assert.deepEqual(unpackAnswer(structuredClone(packAnswer(answer))), answer);
  assert.deepEqual(unpackAnswer(packAnswer({ ...answer, body: 'a text' })).body, 'a text');
});

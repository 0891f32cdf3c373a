import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import { compileSchema } from '../support/json-schema.ts';

const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

test('the committed document is the generated one: run `npm run generate` after a change', () => {
  assert.equal(committed, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
});

test('it is a valid OpenAPI document', async () => {
  const outcome = await new Validator().validate(JSON.parse(committed));
  assert.deepEqual(outcome, { valid: true });
});

test('every schema is a sound one', () => {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  for (const { answers, body, problem } of operations) {
    for (const { schema } of answers) compileSchema(schema);
    compileSchema(problem);
    if (body) compileSchema(body);
  }
});

test('every answer names every standard header', () => {
  const { paths } = JSON.parse(committed);
  for (const [path, methods] of Object.entries<object>(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const [status, response] of Object.entries<{ headers: object; content?: object }>(responses)) {
        assert.deepEqual(
          Object.keys(response.headers).filter((name) => name !== 'X-Result-Current'),
          [
            'X-RateLimit-Limit',
            'X-RateLimit-Remaining',
            'X-RateLimit-Reset',
            'X-API-Version',
            'X-Request-Id',
            'Idempotency-Key',
          ],
          `${method} ${path} ${status}`,
        );
        assert.deepEqual(Object.keys(response.content ?? {}), status === '304' ? [] : ['application/json']);
      }
    }
  }
});

test('every answer is closed: nothing that is not described can slip out', () => {
  const { SearchRequest: _request, ...answers } = JSON.parse(committed).components.schemas;
  for (const [name, schema] of Object.entries<object>(answers)) holdClosed(schema, name);
});

function holdClosed(node: unknown, at: string): void {
  if (typeof node !== 'object' || node === null) return;
  if ('properties' in node && 'type' in node) {
    assert.equal(Reflect.get(node, 'additionalProperties'), false, `${at} is closed`);
  }
  for (const [key, child] of Object.entries(node)) holdClosed(child, `${at}/${key}`);
}

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { RecordedExample } from '../../src/contract/openapi.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { compileSchema, componentSchema } from '../support/json-schema.ts';
import { recordExamples } from '../support/record-examples.ts';

const FILE = new URL('../../src/contract/recorded-examples.json', import.meta.url);

type Media = {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Described = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
};

const { paths, components } = JSON.parse(JSON.stringify(openApiDocument()));
const described = Object.values<Record<string, Described>>(paths).flatMap((methods) =>
  Object.values(methods),
);

describe('the examples of the OpenAPI document', () => {
  it('are what a running service answers today; STAYWIRE_WRITE_EXAMPLES=1 records them again', async () => {
    const recorded = await recordExamples();
    if (process.env.STAYWIRE_WRITE_EXAMPLES === '1') {
      writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
    }
    const committed: readonly RecordedExample[] = JSON.parse(readFileSync(FILE, 'utf8'));
    for (const [index, example] of recorded.entries()) {
      const { operation, method, name } = example;
      assert.equal(
        JSON.stringify(committed[index]),
        JSON.stringify(example),
        `${operation} ${method} ${name}`,
      );
    }
    assert.equal(committed.length, recorded.length);
  });

  it('are accepted by their schemas, requests and answers', () => {
    let checked = 0;
    for (const { operationId, requestBody, responses } of described) {
      const media = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      for (const { schema, examples = {} } of media) {
        const validate = compileSchema(componentSchema({ ...components.schemas, Here: schema }, 'Here'));
        for (const [name, { value }] of Object.entries(examples)) {
          assert.deepEqual(validate(value), [], `${operationId} ${name}`);
          checked += 1;
        }
      }
    }
    assert.ok(checked > 30, `${checked} were checked`);
  });

  it('show every answer of every operation, and every request that has a body', () => {
    const bodies = new Set<string>();
    for (const { operationId, requestBody, responses } of described) {
      const names = (media: Media | undefined) => Object.keys(media?.examples ?? {});
      assert.notDeepEqual(names(responses['200']?.content?.['application/json']), [], operationId);
      if (requestBody) assert.notDeepEqual(names(requestBody.content['application/json']), [], operationId);
      for (const { value } of Object.values(
        responses['200']?.content?.['application/json']?.examples ?? {},
      )) {
        const { object, error } = value as { object?: string; error?: string };
        bodies.add(`${operationId}: ${object ?? error}`);
      }
    }
    for (const kind of ['incomplete_payload', 'search_result', 'invalid_value', 'session_not_found']) {
      assert.ok(bodies.has(`search: ${kind}`), kind);
    }
    const failures = described.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status !== '200' && content?.['application/json']?.examples)
        .map(([status]) => `${operationId} ${status}`),
    );
    assert.deepEqual(failures, [
      'openSession 403',
      'openSession 404',
      'openSessionByGet 403',
      'search 403',
      'searchByGet 403',
      'readResult 403',
      'readResult 404',
      'readResult 409',
      'readResult 410',
      'readSchema 403',
      'readTerms 403',
      'readTerms 429',
    ]);
  });
});

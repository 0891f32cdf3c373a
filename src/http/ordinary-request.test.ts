import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ordinaryRequest } from './ordinary-request.ts';
import { ordinaryQuery } from './query.ts';

const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

function recognised(method: string, url: string, headers: Readonly<Record<string, string>> = {}) {
  return ordinaryRequest({ method, url, headers } as unknown as IncomingMessage, () => 'req_1');
}

describe('an ordinary request', () => {
  it('is an operation at its own address, with a small JSON body or none', () => {
    for (const [method, url, headers] of [
      ['GET', '/ai/v1/search?session=ses_1', {}],
      ['GET', '/ai/v1/search?session=ses_1', { 'content-type': 'application/json' }],
      ['POST', '/ai/v1/search?session=ses_1&idempotency_key=sw.3.0', JSON_BODY],
      ['POST', '/ai/v1/search', { ...JSON_BODY, 'content-type': 'application/json; charset=utf-8' }],
      ['POST', '/ai/v1/auth', {}],
      ['GET', '/ai/v1/result?session=ses_1&view=compact', {}],
    ] as const) {
      assert.ok(recognised(method, url, headers), `${method} ${url}`);
    }
  });

  it('names its operation and its parameters', () => {
    const request = recognised('GET', '/ai/v1/result?session=ses_1&view=');
    assert.equal(request?.operation, 'readResult');
    assert.deepEqual(
      [...(request?.query.once ?? [])],
      [
        ['session', 'ses_1'],
        ['view', ''],
      ],
    );
  });

  it('is nothing that has to be decoded, checked or refused first', () => {
    for (const [method, url, headers] of [
      ['GET', '/%61i/v1/search?session=ses_1', {}],
      ['GET', 'http://localhost/ai/v1/search', {}],
      ['GET', '/ai/v1/search/', {}],
      ['GET', '/ai/v1/search?session=ses_1&value=S%C3%A3o', {}],
      ['GET', '/ai/v1/search?session=a+b', {}],
      ['GET', '/ai/v1/search?session=a&session=b', {}],
      ['GET', '/ai/v1/search?session', {}],
      ['GET', '/ai/v1/search?session=a&', {}],
      ['HEAD', '/ai/v1/result?session=ses_1', {}],
      ['PUT', '/ai/v1/search', JSON_BODY],
      ['POST', '/ai/v1/result', JSON_BODY],
      ['GET', '/ai/v1/search', JSON_BODY],
      ['POST', '/ai/v1/search', { ...JSON_BODY, 'content-type': 'text/plain' }],
      ['POST', '/ai/v1/search', { 'content-length': '2' }],
      ['POST', '/ai/v1/search', { ...JSON_BODY, 'content-length': '9999999' }],
      ['POST', '/ai/v1/search', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
      ['POST', '/ai/v1/search', { ...JSON_BODY, expect: '100-continue' }],
      ['GET', '/', {}],
      ['POST', '/mcp', JSON_BODY],
    ] as const) {
      assert.equal(recognised(method, url, headers), null, `${method} ${url} ${JSON.stringify(headers)}`);
    }
  });

  it('has the parameters that any reader finds in its query', () => {
    const character = fc.constantFrom(...'ab=&%+._-~:;1/[é', '__proto__');
    const query = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(query, (text) => {
        const read = ordinaryQuery(text);
        if (read) assert.deepEqual([...read.once], [...new URLSearchParams(text)]);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../random.ts';
import { createRequestIds, endOfTurn, ordinaryQuery, ordinaryRequest } from './incoming-request.ts';

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

it('names every request differently', () => {
  const newId = createRequestIds(systemRandom);
  const ids = Array.from({ length: 2000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^req_[\w-]{16}$/);
});

it('writes each identifier from twelve bytes of its own', () => {
  const drawn: Buffer[] = [];
  const newId = createRequestIds({
    bytes(count) {
      const bytes = Buffer.from(Array.from({ length: count }, (_, at) => (at * 7 + drawn.length) % 256));
      drawn.push(bytes);
      return bytes;
    },
  });
  const ids = Array.from({ length: 600 }, newId);
  const all = Buffer.concat(drawn);
  for (const [at, id] of ids.entries()) {
    assert.equal(id, `req_${all.subarray(at * 12, at * 12 + 12).toString('base64url')}`);
  }
});

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the end of a turn of the event loop', () => {
  it('is one for all that wait for it, and another one in the next turn', async () => {
    const turn = endOfTurn();
    assert.equal(endOfTurn(), turn);
    await turn;
    assert.notEqual(endOfTurn(), turn);
    await endOfTurn();
  });

  it('comes after all that was received in it, stage by stage for everybody', async () => {
    const stages: string[] = [];
    async function request(name: string): Promise<void> {
      await endOfTurn();
      stages.push(`${name} begins`);
      await null;
      stages.push(`${name} ends`);
    }
    const requests = [request('one'), request('other')];
    await Promise.resolve();
    assert.deepEqual(stages, []);
    await nextTurn();
    await Promise.all(requests);
    assert.deepEqual(stages, ['one begins', 'other begins', 'one ends', 'other ends']);
  });
});

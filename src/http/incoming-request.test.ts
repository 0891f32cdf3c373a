import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type IncomingRequest, rawPath, readBody, readQuery, readTarget } from './incoming-request.ts';

describe('the target of a request', () => {
  it('has a decoded path, without host, query and fragment', () => {
    for (const [url, path] of [
      ['/', '/'],
      ['/ai/v1/search?session=a?b', '/ai/v1/search'],
      ['/ai/v1/auth#x?y', '/ai/v1/auth'],
      ['/%61i/v1/auth', '/ai/v1/auth'],
      ['/ai%2Fv1/auth', '/ai%2Fv1/auth'],
      ['http://stays.example/ai/v1/auth?a=1', '/ai/v1/auth'],
      ['HTTPS://stays.example', '/'],
      ['http://stays.example?a=1', '/'],
      ['//ai/v1/auth', '//ai/v1/auth'],
      ['*', '*'],
      ['localhost:443', 'localhost:443'],
      ['/ai/%ff', null],
    ] as const) {
      assert.equal(readTarget(url).path, path, url);
    }
    assert.equal(rawPath('/%61i/v1/auth?x=1'), '/%61i/v1/auth');
    assert.equal(rawPath('http://stays.example/ai/v1/auth'), '/ai/v1/auth');
  });

  it('has the parameters that any reader finds in its query', () => {
    const part = fc.constantFrom(...'ab=&+._-~:;1/[é', '__proto__', '%20', '%C3%A3', '%26');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const query = readQuery(parts.join(''));
        const expected = Map.groupBy(new URLSearchParams(parts.join('')), ([name]) => name);
        assert.deepEqual(
          [...query.once.keys(), ...query.repeated.keys()].sort(),
          [...expected.keys()].sort(),
        );
        for (const [name, pairs] of expected) {
          const values = pairs.map(([, value]) => value);
          assert.deepEqual(query.repeated.get(name) ?? [query.once.get(name)], values);
        }
      }),
    );
  });
});

describe('the body of a request', () => {
  const read = (method: string, headers: Readonly<Record<string, string>>, parts: readonly string[] = []) => {
    const raw = Object.assign(Readable.from(parts.map((part) => Buffer.from(part))), { headers });
    const request = { raw, method } as unknown as IncomingRequest;
    return readBody(request, { type: 'application/json', maxBytes: 8 });
  };
  const json = { 'content-type': ' Application/JSON ; charset=utf-8', 'content-length': '2' };

  it('is read by its type, whatever comes in how many parts', async () => {
    assert.deepEqual(await read('POST', json, ['{', '}']), Buffer.from('{}'));
    const { 'content-length': _length, ...chunked } = { ...json, 'transfer-encoding': 'chunked' };
    assert.deepEqual(await read('PUT', chunked, ['{}']), Buffer.from('{}'));
    assert.equal(await read('POST', { ...json, 'content-type': 'text/plain' }, ['{}']), 'other_type');
    assert.equal(await read('POST', { 'content-length': '2' }, ['{}']), 'other_type');
    for (const type of ['', 'json', 'application /json', 'application/json charset'])
      assert.equal(await read('POST', { ...json, 'content-type': type }), 'invalid_type', type);
  });

  it('may be empty under any type, and is none for methods without one', async () => {
    assert.equal(await read('POST', {}), 'none');
    assert.equal(await read('POST', { 'content-length': '0' }), 'none');
    assert.equal(await read('POST', { 'content-type': 'text/plain' }), 'none');
    assert.equal(
      await read('POST', { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }),
      'none',
    );
    assert.deepEqual(await read('POST', { 'content-type': 'application/json' }), Buffer.alloc(0));
    assert.equal(await read('GET', json, ['{}']), 'none');
  });

  it('is not read beyond the limit', async () => {
    assert.equal(await read('POST', { ...json, 'content-length': '9' }), 'too_large');
    const { 'content-length': _length, ...chunked } = { ...json, 'transfer-encoding': 'chunked' };
    assert.equal(await read('POST', chunked, ['12345678', '9']), 'too_large');
    assert.deepEqual(await read('POST', chunked, ['12345678']), Buffer.from('12345678'));
  });
});

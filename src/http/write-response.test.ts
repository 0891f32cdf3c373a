import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { writtenBody } from '../../test/support/sample-body.ts';
import { answerWith } from '../contract/exchange.ts';
import {
  chooseEncoding,
  chooseFormat,
  createCompressBody,
  encodedResponse,
  isWorthCompressing,
  responseTo,
  standardHeaders,
  writeResponse,
} from './write-response.ts';

const rate = { limit: 60, remaining: 59, resetAt: 1_794_733_200, allowed: true, retryAfterSeconds: 0 };

const context = { requestId: 'req_1', rate, key: null };

describe('the response to an answer', () => {});

describe('the response with a document', () => {
  const document = answerWith(writtenBody('{"object":"terms"}'), { tag: 'abc' });
  const headers = { etag: '"abc"', 'cache-control': 'private, max-age=300' };

  it('is 304 without a body for a caller with the same copy', () => {
    for (const known of ['"abc"', 'W/"abc"', '"x", "abc"', '"x","abc" , W/"y"', '"x", W/"abc"', '*']) {
      assert.deepEqual(
        responseTo(document, 'terms', { ifNoneMatch: known, encoding: null }),
        { status: 304, body: '', headers },
        known,
      );
    }
  });

  it('is sent to a caller with another copy, or none', () => {
    for (const other of ['"abcd"', 'abc', '"ab", "c"', 'w/"abc"', '']) {
      assert.equal(responseTo(document, 'terms', { ifNoneMatch: other, encoding: null }).status, 200, other);
    }
  });

  it('has a weak tag in another encoding, because the bytes differ', () => {
    const weak = { ...headers, etag: 'W/"abc"' };
    for (const encoding of ['br', 'gzip'] as const) {
      assert.deepEqual(responseTo(document, 'terms', { encoding }).headers, weak);
      const again = responseTo(document, 'terms', { ifNoneMatch: 'W/"abc"', encoding });
      assert.deepEqual(again, { status: 304, body: '', headers: weak });
    }
  });
});

describe('a response in another encoding', () => {
  const compress = createCompressBody();
  const text = 'São Paulo, '.repeat(300);

  it('is named and has the length of what is sent', async () => {
    const plain = { status: 200, body: text, headers: { etag: 'W/"abc"' } };
    const { headers, body } = write(await encodedResponse(plain, 'gzip', compress));
    assert.ok(body instanceof Uint8Array);
    assert.equal(gunzipSync(body).toString(), text);
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers['content-length'], body.length);
    assert.equal(headers.etag, 'W/"abc"');
  });
});

describe('every response', () => {
  it('has these headers', () => {
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-api-version': '2026-11-01',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
      'x-request-id': 'req_1',
      'x-ratelimit-limit': 60,
      'x-ratelimit-remaining': 59,
      'x-ratelimit-reset': 1_794_733_200,
    };
    assert.deepEqual(standardHeaders(context), headers);
    assert.deepEqual(standardHeaders({ ...context, key: 'k1' }), { ...headers, 'idempotency-key': 'k1' });
  });

  it('is written in one piece, with its length in bytes', () => {
    const { status, headers, body } = write({ status: 200, body: '{"name":"São"}' });
    assert.deepEqual([status, body, headers['content-length']], [200, '{"name":"São"}', 15]);
    assert.equal(headers['x-request-id'], 'req_1');
    assert.equal('connection' in headers, false);
  });

  it('closes the connection while the service closes', () => {
    assert.equal(write({ status: 200, body: '' }, true).headers.connection, 'close');
  });
});

function write(response: Parameters<typeof writeResponse>[1], closing = false) {
  const written = { status: 0, headers: {} as Record<string, unknown>, body: undefined as unknown };
  const raw = {
    writeHead: (status: number, headers: Record<string, unknown>) =>
      Object.assign(written, { status, headers }),
    end: (body: unknown) => Object.assign(written, { body }),
  };
  writeResponse(raw as unknown as ServerResponse, response, context, closing);
  return written;
}

test('what comes back is what was put in, from text and from bytes', async () => {
  const compress = createCompressBody();
  const text = JSON.stringify({ name: 'Casa São Bento', amounts: Array.from({ length: 1000 }, (_, i) => i) });
  for (const body of [text, Buffer.from(text)]) {
    assert.equal(brotliDecompressSync(await compress(body, 'br')).toString(), text);
    assert.equal(gunzipSync(await compress(body, 'gzip')).toString(), text);
  }
});

test('bytes that are sent again are compressed once in each encoding, even by callers at the same time', async () => {
  const runs: string[] = [];
  const counting = (name: string) => async (body: string | Uint8Array) => {
    runs.push(name);
    return Buffer.from(body);
  };
  const compress = createCompressBody({ br: counting('br'), gzip: counting('gzip') });
  const cached = Buffer.from('kept');
  await Promise.all([compress(cached, 'br'), compress(cached, 'br'), compress(cached, 'gzip')]);
  await compress(cached, 'br');
  assert.deepEqual(runs, ['br', 'gzip']);
  await compress(Buffer.from('kept'), 'br');
  assert.deepEqual(runs, ['br', 'gzip', 'br'], 'other bytes are other bytes, even when they are equal');
});

test('only more than 2 KB is worth it, counted in bytes', () => {
  assert.equal(isWorthCompressing('x'.repeat(2048)), false);
  assert.equal(isWorthCompressing('x'.repeat(2049)), true);
  assert.equal(isWorthCompressing('é'.repeat(1025)), true);
  assert.equal(isWorthCompressing(Buffer.alloc(2049)), true);
  assert.equal(isWorthCompressing(''), false);
});

test('a caller that does not ask gets the plain body', () => {
  for (const header of [undefined, '', 'identity', 'deflate', 'zstd, compress', 'brotli', 'gzipped']) {
    assert.equal(chooseEncoding(header), null, header);
  }
});

test('otherwise the quality decides', () => {
  for (const [header, encoding] of [
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.9, *;q=0.1', 'gzip'],
    ['gzip;q=0, *;q=0.1', 'br'],
    ['br ; q=0.001', 'br'],
    ['gzip;q=0', null],
    ['*;q=0', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.2', 'gzip'],
  ] as const) {
    assert.equal(chooseEncoding(header), encoding, header);
  }
});

test('a quality that cannot be read counts as a refusal', () => {
  for (const header of ['br;q=2', 'br;q=-1', 'br;q=', 'br;q=abc', 'gzip;q=1.5']) {
    assert.equal(chooseEncoding(header), null, header);
  }
});

test('people get a page, those who name Markdown get it, everyone else gets JSON', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/*', 'json'],
    ['text/plain', 'json'],
    ['image/png', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'html'],
    ['text/html', 'html'],
    ['TEXT/HTML;level=1', 'html'],
    ['text/html;q=0.5', 'html'],
    ['text/html, */*', 'html'],
    ['text/html;q=0.5, */*;q=0.9', 'json'],
    ['text/html;q=0.9, application/json', 'json'],
    ['text/html;q =0.1, application/json;Q=0.5', 'json'],
    ['text/html, application/json', 'json'],
    ['text/html, application/json;q=0.9', 'html'],
    ['text/html;q=0', 'json'],
    ['text/markdown', 'markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'markdown'],
    ['text/html, text/markdown', 'markdown'],
    ['text/html, text/markdown;q=0.5', 'html'],
    ['text/*', 'markdown'],
    ['text/*, text/markdown;q=0', 'html'],
    ['*/*, application/json;q=0', 'markdown'],
    ['*/*;q=0', 'json'],
    ['text/html;q=nonsense', 'json'],
    [';;q=1,,', 'json'],
  ];
  for (const [accept, format] of cases) assert.equal(chooseFormat(accept), format, accept);
});

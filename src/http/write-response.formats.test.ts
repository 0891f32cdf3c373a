import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseEncoding, chooseFormat } from './write-response.ts';

test('a caller that does not ask gets the plain body', () => {
  for (const header of [undefined, '', 'identity', 'deflate', 'zstd, compress', 'brotli', 'gzipped']) {
    assert.equal(chooseEncoding(header), null, header);
  }
});

test('brotli is preferred where both are liked equally', () => {
  for (const header of ['br', 'gzip, deflate, br', 'GZIP;q=1.0, BR;q=1', 'br;q=0.5, gzip;q=0.5', '*']) {
    assert.equal(chooseEncoding(header), 'br', header);
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

test('any header at all has an answer', () => {
  fc.assert(
    fc.property(fc.string(), (accept) => ['json', 'markdown', 'html'].includes(chooseFormat(accept))),
  );
});

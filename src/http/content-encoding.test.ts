import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding } from './content-encoding.ts';

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContact } from './web-address.ts';

test('an address at which somebody can be reached becomes a URI', () => {
  for (const [text, uri] of [
    ['security@stays.example', 'mailto:security@stays.example'],
    ['mailto:security@stays.example', 'mailto:security@stays.example'],
    ['tel:+351-1-234', 'tel:+351-1-234'],
    ['https://Stays.example/report', 'https://stays.example/report'],
  ]) {
    assert.deepEqual(readContact(text ?? ''), { kind: 'valid', value: uri });
  }
});

test('nothing else does, least of all a second line', () => {
  for (const text of [
    '',
    'the front desk',
    'http://stays.example/report',
    'a@b',
    'a@b.example\nContact: evil',
    'mailto:a@b.example\nX: y',
    'https://',
    'javascript:alert(1)',
  ]) {
    assert.equal(readContact(text).kind, 'invalid', JSON.stringify(text));
  }
});

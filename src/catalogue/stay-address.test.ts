import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageAddress } from './stay-address.ts';

describe('the page of a property', () => {
  for (const [template, page] of [
    ['https://a.example/homes/{reference}?from={check_in}&lang=en', 'https://a.example/homes/h%201'],
    [
      'https://a.example/book.php?lang=en&room={reference}&from={check_in}&n={nights}',
      'https://a.example/book.php?lang=en&room=h%201',
    ],
    ['https://a.example/homes', 'https://a.example/homes'],
  ] as const) {
    it(`is ${page} in ${template}`, () => {
      assert.equal(pageAddress(template, 'h 1'), page);
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../contract/exchange.ts';
import { publishedDocument } from './perform-operation.ts';

test('a document is the bytes of its JSON, tagged by their hash', () => {
  const answer = publishedDocument({ object: 'terms', text: 'é' });
  assert.equal(String(textOf(answer)), '{"object":"terms","text":"é"}');
  assert.equal(answer.tag, 'F-mUEPYsecMeacJCMeQSH5');
  assert.deepEqual([answer.error, answer.replayed, answer.retryAfterSeconds], [null, false, null]);
});

test('another content has another tag', () => {
  assert.equal(publishedDocument({ a: 1 }).tag, publishedDocument({ a: 1 }).tag);
  assert.notEqual(publishedDocument({ a: 1 }).tag, publishedDocument({ a: 2 }).tag);
});

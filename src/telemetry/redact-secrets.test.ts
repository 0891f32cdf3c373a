import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverUrl } from '../app/setting-parsers.ts';
import { redactSecrets } from './redact-secrets.ts';

test('only the secret is redacted', () => {
  const cases = {
    'GET https://a.example/x?session=abc failed': 'GET https://a.example/x?[redacted] failed',
    'at /x%3Fkey%3Dabc, twice': 'at /x?[redacted] twice',
    'https://me:secret@a.example/x': 'https://[redacted]@a.example/x',
    'https://a.example?key=abc@def': 'https://a.example?[redacted]',
    'https://a.example%3Fkey=abc@def': 'https://[redacted]?[redacted]',
    'Authorization: Bearer abc.def-123': 'Authorization: Bearer [redacted]',
    '{"idempotency_key":"abc","field":"guests"}': '{"idempotency_key":"[redacted]","field":"guests"}',
    '"body was {\\"token\\":\\"abc\\",\\"guests\\":\\"2\\"}"':
      '"body was {\\"token\\":\\"[redacted]\\",\\"guests\\":\\"2\\"}"',
    'no session ses_abcDEF-_09abcDEF-_09 here': 'no session ses_[redacted] here',
    'at /%73es_abcDEF-_09abcDEF-_09/x': 'at /ses_[redacted]/x',
    'at /%73%65%73%5FabcDEF-_09abcDEF-_09': 'at /ses_[redacted]',
    'at /se%53%5fabcDEF%2D_09abcDEF-_09': 'at /ses_[redacted]',
    'at /%2573es%255FabcDEF-_09abcDEF-_09': 'at /ses_[redacted]',
    'at /%25252573es_%61%62%63abcDEF-_09': 'at /ses_[redacted]',
    'at /x%253Fsession%253Dabc twice': 'at /x?[redacted] twice',
    'is it free? yes': 'is it free? yes',
    'at /%73es_short': 'at /%73es_short',
    'all courses_are taught by bearers': 'all courses_are taught by bearers',
  };
  for (const [line, expected] of Object.entries(cases)) assert.equal(redactSecrets(line), expected);
});

test('no password of a server’s address gets through, however it is written', () => {
  const readUrl = serverUrl(['postgres', 'redis']);
  const passwords = [
    'secret',
    's.e~c!r$e&t*1+2,3;4=5:secret',
    '%22secret%5C%27',
    '%40secret%2Fsecret%3Fsecret',
  ];
  const addresses = passwords.flatMap((password) => [
    `postgres://staywire:${password}@db.internal:5432/staywire?sslmode=require`,
    `redis://:${password}@a.internal:6379?cluster=true`,
    `redis://redis.internal?password=${password}`,
  ]);
  for (const address of addresses) {
    assert.equal(readUrl(address).kind, 'valid', address);
    const line = JSON.stringify({
      msg: `cannot reach ${address}`,
      url: address,
      nested: JSON.stringify({ address }),
    });
    assert.doesNotMatch(redactSecrets(line), /secret/, address);
  }
});

test('a megabyte of hostile text is searched in linear time', () => {
  const worst = [
    '?',
    '\\',
    '"',
    'ses',
    'bearer ',
    '://',
    '"token\\',
    '%3',
    ' ',
    'a@',
    '%25',
    '%',
    '25',
    '%73',
    '%2573es',
  ];
  const startedAt = process.cpuUsage().user;
  for (const piece of worst) redactSecrets(piece.repeat(1_000_000 / piece.length));
  // A pattern that backtracks takes minutes. Measured in processor time, so that a busy machine does not matter.
  assert.ok((process.cpuUsage().user - startedAt) / 1e6 < 5);
});

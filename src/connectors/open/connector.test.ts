import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOpenEntry } from './connector.ts';

const entry = { kind: 'open' as const, url: 'https://ops.casas.example/staywire/' };

test('an entry with nothing but an address gets the default limits and no token', () => {
  assert.deepEqual(readOpenEntry(entry, { env: {} }), {
    kind: 'valid',
    value: {
      baseUrl: 'https://ops.casas.example/staywire',
      token: null,
      windows: undefined,
      limits: { batchSize: 20, concurrency: 8, timeoutMs: 4000 },
    },
  });
});

test('an entry sets its own limits, and takes its token from the environment', () => {
  const full = {
    ...entry,
    token_variable: 'CASAS_TOKEN',
    timeout_ms: 900,
    concurrency: 2,
    quote_batch: 5,
    rate_limits: [{ requests: 300, seconds: 60 }],
  };
  assert.deepEqual(readOpenEntry(full, { env: { CASAS_TOKEN: 'secret' } }), {
    kind: 'valid',
    value: {
      baseUrl: 'https://ops.casas.example/staywire',
      token: 'secret',
      windows: [{ requests: 300, perMs: 60_000 }],
      limits: { batchSize: 5, concurrency: 2, timeoutMs: 900 },
    },
  });
});

test('a bad address and a missing token are both reported', () => {
  const bad = { ...entry, url: 'http://ops.casas.example/', token_variable: 'CASAS_TOKEN' };
  for (const env of [{}, { CASAS_TOKEN: '' }, { CASAS_TOKEN: 'two words' }]) {
    assert.deepEqual(readOpenEntry(bad, { env }), {
      kind: 'invalid',
      faults: [
        { pointer: '/url', message: 'must begin with https://' },
        {
          pointer: '/token_variable',
          message: 'CASAS_TOKEN is not set, or holds no bearer token',
          isSecret: true,
        },
      ],
    });
  }
});

test('the key of the credentials and the secrets of accounts are nobody’s token', () => {
  for (const token_variable of ['STAYWIRE_CREDENTIALS_KEY', 'STAYWIRE_SECRET_HARBOR_API_KEY']) {
    const reading = readOpenEntry({ ...entry, token_variable }, { env: { [token_variable]: 'secret' } });
    assert.equal(reading.kind, 'invalid');
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookingsyncConnector, readBookingsyncEntry } from './connector.ts';

const entry = { kind: 'bookingsync' as const, account: 'harbor' };
const secrets = { client_id: 'id', client_secret: 'secret', refresh_token: '' };

describe('an entry for BookingSync', () => {
  it('needs an account only, and gets what the vendor states', () => {
    assert.deepEqual(readBookingsyncEntry(entry, {}, secrets), {
      kind: 'valid',
      value: {
        baseUrl: 'https://www.bookingsync.com/api/v3',
        windows: [{ requests: 1000, perMs: 3_600_000 }],
        limits: { batchSize: 50, concurrency: 4, timeoutMs: 8000 },
        account: 'harbor',
        credentials: { clientId: 'id', clientSecret: 'secret', authorization: null },
        accountId: null,
        language: 'en',
      },
    });
  });

  it('can name one account of the application, its language and its authorization', () => {
    const full = { ...entry, account_id: 7, language: 'fr', redirect_uri: 'https://app.example/back' };
    const reading = readBookingsyncEntry(full, {}, { ...secrets, refresh_token: 'refresh' });
    assert.ok(reading.kind === 'valid');
    const { accountId, language, credentials } = reading.value;
    assert.deepEqual([accountId, language], ['7', 'fr']);
    assert.deepEqual(credentials.authorization, {
      refreshToken: 'refresh',
      redirectUri: 'https://app.example/back',
    });
  });

  it('is refused with the place of each fault', () => {
    const env = { STAYWIRE_SECRET_HARBOR_CLIENT_ID: 'id', STAYWIRE_SECRET_HARBOR_CLIENT_SECRET: 'secret' };
    const pointers = (changes: Record<string, unknown>, surroundings: Record<string, string> = env) => {
      const reading = bookingsyncConnector.readEntry(
        { ...entry, ...changes },
        { env: surroundings, directory: '.' },
      );
      return reading.kind === 'invalid' ? reading.faults.map(({ pointer }) => pointer) : 'valid';
    };
    assert.equal(pointers({}), 'valid');
    assert.deepEqual(pointers({ url: 'http://www.bookingsync.com/api/v3' }), ['/url']);
    assert.deepEqual(pointers({ account_id: 'seven' }), ['/account_id']);
    assert.deepEqual(pointers({ language: 'English' }), ['/language']);
    assert.deepEqual(pointers({}, { STAYWIRE_SECRET_HARBOR_CLIENT_ID: 'id' }), ['/account']);
  });
});

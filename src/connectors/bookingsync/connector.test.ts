import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookingsyncConnector } from './connector.ts';

const entry = { kind: 'bookingsync' as const, account: 'harbor' };

describe('an entry for BookingSync', () => {
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lodgifyConnector } from './connector.ts';

const entry = { kind: 'lodgify' as const, account: 'harbor' };

describe('an entry for Lodgify', () => {
  it('is refused with the place of each fault', () => {
    const env = { STAYWIRE_SECRET_HARBOR_API_KEY: 'key' };
    const pointers = (changes: Record<string, unknown>, surroundings: Record<string, string> = env) => {
      const reading = lodgifyConnector.readEntry(
        { ...entry, ...changes },
        { env: surroundings, directory: '.' },
      );
      return reading.kind === 'invalid' ? reading.faults.map(({ pointer }) => pointer) : 'valid';
    };
    assert.equal(pointers({ booking_mode: 'instant', cancellation_text: 'No refunds.' }), 'valid');
    assert.deepEqual(pointers({ url: 'ftp://api.lodgify.com' }), ['/url']);
    assert.deepEqual(pointers({ booking_mode: 'sometimes' }), ['/booking_mode']);
    assert.deepEqual(pointers({ rate_limits: [{ requests: 0, seconds: 60 }] }), ['/rate_limits/0/requests']);
    assert.deepEqual(pointers({}, {}), ['/account']);
  });
});

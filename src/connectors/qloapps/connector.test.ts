import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qloappsConnector } from './connector.ts';

const env = { STAYWIRE_SECRET_HARBOUR_API_KEY: 'a-key' };
const url = 'https://hotel.example';
const read = (changes: object, more: object = {}) =>
  qloappsConnector.readEntry(
    { kind: 'qloapps', account: 'harbour', url, ...changes },
    { env, directory: '.', ...more },
  );

describe('an entry for QloApps', () => {
  it('needs an account, its key and an address', () => {
    assert.equal(read({}).kind, 'valid');
    const missing = read({}, { env: {} });
    assert.ok(missing.kind === 'invalid');
    assert.match(missing.faults[0]?.message ?? '', /api_key/);
    assert.equal(
      qloappsConnector.readEntry({ kind: 'qloapps', account: 'harbour' }, { env, directory: '.' }).kind,
      'invalid',
    );
  });

  it('can change all that there is', () => {
    const all = {
      url: 'http://127.0.0.1:9/hotel',
      rate_limits: [{ requests: 2, seconds: 1 }],
      timeout_ms: 9000,
      concurrency: 1,
      pictures_url: 'https://media.hotel.example',
      last_booking_date: '2027-12-31',
      minimum_booking_offset: 2,
      booking_mode: 'request',
      cancellation_text: 'Never.',
    };
    assert.equal(read(all).kind, 'valid');
  });

  it('is refused with the place of each fault', () => {
    for (const [changes, pointer] of [
      [{ url: 'http://hotel.example' }, '/url'],
      [{ pictures_url: 'ftp://hotel.example' }, '/pictures_url'],
      [{ last_booking_date: '2027-02-30' }, '/last_booking_date'],
      [{ minimum_booking_offset: 366 }, '/minimum_booking_offset'],
      [{ booking_mode: 'never' }, '/booking_mode'],
    ] as const) {
      const reading = read(changes);
      assert.ok(reading.kind === 'invalid', pointer);
      assert.deepEqual(
        reading.faults.map((fault) => fault.pointer),
        [pointer],
      );
    }
  });
});

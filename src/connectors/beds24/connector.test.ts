import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beds24Connector } from './connector.ts';

const env = { STAYWIRE_SECRET_HARBOUR_REFRESH_TOKEN: 'a-refresh-token' };
const read = (changes: object, more: object = {}) =>
  beds24Connector.readEntry(
    { kind: 'beds24', account: 'harbour', picture_url: 'https://harbour.example/front.jpg', ...changes },
    { env, directory: '.', ...more },
  );

describe('an entry for Beds24', () => {
  it('needs an account, its refresh token and the address of pictures', () => {
    assert.equal(read({ picture_url: undefined }).kind, 'invalid');
    assert.equal(read({}).kind, 'valid');
    const missing = read({}, { env: {} });
    assert.ok(missing.kind === 'invalid');
    assert.deepEqual(
      missing.faults.map(({ pointer, message }) => [pointer, /refresh_token/.test(message)]),
      [['/account', true]],
    );
  });

  it('can change what is the vendor’s', () => {
    const all = {
      url: 'http://127.0.0.1:9/v2',
      rate_limits: [{ requests: 200, seconds: 300 }],
      timeout_ms: 5000,
      concurrency: 2,
      property_ids: [1, 2],
      offer_id: 2,
      organization: 'partner',
      language: 'de',
      picture_url: 'https://harbour.example/{reference}/front.jpg',
      cancellation_text: 'Never.',
    };
    assert.equal(read(all).kind, 'valid');
  });

  for (const [changes, pointer] of [
    [{ url: 'http://api.example.com' }, '/url'],
    [{ property_ids: [] }, '/property_ids'],
    [{ property_ids: ['1'] }, '/property_ids/0'],
    [{ offer_id: 17 }, '/offer_id'],
    [{ language: 'English' }, '/language'],
    [{ picture_url: 'https://harbour.example/{room}.jpg' }, '/picture_url'],
    [{ rate_limits: [{ requests: 0, seconds: 1 }] }, '/rate_limits/0/requests'],
  ] as const) {
    it(`is refused with ${JSON.stringify(changes)}`, () => {
      const reading = read(changes);
      assert.ok(reading.kind === 'invalid');
      assert.deepEqual(
        reading.faults.map((fault) => fault.pointer),
        [pointer],
      );
    });
  }

  it('never promises that its totals hold every tax and fee', () => {
    assert.equal(beds24Connector.canStateAllInTotals, false);
  });
});

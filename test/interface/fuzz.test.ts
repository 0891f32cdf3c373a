import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { setScene } from '../support/scene.ts';

const FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
  'amenities',
];
const field = fc.oneof(fc.constantFrom(...FIELDS, 'field', 'value', '__proto__', 'source'), fc.string());
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 300 }));
/** Near misses, such as values of another field, find more faults than noise does. */
const nearMiss = fc.constantFrom(
  'true',
  '2027-13',
  '2027-04-31',
  '0',
  '-1',
  '1e3',
  '2027-04 ',
  'lisbon',
  'x'.repeat(5000),
);
const value = fc.oneof(fc.jsonValue(), nearMiss, text, fc.double(), fc.constant(null));
const object = fc.dictionary(field, value, { maxKeys: 6, noNullPrototype: true });
const body = fc.oneof(
  object.map((members) => JSON.stringify(members)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const key = fc.oneof(fc.string({ maxLength: 20 }), fc.constant('a-stable-key-of-20chr'));

test('no body can make search anything but 200, or change what was received', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 1_000_000_000 } });
  const conversation = await open('acme');
  await conversation.send({ guests: 1 });
  await fc.assert(
    fc.asyncProperty(body, key, async (payload, idempotencyKey) => {
      const { received } = (await conversation.read()).body;
      const answer = await service.call({
        method: 'POST',
        url: conversation.address({ idempotency_key: idempotencyKey }),
        headers: { 'content-type': 'application/json' },
        payload,
      });
      assert.equal(answer.status, 200);
      // A body may hit a value that is on offer; whatever else it holds, what was received stays.
      const taken = answer.body.error === 'incomplete_payload' || 'accepted_fields' in answer.body;
      if (!taken) assert.deepEqual((await conversation.read()).body.received, received);
    }),
    { numRuns: 250 },
  );
  assertNoToken(service.logLines, conversation.token);
});

test('no query can make search anything but 200, or any endpoint a 5xx', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 1_000_000_000 } });
  const conversation = await open();
  const parameter = fc.tuple(
    fc.oneof(fc.constantFrom('session', 'idempotency_key', 'field', 'value', 'api_version'), fc.string()),
    fc.oneof(text, nearMiss, fc.constantFrom(conversation.token, '2026-11-01', ...FIELDS)),
  );
  const query = fc.array(parameter, { maxLength: 6 });
  const spelled = fc.oneof(
    query.map((pairs) =>
      pairs.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('=')).join('&'),
    ),
    fc.string({ unit: 'binary-ascii' }).map((raw) => raw.replaceAll(/[\s#\p{Cc}]/gu, '')),
  );
  const path = fc.constantFrom(
    '/ai/v1/auth',
    '/ai/v1/search',
    '/ai/v1/result',
    '/ai/v1/schema',
    '/ai/v1/terms',
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST'), path, spelled, async (method, address, parameters) => {
      const answer = await service.call({ method, url: `${address}?${parameters}` });
      assert.ok(answer.status < 500, `${answer.status}`);
      if (address === '/ai/v1/search') assert.equal(answer.status, 200);
    }),
    { numRuns: 400 },
  );
  assertNoToken(service.logLines, conversation.token);
});

test('no path leads anywhere but to an answer', async (t) => {
  const { service } = await setScene(t, { settings: { rateLimit: 1_000_000_000 } });
  const segment = fc.oneof(
    fc.constantFrom('ai', 'v1', 'search', '%61i', '..', '.', '%2e%2e', ''),
    fc.webSegment(),
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD');
  await fc.assert(
    fc.asyncProperty(method, fc.array(segment, { maxLength: 5 }), async (verb, segments) => {
      const { status } = await service.call({ method: verb, url: `/${segments.join('/')}` });
      assert.ok(status < 500);
    }),
    { numRuns: 200 },
  );
});

test('no body can make auth a 5xx, or open a session that nobody asked for', async (t) => {
  const { service } = await setScene(t, { settings: { rateLimit: 1_000_000_000 } });
  await fc.assert(
    fc.asyncProperty(body, async (payload) => {
      const answer = await service.call({
        method: 'POST',
        url: '/ai/v1/auth',
        headers: { 'content-type': 'application/json' },
        payload,
      });
      if (answer.status === 200)
        assert.ok(['{}', '{"source":null}'].includes(JSON.stringify(answer.body.request)));
      else assert.ok([400, 404].includes(answer.status), String(answer.status));
    }),
    { numRuns: 150 },
  );
});

function assertNoToken(lines: readonly string[], token: string): void {
  assert.ok(lines.length > 100);
  assert.deepEqual(
    lines.filter((line) => line.includes(token) || line.includes('ses_')),
    [],
  );
}

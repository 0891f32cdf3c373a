import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSession } from '../../../test/support/sample-session.ts';
import type { FindExampleStay } from '../example-stay.ts';
import { createLinks } from './links.ts';
import { sessionAnswer } from './session-answer.ts';

const session = {
  ...sampleSession('id'),
  openedAt: Date.parse('2026-11-15T09:30:00Z'),
  expiresAt: Date.parse('2026-11-15T10:00:00.999Z'),
};
const findExampleStay: FindExampleStay = (now, onlyPlace) => {
  assert.equal(now, session.openedAt);
  return { place: onlyPlace ?? 'lisbon-pt', checkIn: '2026-12-15', checkOut: '2026-12-18' };
};
const tools = { links: createLinks('https://stay.example'), findExampleStay };
const context = { token: 'ses_a', method: 'POST', view: 'full' } as const;
const PLACE_AND_DATES = 'destination={destination}&check_in_day={check_in_day}&check_out={check_out}';

test('an opened session says where the search begins', () => {
  const sourced = { ...session, source: 'casas' };
  assert.deepEqual(sessionAnswer(sourced, { source: 'casas' }, context, tools), {
    api_version: '2026-11-01',
    status: 200,
    endpoint: '/ai/v1/auth',
    method: 'POST',
    object: 'session',
    session: 'ses_a',
    source: 'casas',
    request: { source: 'casas' },
    expires_at: '2026-11-15T10:00:00Z',
    next_request: {
      url: 'https://stay.example/ai/v1/search?session=ses_a&idempotency_key=sw.0.read',
      method: 'GET',
    },
    hint: 'The whole stay can be given in one request: fill in url_template, for example with brand_locked=false&destination=lisbon-pt&check_in_day=2026-12-15&check_out=2026-12-18&guests=2. guests: Every person counts, children and infants too.',
    url_template: `https://stay.example/ai/v1/search?session=ses_a&brand_locked={brand_locked}&${PLACE_AND_DATES}&guests={guests}&view=compact`,
    self_url: '/ai/v1/auth',
    terms_url: '/ai/v1/terms',
  });
});

test('the request is echoed as it came: null and nothing are both a direct session', () => {
  for (const request of [{ source: null }, {}]) {
    const body = sessionAnswer(session, request, context, tools);
    assert.deepEqual([body.source, body.request], [null, request]);
  }
});

test('the method is that of the call, and a compact view is carried on', () => {
  const body = sessionAnswer(session, {}, { token: 'ses_a', method: 'GET', view: 'compact' }, tools);
  assert.equal(body.method, 'GET');
  assert.match(body.next_request.url, /&idempotency_key=sw\.0\.read&view=compact$/);
  assert.match(body.url_template, /&guests=\{guests\}&view=compact$/);
});

test('only fields that the session asks for are in the template', () => {
  const templateOf = (facts: object) =>
    sessionAnswer({ ...session, ...facts }, {}, context, tools).url_template;
  const start = 'https://stay.example/ai/v1/search?session=ses_a&';
  assert.equal(templateOf({}), `${start}${PLACE_AND_DATES}&guests={guests}&view=compact`);
  assert.equal(
    templateOf({ source: 'villa', onlyPlace: 'lisbon-pt' }),
    `${start}brand_locked={brand_locked}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}&view=compact`,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorCode, messageOf, NOT_MODIFIED, NOT_READY, OK, statusOf } from './errors.ts';

/** Status elsewhere, status on search. A code that is missing here does not compile. */
const STATUSES: Readonly<Record<ErrorCode, readonly [number, number]>> = {
  access_denied: [403, 403],
  session_required: [400, 200],
  session_not_found: [404, 200],
  session_expired: [410, 200],
  unknown_source: [404, 200],
  incomplete_payload: [200, 200],
  invalid_value: [200, 200],
  unknown_field: [400, 200],
  prerequisite_missing: [200, 200],
  refine_not_available: [200, 200],
  invalid_request: [400, 200],
  unsupported_media_type: [415, 200],
  result_not_ready: [409, 200],
  upstream_unavailable: [503, 200],
  nothing_on_offer: [503, 200],
  invalid_idempotency_key: [400, 200],
  idempotency_key_reused: [422, 200],
  unsupported_version: [400, 200],
  rate_limited: [429, 200],
  session_used_up: [409, 200],
  too_many_sessions: [429, 200],
  overloaded: [503, 200],
  storage_unavailable: [503, 200],
  not_found: [404, 404],
  method_not_allowed: [405, 405],
  internal_error: [500, 200],
};

test('a code has one status everywhere but on search', () => {
  assert.deepEqual(Object.keys(ERRORS), Object.keys(STATUSES));
  for (const [code, [elsewhere, onSearch]] of Object.entries(STATUSES)) {
    for (const endpoint of ['auth', 'result', 'schema', 'terms', 'any'] as const) {
      assert.equal(statusOf(code as ErrorCode, endpoint), elsewhere, `${code} at ${endpoint}`);
    }
    assert.equal(statusOf(code as ErrorCode, 'search'), onSearch, `${code} at search`);
  }
});

test('a message names the field where it has a place for one', () => {
  assert.equal(messageOf('incomplete_payload', 'guests'), 'Missing required field: guests');
  assert.equal(messageOf('invalid_value', 'check_out'), 'Invalid value for field: check_out');
  assert.equal(
    messageOf('prerequisite_missing', 'check_in_day'),
    'Another field must be set before field: check_in_day',
  );
  assert.equal(messageOf('rate_limited', 'guests'), 'Too many requests.');
  assert.equal(messageOf('upstream_unavailable'), 'No booking system gave a usable answer.');
});

test('no message shows the place of a field that is not given', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) assert.doesNotMatch(messageOf(code), /<|undefined/);
});

test('statuses that are no errors, and limits that errors name', () => {
  assert.deepEqual([OK, NOT_MODIFIED, NOT_READY], [200, 304, 503]);
  assert.match(ERRORS.invalid_request.meaning, /more than 16 KiB/);
  assert.match(ERRORS.invalid_idempotency_key.meaning, /1 to 255 printable ASCII characters/);
});

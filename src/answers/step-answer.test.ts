import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { Step } from '../search/step.ts';
import { createLinks } from './links.ts';
import { refusedStepAnswer, stepAnswer, stepText } from './step-answer.ts';

const links = createLinks('https://stay.example');
const months: Step = {
  received: { source: 'acme', destination: 'lisbon-pt' },
  missing: ['check_in_month', 'guests'],
  allowed: { check_in_month: ['2027-03', '2027-04'], guests: ['1', '2', '3'] },
  truncated: null,
  order: ['destination', 'check_in_month', 'guests'],
  dependsOn: { check_in_month: 'destination' },
  next: 'check_in_month',
};
const amenities: Step = {
  ...months,
  received: { destination: 'lisbon-pt', amenities: ['wifi'] },
  missing: ['amenities'],
  allowed: { amenities: [{ value: 'pool', match_count: 1, of: 2 }] },
  next: 'amenities',
};
/** The members that all bodies for the step `months` share. */
const STATE = {
  api_version: '2026-11-01',
  status: 200,
  endpoint: '/ai/v1/search',
  method: 'POST',
  session: 'ses_a',
  received: { source: 'acme', destination: 'lisbon-pt' },
  missing_fields: ['check_in_month', 'guests'],
  allowed_values: { check_in_month: ['2027-03', '2027-04'], guests: ['1', '2', '3'] },
  field_order: ['destination', 'check_in_month', 'guests'],
  depends_on: { check_in_month: 'destination' },
  schema_url: '/ai/v1/schema',
  terms_url: '/ai/v1/terms',
  terms_notice:
    'Use of this interface is subject to its terms. The version published at /ai/v1/terms governs.',
  self_url: '/ai/v1/search?session=ses_a',
  next_required: 'check_in_month',
};

const session = sampleSession('id', 7);

describe('the text of a step', () => {
  it('equals the body once token and revision are filled in', () => {
    for (const step of [months, amenities]) {
      for (const method of ['GET', 'POST']) {
        for (const cleared of [[], ['guests', 'check_out']] as const) {
          const text = stepText(step, cleared, method, links);
          for (const [token, revision] of [
            ['ses_a', 0],
            ['ses_b', 123],
            ['ses_a', 4],
          ] as const) {
            const expected = stepAnswer(step, cleared, { token, revision, method, links });
            assert.equal(text({ token, session: { ...session, revision } }), JSON.stringify(expected));
          }
        }
      }
    }
  });
});

describe('a step', () => {
  const context = { token: 'ses_a', revision: 3, method: 'POST', links };

  it('shows the state of the search', () => {
    const { next_request: _next, available_requests: _offers, ...body } = stepAnswer(months, [], context);
    assert.deepEqual(body, {
      ...STATE,
      error: 'incomplete_payload',
      message: 'Missing required field: check_in_month',
    });
    const { cleared_fields } = stepAnswer(months, ['guests', 'check_out'], context);
    assert.deepEqual(cleared_fields, ['guests', 'check_out']);
  });

  it('offers one complete request for each value of the next field', () => {
    const body = stepAnswer(months, [], context);
    assert.deepEqual(body.available_requests, [
      {
        field: 'check_in_month',
        value: '2027-03',
        url: 'https://stay.example/ai/v1/search?session=ses_a&field=check_in_month&value=2027-03&idempotency_key=sw.3.0',
      },
      {
        field: 'check_in_month',
        value: '2027-04',
        url: 'https://stay.example/ai/v1/search?session=ses_a&field=check_in_month&value=2027-04&idempotency_key=sw.3.1',
      },
    ]);
    assert.deepEqual(body.next_request, body.available_requests[0]);
  });

  it('writes booleans as text and returns from the refine step to the result', () => {
    const locked: Step = {
      ...months,
      missing: ['brand_locked'],
      allowed: { brand_locked: [{ value: false, description: 'Every brand.' }] },
      next: 'brand_locked',
    };
    assert.deepEqual(
      stepAnswer(locked, [], context).available_requests.map(
        (request) => 'value' in request && request.value,
      ),
      ['false'],
    );
    assert.deepEqual(stepAnswer(amenities, [], context).available_requests.at(-1), {
      method: 'GET',
      path: '/ai/v1/result',
      url: 'https://stay.example/ai/v1/result?session=ses_a&idempotency_key=sw.3.result',
    });
  });

  it('lists at most 60 requests and says when destinations were cut', () => {
    const places = Array.from({ length: 61 }, (_, number) => `place-${number}`);
    const long: Step = {
      ...months,
      allowed: { destination: places },
      truncated: { shown: 61, total: 300 },
      next: 'destination',
    };
    const body = stepAnswer(long, [], context);
    assert.equal(body.available_requests.length, 60);
    assert.deepEqual(body.allowed_values_truncated, { destination: { shown: 61, total: 300 } });
  });

  it('is not written without a next field, or without values for it', () => {
    assert.throws(() => stepAnswer({ ...months, next: null }, [], context), /without a next field/);
    assert.throws(() => stepAnswer({ ...months, allowed: {} }, [], context), /has no values/);
  });
});

describe('a refused step', () => {
  const context = { session, token: 'ses_a', method: 'POST', links };

  it('shows the error and the state of the search, without members that do not apply', () => {
    const empty = { candidates: [], accepted: [], cleared: [] };
    const refused = refusedStepAnswer('overloaded', months, { ...empty, retryAfterSeconds: 1 }, context);
    const { next_request: _next, available_requests: _offers, ...body } = refused;
    assert.deepEqual(body, {
      ...STATE,
      error: 'overloaded',
      message: 'The service is busy.',
      retry_after_seconds: 1,
    });
    const { retry_after_seconds } = refusedStepAnswer('unknown_field', months, {}, context);
    assert.equal(retry_after_seconds, undefined);
  });

  it('names the refused and the accepted fields, and continues with the step', () => {
    const details = { field: 'destination', accepted: ['guests'], cleared: ['check_out'] } as const;
    const body = refusedStepAnswer(
      'invalid_value',
      months,
      { ...details, candidates: ['porto-pt'] },
      context,
    );
    assert.equal(body.message, 'Invalid value for field: destination');
    assert.deepEqual(
      [body.invalid_field, body.accepted_fields, body.cleared_fields, body.candidates],
      ['destination', ['guests'], ['check_out'], ['porto-pt']],
    );
    assert.deepEqual(body.next_request, body.available_requests?.[0]);
  });

  it('offers the same request again when it should be repeated', () => {
    const read = refusedStepAnswer('upstream_unavailable', months, { retry: { kind: 'read' } }, context);
    assert.deepEqual(read.next_request, {
      method: 'GET',
      url: 'https://stay.example/ai/v1/search?session=ses_a&idempotency_key=sw.7.read',
    });
    const retry = { kind: 'supply', field: 'amenities', value: 'pool' } as const;
    assert.deepEqual(refusedStepAnswer('upstream_unavailable', amenities, { retry }, context).next_request, {
      field: 'amenities',
      value: 'pool',
      url: 'https://stay.example/ai/v1/search?session=ses_a&field=amenities&value=pool&idempotency_key=sw.7.retry',
    });
  });

  it('returns to the result while there is one that answers the payload', () => {
    const answered = {
      ...session,
      result: { answersPayload: true, amenityOffers: [] },
    };
    const nothingToRefine: Step = { ...amenities, missing: [], allowed: {}, next: null };
    const body = refusedStepAnswer(
      'refine_not_available',
      nothingToRefine,
      {},
      { ...context, session: answered },
    );
    assert.deepEqual(
      body.available_requests?.map((request) => 'path' in request && request.path),
      ['/ai/v1/result'],
    );
    assert.equal(body.next_required, undefined);
    assert.deepEqual(body.next_request, body.available_requests?.[0]);
  });

  it('offers to read the search again when nothing is on offer', () => {
    const nothing: Step = { ...amenities, missing: [], allowed: {}, next: null };
    const body = refusedStepAnswer('refine_not_available', nothing, {}, context);
    assert.deepEqual(body.available_requests, []);
    assert.deepEqual(body.next_request, {
      method: 'GET',
      url: 'https://stay.example/ai/v1/search?session=ses_a&idempotency_key=sw.7.read',
    });
  });
});

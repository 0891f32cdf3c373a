import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Step } from '../search/step.ts';
import type { Session } from '../sessions/session.ts';
import { createLinks } from './links.ts';
import { refusedStepAnswer, stepAnswer, stepText } from './step-answer.ts';

const links = createLinks('https://stay.example');
const months: Step = {
  received: { source: 'acme', destination: 'lisbon-pt' },
  missing: ['check_in_month', 'guests'],
  allowed: { check_in_month: ['2027-03', '2027-04'], guests: ['1', '2', '3'] },
  truncated: null,
  order: ['destination', 'check_in_month', 'guests'],
  dependsOn: {},
  next: 'check_in_month',
};
const amenities: Step = {
  ...months,
  received: { destination: 'lisbon-pt', amenities: ['wifi'] },
  missing: ['amenities'],
  allowed: { amenities: [{ value: 'pool', match_count: 1, of: 2 }] },
  next: 'amenities',
};

const session: Session = {
  id: 'id',
  assistant: 'local',
  source: null,
  onlyPlace: null,
  apiVersion: '2026-11-01',
  openedAt: 0,
  expiresAt: 1,
  revision: 7,
  payload: {},
  result: null,
};

describe('the text of a step', () => {
  it('is the body for whichever session it is completed', () => {
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
  const addressee = { token: 'ses_a', revision: 3, method: 'POST', links };

  it('offers one complete request for each value of the next field', () => {
    const body = stepAnswer(months, [], addressee);
    assert.equal(body.message, 'Missing required field: check_in_month');
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
      stepAnswer(locked, [], addressee).available_requests.map(
        (request) => 'value' in request && request.value,
      ),
      ['false'],
    );
    assert.deepEqual(stepAnswer(amenities, [], addressee).available_requests.at(-1), {
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
    const body = stepAnswer(long, [], addressee);
    assert.equal(body.available_requests.length, 60);
    assert.deepEqual(body.allowed_values_truncated, { destination: { shown: 61, total: 300 } });
  });

  it('is not written without a next field, or without values for it', () => {
    assert.throws(() => stepAnswer({ ...months, next: null }, [], addressee), /without a next field/);
    assert.throws(() => stepAnswer({ ...months, allowed: {} }, [], addressee), /has no values/);
  });
});

describe('a refused step', () => {
  const context = { session, token: 'ses_a', method: 'POST', links };

  it('names what was refused and what was taken, and goes on with the step', () => {
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

  it('proposes the same request again where that is the way on', () => {
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
      result: { answersPayload: true, appliedAmenities: [], amenityOffers: [] },
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
  });
});

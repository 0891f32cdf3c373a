import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import { type FieldFault, NO_DETAILS, type Refusal } from '../refusal.ts';
import type { Step } from '../step.ts';
import { createLinks } from './links.ts';
import { NO_SIDE_EFFECTS } from './side-effects.ts';
import { refusedStepAnswer, stepAnswer, stepText } from './step-answer.ts';

const tools = { links: createLinks('https://stay.example'), network: sampleNetwork(['acme']) };
const months: Step = {
  received: { source: 'acme', destination: 'lisbon-pt' },
  missing: ['check_in_month', 'guests'],
  allowed: { check_in_month: ['2027-03', '2027-04'], guests: ['1', '2', '3'] },
  truncated: null,
  order: ['destination', 'check_in_month', 'guests'],
  given: ['destination', 'guests'],
  dependsOn: { check_in_month: 'destination' },
  resultReady: false,
  next: 'check_in_month',
};
const amenities: Step = {
  ...months,
  received: { destination: 'lisbon-pt', amenities: ['wifi'] },
  missing: ['amenities'],
  allowed: { amenities: [{ value: 'pool', match_count: 1, of: 2 }] },
  next: 'amenities',
};

const session = sampleSession('id', 7);

describe('the text of a step', () => {
  it('equals the body once token and revision are filled in', () => {
    for (const step of [months, amenities]) {
      for (const form of [
        { method: 'GET', view: 'full' },
        { method: 'POST', view: 'compact' },
      ] as const) {
        const text = stepText(step, form, tools);
        for (const [token, revision] of [
          ['ses_a', 0],
          ['ses_b', 123],
          ['ses_a', 4],
        ] as const) {
          const expected = stepAnswer(step, NO_SIDE_EFFECTS, { ...tools, ...form, token, revision });
          const body = text(token, revision);
          assert.equal(body.text, JSON.stringify(expected));
          assert.deepEqual(body.read(), expected);
        }
      }
    }
  });
});

describe('a step', () => {
  const context = { ...tools, token: 'ses_a', revision: 3, method: 'POST', view: 'full' } as const;

  it('lists at most 60 requests, 12 in the compact view, and says when a list was cut', () => {
    const places = Array.from({ length: 61 }, (_, number) =>
      number === 12 ? 'lisbon-pt' : `place-${number}`,
    );
    const long: Step = {
      ...months,
      allowed: { destination: places },
      truncated: { shown: 61, total: 300 },
      next: 'destination',
    };
    const body = stepAnswer(long, NO_SIDE_EFFECTS, context);
    assert.equal(body.available_requests.length, 60);
    assert.deepEqual(body.allowed_values_truncated, { destination: { shown: 61, total: 300 } });
    assert.deepEqual(body.available_requests_truncated, {
      shown: 60,
      total: 300,
      url_template: 'https://stay.example/ai/v1/search?session=ses_a&field=destination&value={value}',
    });
    const inCompactView = { ...context, view: 'compact' } as const;
    const compact = stepAnswer({ ...long, truncated: null }, NO_SIDE_EFFECTS, inCompactView);
    assert.equal(compact.available_requests.length, 12);
    assert.deepEqual(compact.available_requests_truncated, {
      shown: 12,
      total: 61,
      url_template:
        'https://stay.example/ai/v1/search?session=ses_a&field=destination&value={value}&view=compact',
    });
    assert.deepEqual(body.allowed_values.destination, places, 'every value is listed');
    assert.deepEqual(compact.allowed_values.destination, places.slice(0, 60));
    assert.deepEqual(compact.allowed_values_truncated, { destination: { shown: 60, total: 61 } });
    assert.deepEqual(stepAnswer(long, NO_SIDE_EFFECTS, inCompactView).allowed_values_truncated, {
      destination: { shown: 60, total: 300 },
    });
    assert.deepEqual([Object.keys(body.places ?? {}), compact.places], [['lisbon-pt'], undefined]);
  });

  it('leads on with the value that it proposes, also where that is not listed', () => {
    const step: Step = { ...months, proposed: '2027-09' };
    const body = stepAnswer(step, NO_SIDE_EFFECTS, context);
    const { field, value, url } = body.next_request;
    assert.deepEqual([field, value], ['check_in_month', '2027-09']);
    assert.match(url, /&field=check_in_month&value=2027-09&idempotency_key=/);
    assert.deepEqual(
      body.available_requests,
      stepAnswer(months, NO_SIDE_EFFECTS, context).available_requests,
      'what is offered is the same',
    );
  });

  it('counts the way back to the result among its requests', () => {
    const many = Array.from({ length: 61 }, (_, number) => ({
      value: `amenity-${number}`,
      match_count: 1,
      of: 2,
    }));
    const step: Step = { ...amenities, allowed: { amenities: many } };
    for (const [view, listed] of [
      ['full', 60],
      ['compact', 12],
    ] as const) {
      const body = stepAnswer(step, NO_SIDE_EFFECTS, { ...context, view });
      assert.equal(body.available_requests.length, listed);
      assert.equal(body.available_requests_truncated?.shown, listed - 1);
      const last = body.available_requests.at(-1);
      assert.ok(last && 'path' in last && last.path === '/ai/v1/result');
    }
  });
});

describe('a refused step', () => {
  const context = { ...tools, session, token: 'ses_a', method: 'POST', view: 'full' } as const;
  const ambiguous: FieldFault = {
    code: 'invalid_value',
    field: 'destination',
    reason: { code: 'ambiguous' },
    suggestions: ['porto-pt'],
    candidates: ['porto-pt', 'porto-br'],
    didYouMean: null,
  };
  const noDate: FieldFault = {
    ...NO_DETAILS,
    code: 'invalid_value',
    field: 'check_out',
    reason: { code: 'not_a_date', format: 'YYYY-MM-DD' },
    suggestions: ['2027-03-08'],
  };
  const corrections = [{ field: 'destination', value: 'porto-pt' }] as const;
  const refusal: Refusal = {
    faults: [ambiguous, noDate],
    accepted: ['guests'],
    corrections,
    clearing: [],
    carried: [],
  };
  const READ = {
    method: 'GET',
    url: 'https://stay.example/ai/v1/search?session=ses_a&idempotency_key=sw.7.read',
  };

  it('carries what waits for a prerequisite along with the values of that', () => {
    const waiting: FieldFault = { ...NO_DETAILS, code: 'prerequisite_missing', field: 'destination' };
    const brands: Step = {
      ...months,
      missing: ['brand_locked', 'destination'],
      allowed: {
        brand_locked: [
          { value: true, description: 'Own.' },
          { value: false, description: 'Every.' },
        ],
      },
      next: 'brand_locked',
    };
    const carried = [
      {
        with: { field: 'brand_locked', value: 'false' },
        values: [
          { field: 'destination', value: 'lisbon-pt' },
          { field: 'amenities', value: 'pool' },
        ],
      },
    ] as const;
    const { message, next_request, available_requests } = refusedStepAnswer(
      'prerequisite_missing',
      brands,
      { refusal: { faults: [waiting], accepted: [], corrections: [], clearing: [], carried } },
      context,
    );
    const search = 'https://stay.example/ai/v1/search?session=ses_a';
    assert.deepEqual(available_requests, [
      {
        field: 'brand_locked',
        value: 'true',
        url: `${search}&field=brand_locked&value=true&idempotency_key=sw.7.0`,
      },
      {
        field: 'brand_locked',
        value: 'false',
        url: `${search}&brand_locked=false&destination=lisbon-pt&amenities=pool&idempotency_key=sw.7.1`,
      },
    ]);
    assert.deepEqual(next_request, {
      method: 'GET',
      url: `${search}&brand_locked=false&destination=lisbon-pt&amenities=pool&idempotency_key=sw.7.suggested`,
    });
    assert.match(message, / next_request supplies brand_locked, destination, amenities\.$/);
  });

  const oneFault = (changes: Partial<FieldFault>, ...others: FieldFault[]): Refusal => ({
    faults: [{ ...ambiguous, ...changes }, ...others],
    accepted: [],
    corrections: [],
    clearing: [],
    carried: [],
  });

  it('leads on with the value nearest to what was meant, and never with an arbitrary one', () => {
    const near = refusedStepAnswer('invalid_value', months, { refusal }, context);
    assert.deepEqual(near.next_request, {
      field: 'destination',
      value: 'porto-pt',
      url: 'https://stay.example/ai/v1/search?session=ses_a&field=destination&value=porto-pt&idempotency_key=sw.7.suggested',
    });
    const departure = { field: 'check_out', value: '2027-03-08' } as const;
    const both: Refusal = { ...refusal, corrections: [...corrections, departure] };
    const several = refusedStepAnswer('invalid_value', months, { refusal: both }, context);
    assert.deepEqual(several.next_request, {
      method: 'GET',
      url: 'https://stay.example/ai/v1/search?session=ses_a&destination=porto-pt&check_out=2027-03-08&idempotency_key=sw.7.suggested',
    });
    const far = refusedStepAnswer(
      'invalid_value',
      months,
      { refusal: oneFault({ suggestions: [] }, noDate) },
      context,
    );
    assert.deepEqual(far.next_request, { ...READ, url: READ.url.replace('read', 'refused-destination') });
    assert.equal(far.available_requests?.length, 2, 'the values of the next field are there to choose from');
  });
});

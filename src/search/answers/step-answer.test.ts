import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { SilentBrand } from '../comparison.ts';
import { type FieldFault, NO_DETAILS, type Refusal } from '../refusal.ts';
import type { Step } from '../step.ts';
import { createLinks } from './links.ts';
import { NO_SIDE_EFFECTS, type RefusalDetails, type SideEffects } from './side-effects.ts';
import { refusedStepAnswer, stepAnswer, stepText } from './step-answer.ts';

const tools = { links: createLinks('https://stay.example'), network: sampleNetwork(['acme']) };
const LOST: SideEffects = {
  cleared: { fields: ['guests', 'amenities'], amenities: ['pool'] },
  refusal: null,
  isFromEarlierStep: true,
};
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
  field_hints: { guests: 'Every person counts, children and infants too.' },
  url_template: 'https://stay.example/ai/v1/search?session=ses_a&destination={destination}&guests={guests}',
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

  it('shows the state of the search', () => {
    const {
      next_request: _next,
      available_requests: _offers,
      ...body
    } = stepAnswer(months, NO_SIDE_EFFECTS, context);
    assert.deepEqual(body, {
      ...STATE,
      error: 'incomplete_payload',
      message: 'Missing required field: check_in_month',
    });
  });

  it('says what was cleared, that the address was old, and that there is a result, and nothing of it otherwise', () => {
    const body = stepAnswer({ ...months, resultReady: true }, LOST, context);
    assert.deepEqual(
      [body.cleared_fields, body.cleared_amenities, body.from_earlier_step, body.result_ready],
      [['guests', 'amenities'], ['pool'], true, true],
    );
    const plain = stepAnswer(months, NO_SIDE_EFFECTS, context);
    for (const name of ['cleared_fields', 'cleared_amenities', 'from_earlier_step', 'result_ready']) {
      assert.ok(!Object.hasOwn(plain, name), name);
    }
  });

  it('offers one complete request for each value of the next field', () => {
    const body = stepAnswer(months, NO_SIDE_EFFECTS, context);
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

  it('carries the compact view on in every address', () => {
    const body = stepAnswer(months, NO_SIDE_EFFECTS, { ...context, view: 'compact' });
    for (const { url } of [body.next_request, ...body.available_requests])
      assert.match(url, /&view=compact$/);
    assert.match(body.url_template ?? '', /&view=compact$/);
  });

  it('writes booleans as text and returns from the refine step to the result', () => {
    const locked: Step = {
      ...months,
      missing: ['brand_locked'],
      allowed: { brand_locked: [{ value: false, description: 'Every brand.' }] },
      next: 'brand_locked',
    };
    assert.deepEqual(
      stepAnswer(locked, NO_SIDE_EFFECTS, context).available_requests.map(
        (request) => 'value' in request && request.value,
      ),
      ['false'],
    );
    assert.deepEqual(stepAnswer(amenities, NO_SIDE_EFFECTS, context).available_requests.at(-1), {
      method: 'GET',
      path: '/ai/v1/result',
      url: 'https://stay.example/ai/v1/result?session=ses_a&idempotency_key=sw.3.result',
    });
  });

  it('names the places on offer', () => {
    const step: Step = {
      ...months,
      missing: ['destination'],
      allowed: { destination: ['lisbon-pt', 'portugal', 'atlantis'] },
      next: 'destination',
    };
    assert.deepEqual(stepAnswer(step, NO_SIDE_EFFECTS, context).places, {
      'lisbon-pt': { name: 'Lisbon', kind: 'city', within: 'portugal' },
      portugal: { name: 'Portugal', kind: 'country', within: null },
    });
    assert.equal(stepAnswer(months, NO_SIDE_EFFECTS, context).places, undefined);
  });

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

  it('cuts the lists of every field in the compact view, and names each of them', () => {
    const days = Array.from({ length: 75 }, (_, number) => `day-${number}`);
    const step: Step = {
      ...months,
      missing: ['check_in_day', 'check_out', 'guests'],
      allowed: { check_in_day: days, check_out: days.slice(0, 60), guests: days.slice(0, 61) },
      next: 'check_in_day',
    };
    const compact = stepAnswer(step, NO_SIDE_EFFECTS, { ...context, view: 'compact' });
    assert.deepEqual(compact.allowed_values_truncated, {
      check_in_day: { shown: 60, total: 75 },
      guests: { shown: 60, total: 61 },
    });
    assert.deepEqual(compact.allowed_values, {
      check_in_day: days.slice(0, 60),
      check_out: days.slice(0, 60),
      guests: days.slice(0, 60),
    });
    const full = stepAnswer(step, NO_SIDE_EFFECTS, context);
    assert.equal(full.allowed_values_truncated, undefined);
    assert.deepEqual(full.allowed_values, step.allowed);
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

  it('does not say that a list was cut when all of it is there', () => {
    const values = Array.from({ length: 60 }, (_, number) => String(number + 1));
    const step: Step = { ...months, allowed: { guests: values }, next: 'guests' };
    assert.equal(stepAnswer(step, NO_SIDE_EFFECTS, context).available_requests_truncated, undefined);
  });

  it('is not written without a next field, or without values for it', () => {
    assert.throws(
      () => stepAnswer({ ...months, next: null }, NO_SIDE_EFFECTS, context),
      /without a next field/,
    );
    assert.throws(() => stepAnswer({ ...months, allowed: {} }, NO_SIDE_EFFECTS, context), /has no values/);
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

  it('shows the error and the state of the search, without members that do not apply', () => {
    const refused = refusedStepAnswer('overloaded', months, { retryAfterSeconds: 1 }, context);
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

  it('names the refused and the accepted fields, the reason and what was cleared', () => {
    const body = refusedStepAnswer('invalid_value', months, { refusal, sideEffects: LOST }, context);
    const { invalid_field, reason, suggestions, candidates, accepted_fields, refused_fields } = body;
    assert.deepEqual(
      { invalid_field, reason, suggestions, candidates, accepted_fields, refused_fields },
      {
        invalid_field: 'destination',
        reason: { code: 'ambiguous' },
        suggestions: ['porto-pt'],
        candidates: ['porto-pt', 'porto-br'],
        accepted_fields: ['guests'],
        refused_fields: ['destination', 'check_out'],
      },
    );
    assert.deepEqual([body.cleared_fields, body.cleared_amenities], [['guests', 'amenities'], ['pool']]);
    assert.equal(body.did_you_mean, undefined);
  });

  it('says which answers its next request clears', () => {
    const messageFor = (changes: Partial<Refusal>) =>
      refusedStepAnswer('invalid_value', months, { refusal: { ...refusal, ...changes } }, context).message;
    assert.match(
      messageFor({ clearing: ['check_out', 'guests'] }),
      /candidates\. Following next_request clears check_out and guests, which would not fit\.$/,
    );
    assert.match(
      messageFor({ takingOff: ['cot', 'wifi'] }),
      /candidates\. Following next_request takes off the filter cot and wifi: no match would have it\.$/,
    );
    assert.doesNotMatch(messageFor({}), /clears|takes off/);
    assert.doesNotMatch(messageFor({ clearing: ['guests'], corrections: [] }), /clears/);
  });

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

  it('tells the first refusal at the top and the others in a list, each with its own reason', () => {
    const unknown: FieldFault = { ...NO_DETAILS, code: 'unknown_field', field: 'price' };
    const nameless: FieldFault = { ...unknown, field: null, didYouMean: 'check_in_day' };
    const faults = [ambiguous, noDate, unknown, nameless] as const;
    const details = { refusal: { faults, accepted: [], corrections: [], clearing: [], carried: [] } };
    const body = refusedStepAnswer('invalid_value', months, details, context);
    assert.deepEqual(body.refused_fields, ['destination', 'check_out', 'price']);
    assert.deepEqual(body.other_refusals, [
      {
        field: 'check_out',
        error: 'invalid_value',
        message: 'Invalid value for field: check_out. It is not written as YYYY-MM-DD.',
        reason: { code: 'not_a_date', format: 'YYYY-MM-DD' },
        suggestions: ['2027-03-08'],
      },
      {
        field: 'price',
        error: 'unknown_field',
        message: 'This search does not have a field price.',
      },
      {
        error: 'unknown_field',
        message: 'The request names a field that this search does not have. Did you mean check_in_day?',
        did_you_mean: 'check_in_day',
      },
    ]);
    const alone = refusedStepAnswer('invalid_value', months, { refusal: oneFault({}) }, context);
    assert.equal('other_refusals' in alone, false);
  });

  const oneFault = (changes: Partial<FieldFault>, ...others: FieldFault[]): Refusal => ({
    faults: [{ ...ambiguous, ...changes }, ...others],
    accepted: [],
    corrections: [],
    clearing: [],
    carried: [],
  });

  it('says in its message what is wrong', () => {
    const messageOf = (changes: Partial<FieldFault>, ...others: FieldFault[]) =>
      refusedStepAnswer('invalid_value', months, { refusal: oneFault(changes, ...others) }, context).message;
    assert.equal(
      messageOf({ reason: { code: 'party_too_large', largest: 4 }, field: 'guests' }),
      'Invalid value for field: guests. No home that fits the other answers sleeps so many; 4 is the most. No value on offer is near it: ask the traveller what to take instead.',
    );
    assert.equal(
      messageOf({ code: 'unknown_field', field: 'checkout', reason: null, didYouMean: 'check_out' }),
      'This search does not have a field checkout. Did you mean check_out?',
    );
    assert.equal(
      messageOf({ code: 'unknown_field', field: 'price', reason: null, known: ['guests', 'amenities'] }),
      'This search does not have a field price. The fields are guests, amenities.',
    );
    assert.equal(
      messageOf({ reason: { code: 'conflicts_with', fields: ['check_in_day'] }, field: 'check_out' }),
      'Invalid value for field: check_out. A departure must be after the arrival. It does not fit together with what stands for: check_in_day. No value on offer is near it: ask the traveller what to take instead.',
    );
    assert.equal(
      messageOf({ reason: { code: 'conflicts_with', fields: ['guests'] }, field: 'check_out' }),
      'Invalid value for field: check_out. It does not fit together with what stands for: guests. No value on offer is near it: ask the traveller what to take instead.',
    );
    assert.equal(
      messageOf({ code: 'unknown_field', field: 'adults', reason: null, didYouMean: 'guests' }),
      'This search does not have a field adults. Did you mean guests? Every person counts, children and infants too.',
    );
    assert.equal(
      messageOf({ code: 'unknown_field', field: 'brand_locked', reason: null }),
      'This search does not have a field brand_locked. A session without a source searches every brand. For one brand, open a session with ?source= and the brand.',
    );
    assert.equal(
      messageOf({ code: 'unknown_field', field: null, reason: null }),
      'The request names a field that this search does not have.',
    );
    assert.equal(
      messageOf({ code: 'prerequisite_missing', field: 'check_out', reason: null }),
      'Another field must be set before field: check_out. Supply check_in_day too, in the same request or before.',
    );
    assert.equal(
      messageOf(
        { code: 'prerequisite_missing', field: 'check_out', reason: null },
        { ...noDate, field: 'check_in_day' },
      ),
      'Another field must be set before field: check_out. It depends on check_in_day, which was refused.',
    );
  });

  it('leaves out what a refusal does not know', () => {
    const bare = oneFault({ ...NO_DETAILS, code: 'unknown_field', field: null });
    const body = refusedStepAnswer('unknown_field', months, { refusal: bare }, context);
    for (const name of [
      'invalid_field',
      'reason',
      'did_you_mean',
      'suggestions',
      'candidates',
      'accepted_fields',
      'refused_fields',
      'other_refusals',
    ]) {
      assert.ok(!Object.hasOwn(body, name), name);
    }
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

  it('that failed for another reason tells what was refused beside it', () => {
    const sideEffects: SideEffects = { ...NO_SIDE_EFFECTS, refusal };
    const body = refusedStepAnswer('upstream_unavailable', months, { sideEffects }, context);
    assert.equal(body.message, 'No booking system gave a usable answer.');
    assert.deepEqual(body.refused_fields, ['destination', 'check_out']);
    assert.deepEqual(
      body.other_refusals?.map(({ field, error }) => [field, error]),
      [
        ['destination', 'invalid_value'],
        ['check_out', 'invalid_value'],
      ],
    );
    assert.equal('invalid_field' in body, false, 'no field is the reason for the failure');
    assert.deepEqual(body.next_request, READ);
  });

  it('names the brands that gave no answer, and why', () => {
    const messageWith = (...kinds: readonly SilentBrand['kind'][]) => {
      const brands = sampleNetwork(kinds.map((_, index) => `Brand ${index + 1}`)).brands.values();
      const silent = [...brands].map((brand, index) => ({
        brand,
        kind: kinds[index] ?? 'timeout',
        askableAt: null,
      }));
      return refusedStepAnswer('upstream_unavailable', months, { silent }, context).message;
    };
    assert.equal(messageWith(), 'No booking system gave a usable answer.');
    assert.equal(
      messageWith('rate_limited', 'timeout', 'server_error'),
      'No booking system gave a usable answer: Brand 1 (rate limited), Brand 2 (no answer in time), Brand 3 (server error). It does not mean that nothing is free.',
    );
    const many = messageWith(...Array.from({ length: 12 }, () => 'unreachable' as const));
    assert.match(many, /, Brand 10 \(cannot be reached\), 2 more\. /);
  });

  it('names the brands that could not be read, and whether that is all there is', () => {
    const brands = [...sampleNetwork(['sol', 'mar']).brands.values()];
    const messageOf = (code: ErrorCode, details: RefusalDetails) =>
      refusedStepAnswer(code, months, details, context).message;
    const [sol, mar] = brands.map(({ name }) => name);
    assert.equal(
      messageOf('nothing_on_offer', { unsearchable: { reason: 'unread', brands, repeat: [] } }),
      `Nothing can be said about stays at the moment, because booking systems could not be read: ${sol}, ${mar}. It does not mean that nothing is free. What was received is kept.`,
    );
    assert.equal(
      messageOf('nothing_on_offer', { notRead: brands }),
      `No home on this network can be booked at the moment. Not searched, or not fully, because booking systems could not be read: ${sol}, ${mar}. Homes that are not known here may still be free.`,
    );
  });

  it('says of brands that are paused that their homes are not on offer, and not why', () => {
    const brands = [...sampleNetwork(['sol', 'mar']).brands.values()];
    const details = { unsearchable: { reason: 'paused', brands, repeat: [] } } as const;
    const [sol, mar] = brands.map(({ name }) => name);
    assert.equal(
      refusedStepAnswer('nothing_on_offer', months, details, context).message,
      `Nothing can be said about stays at the moment, because homes of this search are not on offer here at present: ${sol}, ${mar}. It does not mean that nothing is free. What was received is kept.`,
    );
  });

  it('offers to send again what could not be judged', () => {
    const repeat = [
      { field: 'destination', value: 'lisbon-pt' },
      { field: 'guests', value: '2' },
    ] as const;
    const details = { unsearchable: { reason: 'unread', brands: [], repeat } } as const;
    const body = refusedStepAnswer('nothing_on_offer', months, details, context);
    assert.match(body.next_request?.url ?? '', /&destination=lisbon-pt&guests=2&/);
    assert.deepEqual(refusedStepAnswer('nothing_on_offer', months, {}, context).next_request, READ);
  });

  it('names the parameter that could not be read', () => {
    const details = { faultyParameter: 'view' };
    const body = refusedStepAnswer('invalid_request', months, details, context);
    assert.deepEqual([body.invalid_field, body.next_request], ['view', READ]);
    const other = refusedStepAnswer('invalid_request', months, { faultyParameter: null }, context);
    assert.equal('invalid_field' in other, false);
  });

  it('leads back to reading the search when the request itself was not wrong', () => {
    const body = refusedStepAnswer('upstream_unavailable', months, { retryAfterSeconds: 5 }, context);
    assert.deepEqual([body.next_request, body.retry_after_seconds], [READ, 5]);
  });

  it('returns to the result while there is one that answers the payload', () => {
    const result = { answersPayload: true, amenityOffers: [] };
    const nothingToRefine: Step = { ...amenities, missing: [], allowed: {}, next: null };
    const body = refusedStepAnswer(
      'refine_not_available',
      nothingToRefine,
      {},
      { ...context, session: { ...session, result } },
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
    assert.deepEqual([body.available_requests, body.next_request], [[], READ]);
  });
});

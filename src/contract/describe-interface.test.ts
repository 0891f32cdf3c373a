import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { readKey } from '../sessions/idempotency.ts';
import { describeInterface } from './describe-interface.ts';
import { SchemaBody } from './reference-bodies.ts';

const described = describeInterface({
  rateLimit: 60,
  rateWindowSeconds: 30,
  sessionMinutes: 20,
  maxOptions: 5,
  horizonNights: 540,
  exampleStay: { place: 'porto-pt', checkIn: '2027-05-08', checkOut: '2027-05-11' },
});

test('fields are in the order of a sourced session, and the refine step has no position', () => {
  assert.deepEqual(
    described.fields.map(({ name, position, type, depends_on }) => [name, position, type, depends_on]),
    [
      ['brand_locked', 1, 'boolean', null],
      ['destination', 2, 'string', 'brand_locked'],
      ['check_in_month', 3, 'string', null],
      ['check_in_day', 4, 'string', 'check_in_month'],
      ['check_out', 5, 'string', 'check_in_day'],
      ['guests', 6, 'string', null],
      ['amenities', null, 'string', null],
    ],
  );
  for (const { name, ...description } of described.fields) {
    const { required, type, format, accepts, meaning } = description;
    for (const text of [required, type, format, accepts, meaning]) assert.ok(text.length > 0, name);
  }
});

test('each kind of session has its own order', () => {
  const stay = ['check_in_month', 'check_in_day', 'check_out', 'guests'];
  assert.deepEqual(described.field_orders, {
    sourced: ['brand_locked', 'destination', ...stay],
    direct: ['destination', ...stay],
    single_location: ['brand_locked', ...stay],
  });
});

test('a dependent field names its prerequisite, others are not listed', () => {
  const dates = { check_in_day: 'check_in_month', check_out: 'check_in_day' };
  assert.deepEqual(described.depends_on, {
    sourced: { destination: 'brand_locked', ...dates },
    direct: dates,
    single_location: dates,
  });
});

test('every error says where it occurs, what it means and how to go on', () => {
  const endpoints = ['auth', 'search', 'result', 'schema', 'terms', 'any'];
  for (const error of described.errors) {
    assert.ok(error.endpoints.length > 0, error.code);
    for (const endpoint of error.endpoints) assert.ok(endpoints.includes(endpoint), error.code);
    assert.ok(error.meaning && error.recovery, error.code);
  }
  const find = (code: string) => described.errors.find((error) => error.code === code);
  assert.deepEqual(find('rate_limited'), {
    code: 'rate_limited',
    endpoints: ['any'],
    http_status: 429,
    http_status_on_search: 200,
    meaning:
      'A window of the rate limit is used up: that of the session or caller, or that of all requests of the assistant. The X-RateLimit headers are those of the window that refused. The request was not carried out.',
    recovery:
      'Wait for Retry-After and repeat the request, or follow next_request to see where things stand.',
  });
  assert.deepEqual(find('access_denied')?.http_status_on_search, 403);
});

test('limits are those of this service', () => {
  const { rate_limit, ...limits } = described.limits;
  assert.deepEqual([rate_limit.requests, rate_limit.window_seconds], [60, 30]);
  assert.deepEqual(limits, {
    session_minutes: 20,
    results_per_session: 200,
    own_keys_per_session: 1000,
    requests_waiting_per_session: 8,
    options_per_result: 5,
    amenities_per_refine_request: 1,
    body_bytes: 16_384,
    destinations_listed: 200,
    available_requests_listed: 60,
    available_requests_listed_compact: 12,
    allowed_values_listed_compact: 60,
    suggestions: 5,
    nights_ahead: 540,
  });
});

test('the rules for keys are those that hold', () => {
  const rules = described.idempotency.join(' ');
  assert.match(rules, /1 to 255 printable ASCII characters/);
  assert.equal(readKey(['x'.repeat(255)]).kind, 'valid');
  assert.equal(readKey(['x'.repeat(256)]).kind, 'invalid');
  assert.equal(readKey(['! ~']).kind, 'valid');
  assert.equal(readKey([' ~']).kind, 'invalid');
  assert.match(rules, /without blanks at its ends/);
  assert.match(
    rules,
    /At auth a repeated key gives the same session only to the same address, within 60 seconds/,
  );
  assert.match(rules, /with Idempotent-Replayed: true/);
});

test('operations are listed with their methods and parameters', () => {
  assert.deepEqual(
    described.operations.map(({ name, path, methods }) => `${methods.join('|')} ${path} ${name}`),
    [
      'POST|GET /ai/v1/auth openSession',
      'POST|GET /ai/v1/search search',
      'GET /ai/v1/result readResult',
      'GET /ai/v1/schema readSchema',
      'GET /ai/v1/terms readTerms',
    ],
  );
  assert.deepEqual(
    described.operations[1]?.query.map(({ name, required }) => (required ? `${name}!` : name)),
    [
      'session!',
      'field',
      'value',
      'choices',
      'brand_locked',
      'destination',
      'check_in_month',
      'check_in_day',
      'check_out',
      'guests',
      'amenities',
      'idempotency_key',
      'api_version',
      'view',
    ],
  );
});

test('bodies are described by the path of each field, and value sets are closed', () => {
  assert.equal(described.session_fields.expires_at?.meaning, 'End of the session.');
  assert.equal(described.step_fields['allowed_values.destination']?.type, 'array of string');
  assert.deepEqual(described.result_fields['results[].capacity.bedrooms'], {
    type: 'number',
    nullable: true,
    meaning: 'Null when unpublished.',
  });
  assert.deepEqual(described.value_sets['availability.booking_mode'], ['instant', 'request']);
  assert.deepEqual(Object.keys(described.value_sets), [
    'availability.status',
    'availability.booking_mode',
    'availability.inventory_source',
    'images.gallery.type',
    'quote.price_guarantee',
    'cancellation.free_cancellation',
  ]);
});

test('the whole stay can be given in one request, as its example shows', () => {
  const { url_template, example } = described.whole_stay;
  assert.equal(
    url_template,
    '/ai/v1/search?session={session}&destination={destination}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}&view=compact',
  );
  assert.match(example, /&destination=porto-pt&check_in_day=2027-05-08&check_out=2027-05-11&guests=2&/);
});

test('every reason of a refusal is explained', () => {
  assert.deepEqual(Object.keys(described.refusal_reasons), [
    'not_on_network',
    'ambiguous',
    'no_such_date',
    'not_a_date',
    'in_the_past',
    'beyond_horizon',
    'minimum_stay',
    'maximum_stay',
    'closed_to_arrival',
    'closed_to_departure',
    'lead_time',
    'nothing_free',
    'not_on_offer',
    'party_too_large',
    'conflicts_with',
    'one_amenity_per_request',
    'already_applied',
    'not_discriminating',
    'wrong_type',
  ]);
  assert.ok(described.refusal_fields['reason.code'], 'a refusal has its reason');
  assert.equal(described.refusal_fields.received, undefined, 'what every step has is described there');
});

test('what goes beyond the base interface is listed, and what it has is not', () => {
  const beyond = described.beyond_the_base_interface;
  for (const addition of [
    'step: places',
    'step: cleared_fields',
    'step: from_earlier_step',
    'refusal: reason',
    'refusal: suggestions',
    'refusal: did_you_mean',
    'result: available_requests.change',
    'result: view',
  ]) {
    assert.ok(beyond.includes(addition), addition);
  }
  for (const known of ['step: received', 'step: next_request', 'result: results', 'session: session']) {
    assert.ok(!beyond.includes(known), known);
  }
});

test('it has the shape that it publishes for itself', () => {
  assert.deepEqual([...Value.Errors(SchemaBody, described)], []);
});

test('it names itself and its version', () => {
  const { api_version, status, object, self_url, terms_url, versions } = described;
  assert.deepEqual(
    { api_version, status, object, self_url, terms_url },
    {
      api_version: '2026-11-01',
      status: 200,
      object: 'schema',
      self_url: '/ai/v1/schema',
      terms_url: '/ai/v1/terms',
    },
  );
  assert.deepEqual([versions.current, versions.supported], ['2026-11-01', ['2026-11-01']]);
  assert.match(versions.deprecation, /at least 12 months with Deprecation and Sunset headers/);
});

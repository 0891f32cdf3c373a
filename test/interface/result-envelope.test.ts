import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

test('the envelope of a sourced session, whole but for its options', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const { status, raw } = await conversation.search();
  const { results, comparison_set, notes, ...envelope } = JSON.parse(
    raw.replaceAll(conversation.token, 'TOKEN'),
  );
  assert.equal(status, 200);
  assert.equal(results.length, 2);
  assert.equal(comparison_set.options_count, 2);
  assert.deepEqual(envelope, {
    api_version: '2026-11-01',
    status: 200,
    object: 'search_result',
    session: 'TOKEN',
    session_expires_at: '2027-03-01T12:30:00Z',
    access: { audience: 'ai_assistants', end_user_access: false },
    query: {
      destination: 'lisbon-pt',
      check_in: '2027-04-10',
      check_out: '2027-04-13',
      nights: 3,
      guests: 2,
      brand_locked: true,
    },
    applied_filters: { amenities: [] },
    all_results_url:
      'https://stay.example/acme/stays?check_in=2027-04-10&check_out=2027-04-13&guests=2&destination=lisbon-pt&source=staywire',
    available_requests: {
      refine: {
        method: 'POST',
        path: '/ai/v1/search',
        body_field: 'amenities',
        required: false,
        href: '/ai/v1/search?session=TOKEN&idempotency_key=sw.1.refine',
        options: [
          {
            value: 'pool',
            match_count: 1,
            of: 2,
            url: '/ai/v1/search?session=TOKEN&field=amenities&value=pool&idempotency_key=sw.1.refine-0',
          },
        ],
        url_template: '/ai/v1/search?session=TOKEN&amenities={amenities}',
      },
      change: {
        brand_locked: {
          url: '/ai/v1/search?session=TOKEN&field=brand_locked&value=false&idempotency_key=sw.1.change-brand_locked',
        },
        destination: {
          url: '/ai/v1/search?session=TOKEN&choices=destination&idempotency_key=sw.1.choices-destination',
          url_template: '/ai/v1/search?session=TOKEN&destination={destination}',
        },
        check_in_month: {
          url: '/ai/v1/search?session=TOKEN&choices=check_in_month&idempotency_key=sw.1.choices-check_in_month',
          url_template: '/ai/v1/search?session=TOKEN&check_in_month={check_in_month}',
        },
        check_in_day: {
          url: '/ai/v1/search?session=TOKEN&choices=check_in_day&idempotency_key=sw.1.choices-check_in_day',
          url_template: '/ai/v1/search?session=TOKEN&check_in_day={check_in_day}',
        },
        check_out: {
          url: '/ai/v1/search?session=TOKEN&choices=check_out&idempotency_key=sw.1.choices-check_out',
          url_template: '/ai/v1/search?session=TOKEN&check_out={check_out}',
        },
        guests: {
          url: '/ai/v1/search?session=TOKEN&choices=guests&idempotency_key=sw.1.choices-guests',
          url_template: '/ai/v1/search?session=TOKEN&guests={guests}',
        },
      },
    },
    self_url: '/ai/v1/result?session=TOKEN',
    terms_url: '/ai/v1/terms',
    operator_text: [
      'results[].name',
      'results[].location',
      'results[].capacity.summary',
      'results[].amenities',
      'results[].cancellation.summary',
      'results[].images.primary.alt',
      'results[].images.gallery[].alt',
      'results[].quote.line_items[].label',
      'applied_filters.amenities',
      'available_requests.refine.options[].value',
    ],
  });
  assert.match(notes, /live quotes .* held until price_valid_until/);
  assert.match(notes, /Catalogue pages .* indicative/);
});

test('the options come last: an answer that is cut short keeps what it says about them', async (t) => {
  const { open } = await setScene(t);
  const { raw } = await (await open('acme')).search();
  const members = Object.keys(JSON.parse(raw));
  for (const member of ['comparison_set', 'available_requests', 'all_results_url', 'notes']) {
    assert.ok(members.indexOf(member) < members.indexOf('results'), member);
  }
});

test('the envelope is the same whichever endpoint returns it, byte for byte, each time', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open('acme');
  const searched = await conversation.search();
  assert.equal('endpoint' in searched.body || 'method' in searched.body, false);
  service.time.now += 10 * 60_000;
  for (let read = 0; read < 3; read += 1) {
    const result = await conversation.result();
    assert.equal(result.status, 200);
    assert.equal(result.raw, searched.raw);
    assert.equal(result.headers['cache-control'], 'no-store');
  }
  assert.equal(operator.asked.length, 1, 'reading a result asks nobody');
});

test('refine is there while an amenity tells the options apart, and absent otherwise', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const wide = await conversation.search();
  assert.ok(wide.body.available_requests.refine);
  const narrow = await conversation.send({ amenities: 'pool' });
  assert.equal('refine' in narrow.body.available_requests, false);
  const porto = await (await open()).search({ destination: 'porto-pt' });
  assert.equal(
    'refine' in porto.body.available_requests,
    false,
    'one option cannot be told apart from itself',
  );
});

test('before there is a result, reading it says what is missing', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true, check_in_month: '2027-04' });
  const { status, body } = await conversation.result();
  assert.equal(status, 409);
  assert.equal(body.error, 'result_not_ready');
  assert.deepEqual(body.missing_fields, ['destination', 'check_in_day', 'check_out', 'guests']);
  assert.equal(body.next_required, 'destination');
  assert.equal(body.next_request.method, 'GET');
  const step = await service.get(body.next_request.url);
  assert.equal(step.body.next_required, 'destination');
});

test('the only addresses for a traveller are the options and the list of all results', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open('acme')).search();
  assert.deepEqual(body.comparison_set.user_facing_urls, ['results[].url', 'all_results_url']);
  assert.equal(
    body.results[0].url,
    'https://stay.example/a?check_in=2027-04-10&check_out=2027-04-13&guests=2&source=staywire',
  );
  assert.equal(
    body.all_results_url,
    'https://stay.example/acme/stays?check_in=2027-04-10&check_out=2027-04-13&guests=2&destination=lisbon-pt&source=staywire',
  );
});

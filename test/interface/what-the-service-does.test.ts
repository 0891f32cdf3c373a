import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { ACME, priced, setScene } from '../support/scene.ts';

const TWO_BRANDS = {
  acme: ACME,
  bravo: { properties: [property('z', { url: 'https://stay.example/z' })] },
};

test('four steps: open, answer one field at a time, read the result, narrow it', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  const asked: string[] = [];
  let answer = await service.get(conversation.opened.body.next_request.url);
  while (answer.body.error === 'incomplete_payload') {
    asked.push(answer.body.next_required);
    answer = await service.post(answer.body.next_request.url, {});
  }
  assert.deepEqual(asked, [
    'brand_locked',
    'destination',
    'check_in_month',
    'check_in_day',
    'check_out',
    'guests',
  ]);
  const result = await service.get(answer.body.self_url);
  assert.equal(result.raw, answer.raw);
  const refine = await service.post(result.body.available_requests.refine.href, {});
  assert.deepEqual(refine.body.missing_fields, ['amenities']);
  const narrowed = await service.post(refine.body.next_request.url, {});
  assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });
});

test('every link of the flow can be followed with GET as well', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  let answer = await service.get(conversation.opened.body.next_request.url);
  for (let step = 0; step < 5; step += 1) answer = await service.get(answer.body.next_request.url);
  assert.equal(answer.body.object, 'search_result');
  const refine = await service.get(answer.body.available_requests.refine.href);
  assert.equal(refine.body.next_required, 'amenities');
  const narrowed = await service.get(refine.body.next_request.url);
  assert.equal(narrowed.body.comparison_set.options_count, 1);
});

test('from the entry to the narrowed result by opening addresses alone', async (t) => {
  const { service } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
  for (const [entry, fields] of [
    ['/', 5],
    ['/?source=acme', 6],
  ] as const) {
    const { body } = await service.get(entry, { accept: 'application/json' });
    assert.match(body.start_by_get.url, /^https:\/\/stays\.example\/ai\/v1\/auth/);
    let answer = await service.get(body.start_by_get.url);
    answer = await service.get(answer.body.next_request.url);
    for (let step = 0; step < fields; step += 1) {
      assert.match(answer.body.next_request.url, /^https:\/\/stays\.example\//);
      answer = await service.get(answer.body.next_request.url);
    }
    assert.equal(answer.body.object, 'search_result');
    const refine = await service.get(answer.body.available_requests.refine.href);
    const narrowed = await service.get(refine.body.next_request.url);
    assert.equal(narrowed.body.comparison_set.options_count, 1);
  }
});

test('the template of auth, filled in, names only what the search takes', async (t) => {
  const { service, open } = await setScene(t);
  const values = { brand_locked: 'true', ...STAY };
  for (const source of [null, 'acme']) {
    const { url_template, hint } = (await open(source)).opened.body;
    const url = url_template.replaceAll(/\{(\w+)\}/g, (_: string, name: keyof typeof values) => values[name]);
    assert.doesNotMatch(url, /[{}]|undefined/);
    const { body } = await service.get(`${url}&check_in_month=${STAY.check_in_month}`);
    assert.equal(body.object, 'search_result');
    assert.match(hint, /url_template, for example with .*guests=2/);
  }
});

test('every result says for whom it is', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).search();
  assert.deepEqual(body.access, { audience: 'ai_assistants', end_user_access: false });
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

test('a website that names the parts of a stay otherwise gets its own names', async (t) => {
  const website = {
    hosts: ['stay.example'],
    stay_parameters: { check_in: 'from', check_out: 'to', guests: 'people', source: 'utm_source' },
  };
  const { open } = await setScene(t, { brands: { acme: { ...ACME, entry: { website } } } });
  const { body } = await (await open('acme')).search();
  assert.equal(
    body.results[0].url,
    'https://stay.example/a?from=2027-04-10&to=2027-04-13&people=2&utm_source=staywire',
  );
  assert.equal(body.all_results_url, null, 'this website has no page with all results');
});

test('links that are not the operator’s own, or lead to the interface, never reach a traveller', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('good'),
          property('elsewhere', { url: 'https://other.example/house' }),
          property('agent', { url: 'https://stay.example/ai/v1/search?session=x' }),
          property('encoded', { url: 'https://stay.example/%61i/v1/search' }),
          property('plain', { url: 'http://stay.example/house' }),
          property('script', { url: 'javascript:alert(1)' }),
          property('foreign-picture', {
            images: [{ url: 'https://other.example/1.jpg', alt: 'A house', type: 'exterior' }],
          }),
        ],
      },
    },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(
    body.results.map((option: { property_id: string }) => option.property_id),
    ['acme:good'],
  );
});

test('prices are live quotes, not the prices of the catalogue', async (t) => {
  const { operator, open } = await setScene(t);
  operator.quote = priced({ a: '377.70', b: '377.80' });
  const { body } = await (await open()).search();
  assert.deepEqual(
    body.results.map((option: { quote: { amount: number } }) => option.quote.amount),
    [377.7, 377.8],
  );
  assert.deepEqual(operator.asked, [
    {
      properties: ['a', 'b'],
      check_in: '2027-04-10',
      check_out: '2027-04-13',
      guests: 2,
      currency: 'EUR',
    },
  ]);
});

test('a search stays with the brand of the entry, or spans every brand', async (t) => {
  const { open } = await setScene(t, { brands: TWO_BRANDS });
  const brandsOf = (body: { results: { brand: string }[] }) => [
    ...new Set(body.results.map(({ brand }) => brand)),
  ];
  const locked = await (await open('acme')).search();
  assert.deepEqual(brandsOf(locked.body), ['Brand acme']);
  const opened = await (await open('acme')).search({ brand_locked: false });
  assert.deepEqual(brandsOf(opened.body), ['Brand acme', 'Brand bravo']);
  assert.equal(opened.body.all_results_url, null);
  const direct = await (await open()).search();
  assert.deepEqual(brandsOf(direct.body), ['Brand acme', 'Brand bravo']);
  assert.equal(direct.body.all_results_url, null);
});

test('with a public address, what is followed is absolute and what names a resource stays relative', async (t) => {
  const { service, open } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
  const conversation = await open('acme');
  const { token, opened } = conversation;
  assert.equal(
    opened.body.next_request.url,
    `https://stays.example/ai/v1/search?session=${token}&idempotency_key=sw.0.read`,
  );
  assert.equal(opened.body.self_url, '/ai/v1/auth');
  const step = await conversation.read();
  assert.match(step.body.next_request.url, /^https:\/\/stays\.example\/ai\/v1\/search\?/);
  for (const { url } of step.body.available_requests)
    assert.match(url, /^https:\/\/stays\.example\/ai\/v1\//);
  assert.deepEqual(
    [step.body.self_url, step.body.schema_url, step.body.terms_url],
    [`/ai/v1/search?session=${token}`, '/ai/v1/schema', '/ai/v1/terms'],
  );
  const { body } = await conversation.search();
  assert.match(body.available_requests.refine.href, /^https:\/\/stays\.example\/ai\/v1\/search\?session=/);
  assert.equal(body.available_requests.refine.path, '/ai/v1/search');
  assert.equal(body.self_url, `/ai/v1/result?session=${token}`);
  const lost = await service.get('/ai/v1/result');
  assert.equal(lost.body.next_request.url, 'https://stays.example/ai/v1/auth');
});

test('the Host header never decides an address', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.post('/ai/v1/auth', {}, { 'x-forwarded-host': 'evil.example' });
  assert.equal(body.error, 'access_denied', 'X-Forwarded-Host is the mark of a proxy that nobody listed');
  const direct = await service.post('/ai/v1/auth', {}, { host: 'app.localhost:4711' });
  assert.match(direct.body.next_request.url, /^\/ai\/v1\/search\?session=ses_/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network } from '../../catalogue/catalogue.ts';
import { readQuery } from '../incoming-request.ts';
import { createEntryPage } from './entry-page.ts';

const brand = (id: string, name: string, singleLocation: string | null) =>
  [id, { id, name, singleLocation, website: { hosts: ['casas.example'] } }] as const;
const brands = new Map([
  brand('seaside', 'Seaside Stays', null),
  brand('villa', 'Villa <b>"One"</b> & *Söhne*', 'evora-pt'),
]) as unknown as Network['brands'];
const places = new Map([['evora-pt', { id: 'evora-pt', name: 'Évora <1>' }]]) as unknown as Network['places'];

const DIRECT_TEMPLATE =
  '/ai/v1/search?session={session}&destination={destination}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}&view=compact';
const DIRECT_EXAMPLE =
  '/ai/v1/search?session={session}&destination=porto-pt&check_in_day=2027-05-08&check_out=2027-05-11&guests=2&view=compact';

type Shown = {
  readonly requested: string | undefined;
  readonly network?: string;
  readonly publicUrl?: string | null;
};
const facts = (requested: string | undefined, more: Omit<Shown, 'requested'> = {}): Shown => ({
  requested,
  ...more,
});

const ACCEPTS = { json: 'application/json', markdown: 'text/markdown', html: 'text/html' };

function renderEntry(format: keyof typeof ACCEPTS, { requested, ...more }: Shown) {
  const page = createEntryPage({
    network: 'Open Shores',
    brands,
    places,
    publicUrl: null,
    exampleStay: () => ({ place: 'porto-pt', checkIn: '2027-05-08', checkOut: '2027-05-11' }),
    ...more,
  });
  const { body, headers } = page.render({
    accept: ACCEPTS[format],
    query: readQuery(requested === undefined ? '' : `source=${requested}`),
  });
  return { body: String(body), headers };
}

test('JSON tells an assistant everything that it needs to start', () => {
  const { body, headers } = renderEntry('json', facts(undefined));
  assert.deepEqual(headers, {
    vary: 'Accept, Accept-Encoding',
    link: '</openapi.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"; type="text/html"',
    'content-type': 'application/json',
  });
  const { description, next, booking, ...rest } = JSON.parse(body);
  assert.deepEqual(rest, {
    api_version: '2026-11-01',
    name: 'Open Shores',
    source: null,
    start: { method: 'POST', url: '/ai/v1/auth', body: {} },
    start_by_get: { method: 'GET', url: '/ai/v1/auth' },
    whole_stay: {
      rule: 'The whole stay can also be given in one request: put the session and the values into this address and open it.',
      url_template: DIRECT_TEMPLATE,
      example: DIRECT_EXAMPLE,
    },
    mcp: {
      rule: 'Assistants that speak MCP connect to this address instead (streamable HTTP, no key): one call of search_stays takes the whole trip.',
      url: '/mcp',
      transport: 'streamable-http',
    },
    source_hint:
      'A traveller who came from one brand starts with its source: in the body as source, or in the address as ?source=.',
    sources: [
      { source: 'seaside', name: 'Seaside Stays', single_location: false },
      { source: 'villa', name: 'Villa <b>"One"</b> & *Söhne*', single_location: true },
    ],
    picture_hosts: ['casas.example'],
    schema_url: '/ai/v1/schema',
    terms_url: '/ai/v1/terms',
    openapi_url: '/openapi.json',
    docs_url: '/docs',
    llms_url: '/llms.txt',
    help_url: '/.well-known/agent-skills/find-stays/SKILL.md',
    access_url: '/for-assistants',
    skill_url: '/.well-known/agent-skills/find-stays/SKILL.md',
    access: { audience: 'ai_assistants', end_user_access: false },
  });
  assert.match(description, /approved AI assistants/);
  assert.match(next, /Choose the value that fits the traveller’s words/);
  assert.match(next, /next_request is only the first value on offer/);
  assert.match(booking, /operators’ websites/);
});

test('coming in through a brand explains brand_locked, and names its only location', () => {
  const textOf = (format: 'json' | 'markdown' | 'html', requested: string) =>
    renderEntry(format, facts(requested)).body;
  for (const format of ['json', 'markdown', 'html'] as const) {
    assert.match(textOf(format, 'seaside'), /brand_locked true searches this brand alone, false every brand/);
    assert.doesNotMatch(textOf(format, 'seaside'), /one place only/);
    assert.match(textOf(format, 'villa'), /one place only/);
    assert.doesNotMatch(renderEntry(format, facts(undefined)).body, /brand_locked true/);
  }
  const { brand_locked, location } = JSON.parse(textOf('json', 'villa'));
  assert.match(brand_locked, /when the traveller came for it/);
  assert.deepEqual(location, {
    destination: 'evora-pt',
    name: 'Évora <1>',
    rule: 'Its searches are in one place only, so they have no destination.',
  });
  assert.match(textOf('html', 'villa'), /Évora &lt;1&gt;/);
  assert.match(textOf('markdown', 'villa'), /Évora \\<1\\>/);
});

test('every format shows how to start with GET, and how to give the whole stay at once', () => {
  for (const [requested, auth, fields] of [
    [undefined, '/ai/v1/auth', ['destination', 'check_in_day', 'check_out', 'guests']],
    [
      'seaside',
      '/ai/v1/auth?source=seaside',
      ['brand_locked', 'destination', 'check_in_day', 'check_out', 'guests'],
    ],
    ['villa', '/ai/v1/auth?source=villa', ['brand_locked', 'check_in_day', 'check_out', 'guests']],
  ] as const) {
    const template = `/ai/v1/search?session={session}${fields.map((name) => `&${name}={${name}}`).join('')}&view=compact`;
    const shown = facts(requested);
    const { start_by_get, whole_stay } = JSON.parse(renderEntry('json', shown).body);
    assert.deepEqual(start_by_get, { method: 'GET', url: auth });
    assert.equal(whole_stay.url_template, template);
    const markdown = renderEntry('markdown', shown).body;
    assert.ok(markdown.includes(`GET ${auth}\n`));
    assert.ok(markdown.includes(`GET ${template}\n`));
    assert.ok(markdown.includes(`\`${whole_stay.example}\``));
    const page = renderEntry('html', shown).body.replaceAll('&amp;', '&');
    assert.ok(page.includes(`GET ${auth}\n`));
    assert.ok(page.includes(`GET ${template}\n`));
    assert.ok(page.includes(whole_stay.example));
    for (const text of [markdown, page])
      assert.match(text, /The whole stay can also be given in one request/);
  }
});

test('an unknown brand is reported, not echoed, and the known ones are listed', () => {
  for (const requested of [
    '<script>alert(1)</script>',
    'seaside&source=villa',
    'seaside&source=seaside',
    'seaside%20',
  ]) {
    const { error, source } = JSON.parse(renderEntry('json', facts(requested)).body);
    assert.deepEqual([error, source], ['unknown_source', null]);
  }
  const unknown = facts('<script>alert(1)</script>');
  const json = JSON.parse(renderEntry('json', unknown).body);
  assert.deepEqual([json.error, json.source, json.start.body], ['unknown_source', null, {}]);
  for (const format of ['json', 'markdown', 'html'] as const) {
    const { body } = renderEntry(format, unknown);
    assert.match(body, /No brand on this network has that source name/);
    assert.match(body, /seaside/);
    assert.doesNotMatch(body, /alert/);
    assert.doesNotMatch(renderEntry(format, facts('')).body, /No brand on this network/);
  }
});

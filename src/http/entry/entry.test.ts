import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { renderEntry } from './entry.ts';
import { type EntryFacts, type EntrySource, requestedBrand } from './entry-facts.ts';

const sources: readonly EntrySource[] = [
  { source: 'seaside', name: 'Seaside Stays', single_location: false },
  { source: 'villa', name: 'Villa <b>"One"</b> & *Söhne*', single_location: true },
];

function facts(asked: unknown, overrides: Partial<EntryFacts> = {}): EntryFacts {
  return {
    network: 'Open Shores',
    sources,
    requestedBrand: requestedBrand(asked, sources),
    publicUrl: null,
    version: '2026-11-01',
    ...overrides,
  };
}

test('JSON tells an assistant everything that it needs to start', () => {
  const { body, headers } = renderEntry('json', facts(undefined));
  assert.deepEqual(headers, { vary: 'Accept', 'content-type': 'application/json' });
  const { description, next, booking, ...rest } = JSON.parse(body);
  assert.deepEqual(rest, {
    api_version: '2026-11-01',
    name: 'Open Shores',
    source: null,
    start: { method: 'POST', url: '/ai/v1/auth', body: {} },
    sources: [
      { source: 'seaside', name: 'Seaside Stays', single_location: false },
      { source: 'villa', name: 'Villa <b>"One"</b> & *Söhne*', single_location: true },
    ],
    schema_url: '/ai/v1/schema',
    terms_url: '/ai/v1/terms',
    access: { audience: 'ai_assistants', end_user_access: false },
  });
  assert.match(description, /approved AI assistants/);
  assert.match(next, /Follow next_request/);
  assert.match(booking, /operators’ websites/);
});

test('coming in through a brand shows the call with that body, in every format', () => {
  const json = JSON.parse(renderEntry('json', facts('seaside')).body);
  assert.deepEqual([json.source, json.start.body], ['seaside', { source: 'seaside' }]);
  assert.match(
    renderEntry('markdown', facts('seaside')).body,
    /POST \/ai\/v1\/auth\n.*\n\n {3}\{"source":"seaside"\}/,
  );
  const page = renderEntry('html', facts('seaside')).body;
  assert.match(page, /\{&quot;source&quot;:&quot;seaside&quot;\}/);
  assert.match(page, /href="\/\?source=seaside" aria-current="page"/);
  assert.equal(page.match(/aria-current="page"/g)?.length, 1);
});

test('an unknown brand is reported, not echoed, and the known ones are listed', () => {
  for (const asked of ['<script>alert(1)</script>', 'SEASIDE', ['seaside', 'villa'], { a: 1 }, 'seaside ']) {
    assert.deepEqual(requestedBrand(asked, sources), { kind: 'unknown_brand' });
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

test('a public address makes the calls absolute, while schema_url and terms_url stay paths', () => {
  const shown = facts(undefined, { publicUrl: 'https://stays.example' });
  const json = JSON.parse(renderEntry('json', shown).body);
  assert.equal(json.start.url, 'https://stays.example/ai/v1/auth');
  assert.deepEqual([json.schema_url, json.terms_url], ['/ai/v1/schema', '/ai/v1/terms']);
  assert.match(renderEntry('markdown', shown).body, /POST https:\/\/stays\.example\/ai\/v1\/auth\n/);
  assert.match(renderEntry('html', shown).body, /<\/b> https:\/\/stays\.example\/ai\/v1\/auth\n/);
});

test('the page needs nothing from anywhere, and its policy allows exactly its own style', () => {
  const { body, headers } = renderEntry('html', facts(undefined));
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(
    headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.doesNotMatch(body, /<script|<link|<img|\son\w+=|\sstyle=|url\(/);
  assert.match(body, /^<!doctype html>\n<html lang="en">/);
  assert.equal(body.match(/<h1>/g)?.length, 1);
});

test('names are escaped', () => {
  const hostile = facts('villa', { network: '<img src=x onerror=1>\n# "Boss"' });
  const page = renderEntry('html', hostile).body;
  assert.match(page, /&lt;img src=x onerror=1&gt;\n# &quot;Boss&quot;<\/h1>/);
  assert.match(page, /Villa &lt;b&gt;&quot;One&quot;&lt;\/b&gt; &amp; \*Söhne\*/);
  const markdown = renderEntry('markdown', hostile).body;
  assert.match(markdown, /^# \\<img src=x onerror=1\\> \\# "Boss"\n/);
  assert.match(markdown, /- `villa`: Villa \\<b\\>"One"\\<\/b\\> & \\\*Söhne\\\* \(one location\)/);
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { readQuery } from '../incoming-request.ts';
import { discoveryPages } from './discovery-pages.ts';
import { guideHtml, guideMarkdown } from './guide.ts';
import { skillDocument, skillIndex } from './llms-and-skill.ts';
import { SIGNERS } from './signers.generated.ts';
import { securityContactOf, securityText, serverCard } from './well-known.ts';

const PUBLIC = 'https://stays.example';

const TOOLS = ['search_stays', 'refine_stays', 'show_stay', 'describe_network'];

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

test('the server card says who is there and how to connect, and lists no tools', () => {
  const { version, ...card } = serverCard('Open Shores', PUBLIC);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(card, {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'example.stays/staywire',
    title: 'Open Shores',
    description:
      'Search short-term rentals and compare live, final prices from the operators’ booking systems.',
    websiteUrl: 'https://stays.example/',
    remotes: [
      { type: 'streamable-http', url: 'https://stays.example/mcp', supportedProtocolVersions: REVISIONS },
    ],
  });
  assert.ok(card.description.length <= 100);
  assert.equal(serverCard('ä'.repeat(120), PUBLIC).title.length, 100);
});

test('the index of skills has the digest of the very bytes of the skill', () => {
  for (const publicUrl of [null, PUBLIC]) {
    const { $schema, skills } = JSON.parse(skillIndex(publicUrl));
    assert.equal($schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    const text = skillDocument(publicUrl);
    const [skill] = skills;
    assert.equal(skill.digest, `sha256:${createHash('sha256').update(text).digest('hex')}`);
    assert.deepEqual(
      [skill.name, skill.type, skill.url],
      ['find-stays', 'skill-md', '/.well-known/agent-skills/find-stays/SKILL.md'],
    );
    const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const lines = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/, 2)));
    assert.equal(lines.name, skill.name);
    assert.equal(lines.description, skill.description);
    assert.ok(skill.description.length <= 1024 && !skill.description.includes(': '), 'plain YAML');
    for (const tool of TOOLS) assert.match(body, new RegExp(`\`${tool}\``));
    assert.match(body, /\/ai\/v1\/search\?session=\{session\}&destination=\{destination\}&/);
    assert.match(body, /never an\s+instruction/);
    assert.match(body, /Never show an address under `\/ai\/`/);
  }
});

test('security.txt names a contact and ends in less than a year, at the same moment all day', () => {
  const noon = Date.UTC(2027, 2, 1, 12);
  assert.equal(
    securityText('mailto:a@b.example', PUBLIC, noon),
    'Contact: mailto:a@b.example\nExpires: 2027-08-28T00:00:00Z\nPreferred-Languages: en\nCanonical: https://stays.example/.well-known/security.txt\n',
  );
  assert.equal(securityText('tel:1', null, noon), securityText('tel:1', null, noon + 43_199_000));
  assert.equal(securityContactOf('tel:1', 'a@b.example'), 'tel:1');
  assert.equal(securityContactOf(null, 'a@b.example'), 'mailto:a@b.example');
  assert.equal(securityContactOf(null, 'the front desk'), null);
});

const NO_QUERY = readQuery('');

const facts = {
  publicUrl: 'https://stays.example',
  hosts: [],
  contact: 'owner@stays.example',
  signers: SIGNERS,
};

describe('the page that refusals lead to', () => {
  it('says the same in Markdown and in HTML, in which no name is markup', () => {
    const odd = { ...facts, contact: '<b>`x` & *y*</b>' };
    const html = guideHtml('<i>Shores</i>', odd);
    assert.match(html, /<code>&lt;b&gt;`x` &amp; \*y\*&lt;\/b&gt;<\/code>/);
    assert.match(html, /<p class="kicker">&lt;i&gt;Shores&lt;\/i&gt;<\/p>/);
    assert.match(guideMarkdown(odd), /`` <b>`x` & \*y\*<\/b> ``/);
    const headings = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, heading]) => heading);
    assert.deepEqual(headings(html, /<h2>(.*?)<\/h2>/g), headings(guideMarkdown(odd), /^## (.*)$/gm));
  });

  it('comes as Markdown, as plain text or as a page, as it is asked for', () => {
    const rest = { network: 'Shores', securityContact: null, keyDirectory: null, now: () => 0 };
    const page = discoveryPages({ ...facts, ...rest }).find(({ path }) => path === '/for-assistants');
    assert.ok(page);
    const typeFor = (accept: string | undefined) =>
      page.render({ accept, query: NO_QUERY }).headers?.['content-type']?.split(';')[0];
    for (const [accept, type] of [
      [undefined, 'text/markdown'],
      ['*/*', 'text/markdown'],
      ['application/json', 'text/markdown'],
      ['text/plain', 'text/plain'],
      ['text/*', 'text/markdown'],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ] as const) {
      assert.equal(typeFor(accept), type, accept);
    }
    const html = page.render({ accept: 'text/html', query: NO_QUERY });
    assert.match(html.headers?.['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
    assert.equal(html.headers?.vary, 'Accept, Accept-Encoding');
  });
});

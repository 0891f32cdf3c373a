import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { llmsText, skillDocument, skillIndex } from './llms-and-skill.ts';
import { aiCatalog, apiCatalog, securityContactOf, securityText, serverCard } from './well-known.ts';

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

test('without a domain the card has the name of the software, and without an address a variable for it', () => {
  for (const publicUrl of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']) {
    const { name, remotes } = serverCard('Open Shores', publicUrl);
    assert.equal(name, 'io.github.staywire/staywire');
    assert.equal(Reflect.get(remotes[0] ?? {}, 'url'), `${publicUrl}/mcp`);
  }
  const { remotes, websiteUrl } = serverCard('Open Shores', null);
  assert.equal(websiteUrl, undefined);
  assert.deepEqual(remotes, [
    {
      type: 'streamable-http',
      url: '{origin}/mcp',
      variables: { origin: { description: 'Origin from which this card was read.', isRequired: true } },
      supportedProtocolVersions: REVISIONS,
    },
  ]);
});

test('the AI catalog leads to the card, or holds it where no address is known', () => {
  assert.deepEqual(aiCatalog('Open Shores', PUBLIC), {
    specVersion: '1.0',
    host: { displayName: 'Open Shores', documentationUrl: 'https://stays.example/docs' },
    entries: [
      {
        identifier: 'urn:air:stays.example:mcp:staywire',
        displayName: 'Open Shores',
        type: 'application/mcp-server-card+json',
        url: 'https://stays.example/mcp/server-card',
      },
    ],
  });
  const [entry] = aiCatalog('Open Shores', null).entries;
  assert.deepEqual(Reflect.get(entry ?? {}, 'data'), serverCard('Open Shores', null));
  assert.equal(Reflect.get(entry ?? {}, 'url'), undefined);
});

test('the API catalog is a linkset with both interfaces and what describes each', () => {
  const { linkset } = JSON.parse(apiCatalog(PUBLIC));
  const hrefs = (links: { href: string }[]) => links.map(({ href }) => href.replace(PUBLIC, ''));
  const [catalog, rest, mcp] = linkset;
  assert.equal(catalog.anchor, `${PUBLIC}/.well-known/api-catalog`);
  assert.deepEqual(hrefs(catalog.item), ['/ai/v1', '/mcp']);
  assert.equal(rest.anchor, `${PUBLIC}/ai/v1`);
  assert.deepEqual(hrefs(rest['service-desc']), ['/openapi.json']);
  assert.deepEqual(hrefs(rest['service-doc']), [
    '/docs',
    '/llms.txt',
    '/.well-known/agent-skills/find-stays/SKILL.md',
  ]);
  assert.deepEqual(hrefs(mcp['service-desc']), ['/mcp/server-card']);
  for (const context of [rest, mcp]) {
    assert.deepEqual(hrefs(context['terms-of-service']), ['/ai/v1/terms']);
    assert.deepEqual(hrefs(context.status), ['/readyz']);
  }
  assert.equal(JSON.parse(apiCatalog(null)).linkset[0].anchor, '/.well-known/api-catalog');
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

test('llms.txt has the shape of its convention, and both ways to start', () => {
  const text = llmsText('Open *Shores*\n# x', PUBLIC);
  const [title, , summary] = text.split('\n');
  assert.equal(title, '# Open \\*Shores\\* \\# x');
  assert.match(summary ?? '', /^> Short-term rentals/);
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections, ['For assistants', 'For developers', 'Optional']);
  const lists = text
    .slice(text.indexOf('\n## '))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('## '));
  for (const line of lists) assert.match(line, /^- \[[^\]]+\]\(https:\/\/stays\.example\/\S*\): \S/);
  for (const tool of TOOLS) assert.match(text, new RegExp(`\`${tool}\``));
  assert.match(text, /connect to `https:\/\/stays\.example\/mcp`/);
  assert.match(text, /`npx staywire mcp --url https:\/\/stays\.example`/);
  assert.match(text, /`POST https:\/\/stays\.example\/ai\/v1\/auth` with `\{\}`/);
});

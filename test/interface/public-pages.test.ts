import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setScene } from '../support/scene.ts';
import type { TestService } from '../support/test-service.ts';

const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
};
const STRANGER = '203.0.113.9';

/** Every path, and who may open it. The files of the reference page are named by the page itself. */
const EVERYBODY = [
  '/',
  '/docs',
  '/openapi.json',
  '/llms.txt',
  '/for-assistants',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/find-stays/SKILL.md',
  '/.well-known/security.txt',
  '/mcp/server-card',
  '/healthz',
  '/readyz',
] as const;
const ASSISTANTS_ONLY = [
  '/ai/v1/auth',
  '/ai/v1/search',
  '/ai/v1/schema',
  '/ai/v1/terms',
  '/ai/v1/result',
  '/ai/v1/nothing',
] as const;
const OTHER_SITES_MAY_READ = [
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/find-stays/SKILL.md',
  '/mcp/server-card',
];

const TYPES: Readonly<Record<string, string>> = {
  '/docs': 'text/html; charset=utf-8',
  '/openapi.json': 'application/json',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/for-assistants': 'text/markdown; charset=utf-8',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/agent-skills/find-stays/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
  '/mcp/server-card': 'application/mcp-server-card+json',
};

describe('who may open what', () => {
  it('people and strangers open every page that is published, and nothing else', async (t) => {
    const { service } = await setScene(t);
    const all = [...EVERYBODY, ...(await assetsOf(service))];
    for (const url of all) {
      assert.equal((await service.call({ url, remoteAddress: STRANGER })).status, 200, `stranger ${url}`);
      assert.equal((await service.call({ url, headers: NAVIGATION })).status, 200, `person ${url}`);
      assert.equal((await service.get(url)).status, 200, `assistant ${url}`);
    }
    for (const url of ASSISTANTS_ONLY) {
      const stranger = await service.call({ url, remoteAddress: STRANGER });
      assert.deepEqual([stranger.status, stranger.body.reason], [403, undefined], `stranger ${url}`);
      const person = await service.call({ url, headers: NAVIGATION });
      assert.deepEqual([person.status, person.body.reason], [403, 'end_user_access'], `person ${url}`);
      assert.notEqual((await service.get(url)).status, 403, `assistant ${url}`);
    }
  });

  it('the MCP server lets in nobody but assistants', async (t) => {
    const { service } = await setScene(t);
    for (const caller of [{ remoteAddress: STRANGER }, { headers: NAVIGATION }]) {
      const { status } = await service.call({ method: 'POST', url: '/mcp', ...caller });
      assert.equal(status, 403);
    }
  });

  it('pages of other sites read the documents whose conventions ask for it, and no others', async (t) => {
    const { service } = await setScene(t);
    const origin = { origin: 'https://directory.example' };
    for (const url of [...EVERYBODY, ...(await assetsOf(service)), ...ASSISTANTS_ONLY]) {
      const mayRead = OTHER_SITES_MAY_READ.includes(url);
      const { headers } = await service.get(url, origin);
      assert.equal(headers['access-control-allow-origin'], mayRead ? '*' : undefined, url);
      assert.equal(headers['access-control-allow-credentials'], undefined, url);
      const preflight = await service.call({
        method: 'OPTIONS',
        url,
        headers: {
          ...origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
      });
      assert.equal(preflight.status === 204, mayRead, url);
      assert.equal(preflight.headers['access-control-allow-origin'], mayRead ? '*' : undefined, url);
      if (!mayRead) continue;
      assert.equal(preflight.headers['access-control-allow-methods'], 'GET');
      assert.equal(preflight.headers['access-control-allow-headers'], 'Content-Type, If-None-Match');
      assert.equal(headers['access-control-expose-headers'], 'ETag');
      assert.equal(preflight.headers['content-length'], undefined);
    }
  });
});

describe('published documents', () => {
  it('have their types, and may be kept and asked about again', async (t) => {
    const { service } = await setScene(t);
    const origin = await service.listen();
    for (const [url, type] of Object.entries(TYPES)) {
      const { headers, raw } = await service.get(url);
      assert.equal(headers['content-type'], type, url);
      assert.match(String(headers['cache-control']), /^public, max-age=\d+$/, url);
      const head = await fetch(`${origin}${url}`, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'identity' },
      });
      assert.deepEqual([head.status, await head.text()], [200, ''], url);
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(raw)), url);
      if (url.endsWith('security.txt')) continue;
      const known = await service.get(url, { 'if-none-match': String(headers.etag) });
      assert.deepEqual([known.status, known.raw], [304, ''], url);
      assert.equal(known.headers['content-security-policy'], headers['content-security-policy'], url);
      assert.equal((await service.get(url, { 'if-none-match': '"other"' })).status, 200, url);
      const packed = await fetch(`${origin}${url}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(await packed.text(), raw, url);
      assert.equal(packed.headers.get('content-encoding'), raw.length > 2048 ? 'br' : null, url);
      assert.equal(packed.headers.get('etag'), `W/${headers.etag}`, url);
    }
  });

  it('the files of the reference page are kept for good, are its own, and lead to no others', async (t) => {
    const { service } = await setScene(t);
    const assets = await assetsOf(service);
    assert.equal(assets.length, 4);
    for (const url of assets) {
      const { headers } = await service.call({ url, headers: { 'accept-encoding': 'br' } });
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable', url);
      assert.match(String(headers['content-type']), /^text\/(css|javascript); charset=utf-8$/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(url, /^\/docs\/[\w.-]+\/[\w-]+\.(css|js)$/);
    }
    const folder = assets.find((url) => url.includes('swagger-ui-'))?.replace(/[^/]*$/, '') ?? '';
    for (const other of [
      'index.html',
      'swagger-ui-bundle.js.map',
      'package.json',
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      '..%5cpackage.json',
      '',
    ]) {
      assert.equal((await service.get(`${folder}${other}`)).status, 404, other);
    }
  });

  it('the reference page may run its own files and nothing else, and be shown nowhere else', async (t) => {
    const { service } = await setScene(t);
    const { headers, raw } = await service.get('/docs');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.doesNotMatch(raw, /<style|\sstyle=|\son\w+=|<script(?! src=)|https?:/);
  });

  it('there is no security.txt where nobody can be written to', async (t) => {
    const { service } = await setScene(t, { network: { contact: 'the front desk' } });
    assert.equal((await service.get('/.well-known/security.txt')).status, 404);
    const { service: other } = await setScene(t, {
      network: { contact: 'the front desk' },
      settings: { securityContact: 'https://stays.example/report' },
    });
    const { raw } = await other.get('/.well-known/security.txt');
    assert.equal(
      raw,
      'Contact: https://stays.example/report\nExpires: 2027-08-28T00:00:00Z\nPreferred-Languages: en\n',
    );
    other.time.now += 86_400_000;
    assert.match((await other.get('/.well-known/security.txt')).raw, /^Expires: 2027-08-29T/m);
  });

  it('give whole addresses where the public one is known', async (t) => {
    const { service } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
    const { service: elsewhere } = await setScene(t, { settings: { publicUrl: 'https://other.example' } });
    const { body: openapi, headers } = await service.get('/openapi.json');
    assert.notEqual(headers.etag, (await elsewhere.get('/openapi.json')).headers.etag);
    assert.deepEqual(openapi.servers, [{ url: 'https://stays.example' }]);
    assert.match(JSON.stringify(openapi), /curl 'https:\/\/stays\.example\/ai\/v1\/auth'/);
    for (const url of ['/llms.txt', '/.well-known/agent-skills/find-stays/SKILL.md']) {
      const { raw } = await service.get(url);
      assert.match(raw, /https:\/\/stays\.example\/mcp/, url);
      assert.match(raw, /POST https:\/\/stays\.example\/ai\/v1\/auth`/, url);
      assert.doesNotMatch(raw, /\]\(\/|`\/ai\/v1\//, `${url} has no path alone`);
    }
  });

  it('lead to nothing that is not there', async (t) => {
    const { service } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
    const found = new Set<string>();
    for (const url of ['/llms.txt', '/docs', '/']) {
      const { raw } = await service.get(url, { accept: 'text/html' });
      for (const [, path = ''] of raw.matchAll(/(?:https:\/\/stays\.example|href=")(\/[\w./-]*)/g))
        found.add(path);
    }
    const missing = [];
    for (const path of found) {
      if (['/mcp', '/ai/v1'].includes(path)) continue;
      if ((await service.get(path)).status === 404) missing.push(path);
    }
    assert.ok(found.size >= 10, [...found].join(' '));
    assert.deepEqual(missing, []);
  });
});

async function assetsOf(service: TestService): Promise<readonly string[]> {
  const { raw } = await service.get('/docs');
  return [...raw.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQuery } from '../incoming-request.ts';
import { discoveryPages } from './discovery-pages.ts';
import { guideHtml, guideMarkdown, readSigners } from './guide.ts';
import { SIGNERS } from './signers.generated.ts';

const NO_QUERY = readQuery('');
const MAX_LINES_OF_A_SIGNER = 40;
const facts = {
  publicUrl: 'https://stays.example',
  hosts: [],
  contact: 'owner@stays.example',
  signers: SIGNERS,
};

describe('the page that refusals lead to', () => {
  it('has both programs as they are in the examples, in few lines', () => {
    const { typescript, python } = readSigners();
    assert.deepEqual(SIGNERS, { typescript, python });
    const text = guideMarkdown(facts);
    for (const program of [typescript, python]) {
      assert.ok(text.includes(program));
      assert.ok(program.trimEnd().split('\n').length <= MAX_LINES_OF_A_SIGNER);
    }
  });

  it('names whom to ask, the host to sign for, and how to test', () => {
    const text = guideMarkdown(facts);
    assert.match(text, /^Write to the owner of the network, `owner@stays\.example`, and say:$/m);
    assert.match(text, /`@authority` is stays\.example,/);
    assert.match(text, /`https:\/\/stays\.example\/ai\/v1\/terms`/);
    assert.match(text, /`node sign-request\.ts https:\/\/stays\.example https:\/\/<your domain>`/);
    const authority = (known: Partial<Parameters<typeof guideMarkdown>[0]>) =>
      /`@authority` is (.*?)\. You may/.exec(guideMarkdown({ ...facts, ...known }))?.[1];
    assert.match(authority({ hosts: ['api.example'] }) ?? '', /^stays\.example or api\.example, in lower/);
    assert.match(authority({ publicUrl: null, hosts: ['api.example'] }) ?? '', /^api\.example, in lower/);
  });

  it('says that no signature is accepted where the owner has not named a host', () => {
    assert.match(
      guideMarkdown({ ...facts, publicUrl: null }),
      /the host of this network, which its owner has not named yet \(by `STAYWIRE_PUBLIC_URL` or `STAYWIRE_HOSTS`\): until then every signature is refused/,
    );
  });

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

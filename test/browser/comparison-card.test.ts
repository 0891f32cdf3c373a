import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import { type Browser, chromium, type Frame } from 'playwright-core';
import { startDemo } from '../../demo/start-demo.ts';
import type { ComparisonPayload } from '../../src/mcp/card/content/card-content.ts';
import { type CardHost, startCardHost, type ToolResult } from '../support/card-host.ts';
import { converse } from '../support/conversation.ts';
import { NOON } from '../support/network.ts';
import { QUIET_BROWSER } from '../support/quiet-browser.ts';
import { cardPayload, sampleCardPayload } from '../support/sample-card-payload.ts';
import { sampleOption } from '../support/sample-comparison.ts';
import { startTestService } from '../support/test-service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '';
const QUIET = [
  ...QUIET_BROWSER,
  // No name is looked up: pictures on other hosts than this machine do not load.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
const CONTEXT = { theme: 'light', locale: 'en-GB', timeZone: 'Europe/Lisbon' };
const BEFORE_EXPIRY = Date.parse('2026-11-15T09:40:00Z');

describe('the comparison card in a host', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, () => {
  const stops: (() => Promise<void>)[] = [];
  let host: CardHost;
  let real: ComparisonPayload;
  let demoOrigin: string;

  before(async () => {
    const demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: null });
    demoOrigin = demo.origin;
    const network = demo.networkFile();
    const service = await startTestService({ network, now: NOON });
    const conversation = await converse(service);
    await conversation.search();
    real = cardPayload((await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`)).body);
    const browser: Browser = await chromium.launch({ executablePath, headless: true, args: QUIET });
    host = await startCardHost(browser, [
      'casas.example',
      ...network.brands.flatMap(({ website }) => website.hosts),
    ]);
    stops.push(
      () => browser.close(),
      () => host.close(),
      () => service.close(),
      () => demo.close(),
    );
  });

  after(async () => {
    for (const stop of stops) await stop();
  });

  const showReal = async (options: Parameters<CardHost['embed']>[0] = {}, view?: object, payload = real) => {
    const embedded = await host.embed({ now: NOON, context: CONTEXT, ...options });
    await embedded.send('sendToolInput', { arguments: { destination: 'Lisbon' } });
    await embedded.send('sendToolResult', resultWith(payload, view));
    await embedded.card.locator('header').waitFor();
    return embedded;
  };
  const showSample = async (payload: ComparisonPayload, options: Parameters<CardHost['embed']>[0] = {}) => {
    const embedded = await host.embed({ now: BEFORE_EXPIRY, context: CONTEXT, ...options });
    await embedded.send('sendToolResult', resultWith(payload));
    await embedded.card.locator('header').waitFor();
    return embedded;
  };

  it('shows every option of a real result with its total, in the order of the set', async () => {
    const { card, page, complaints } = await showReal();
    assert.ok(real.results.length > 10);
    assert.deepEqual(
      await card.locator('.card h2').allTextContents(),
      real.results.map(({ name }) => name),
    );
    const money = new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency: real.comparison_set.currency,
      trailingZeroDisplay: 'stripIfInteger',
    });
    assert.deepEqual(
      await card.locator('.card .total strong').allTextContents(),
      real.results.map(({ quote }) => money.format(quote.amount)),
    );
    assert.equal(await card.locator('h1').textContent(), 'Stays in Lisbon, PT');
    assert.match(
      plain(await card.locator('header').innerText()),
      /Sat, 10 Apr – Tue, 13 Apr 2027 · 3 nights · 2 guests/,
    );
    assert.equal(await card.getByText('Lowest total', { exact: true }).locator('visible=true').count(), 1);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('says that operators are being asked, that a search was stopped, and that one failed', async () => {
    const { card, page, send } = await host.embed({ context: CONTEXT });
    const says = async (text: string) => await card.getByText(text, { exact: true }).waitFor();
    await send('sendToolInput', { arguments: {} });
    await says('Asking the operators for their prices…');
    await send('sendToolCancelled', { reason: 'user action' });
    await says('The search was stopped.');
    await send('sendToolResult', forModels({ outcome: 'problem' }));
    await says('The search did not work this time.');
    assert.doesNotMatch(await card.locator('main').innerText(), ONLY_FOR_MODELS);
    await page.close();
  });

  it('draws a question and a refusal as words and choices, never as the text for the model', async () => {
    for (const width of [360, 800]) {
      const { card, page, send, complaints } = await host.embed({ width, context: CONTEXT });
      const drawn = async (structured: object) => {
        await send('sendToolResult', forModels(structured));
        await card.locator('h1').waitFor();
        assert.ok(await fitsItsWidth(card));
        if (width === 360) assert.deepEqual(await violations(card), []);
        const text = plain(await card.locator('main').innerText());
        assert.doesNotMatch(text, ONLY_FOR_MODELS);
        return text;
      };
      const question = {
        field: 'guests',
        asks: 'People who stay. Send a number.',
        offered: ['1', '2', '3'].map((value) => ({ value })),
        offered_in_all: 3,
        missing_fields: ['guests'],
      };
      assert.equal(
        await drawn({ outcome: 'question', question }),
        'One more answer is needed How many people stay, children included? 1 2 3 Tell your assistant what you would like.',
      );
      const refusal = {
        field: 'check_out',
        error: 'invalid_value',
        message: 'The stay is too short: at least <b>3</b> nights are needed.',
        reason: { code: 'minimum_stay', nights: 3 },
        suggestions: ['2027-05-11'],
      };
      assert.equal(
        await drawn({ outcome: 'refused', refusals: [refusal], question }),
        'Not possible like that Departure: The stay is too short: at least <b>3</b> nights are needed. Tue, 11 May 2027 Tell your assistant what you would like.',
      );
      const unknown = { field: 'nights', error: 'unknown_field', message: 'There is no such argument.' };
      for (const structured of [
        { outcome: 'something new' },
        { outcome: 'refused', refusals: [unknown], question },
      ]) {
        await send('sendToolResult', forModels(structured));
        await becomes(card, 'document.documentElement.innerText.trim()', '');
      }
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  it('asks the network for its pictures and for nothing else', async () => {
    const { card, page, requests, complaints } = await showReal({ width: 1200 });
    await card.locator('.card img').first().waitFor();
    for (const image of await card.locator('.card img').all()) await image.scrollIntoViewIfNeeded();
    const expected = new Set(real.results.map(({ images }) => images.primary.url));
    const [, , , ...pictures] = requests;
    assert.ok(pictures.length > 0);
    assert.deepEqual(
      pictures.filter((url) => !expected.has(url)),
      [],
    );
    assert.ok(pictures.every((url) => url.startsWith(demoOrigin)));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('shows what the traveller asked for, in that order, and the rest when it is asked for', async () => {
    const asked = [real.results[4], real.results[1], real.results[2]].flatMap((one) => one ?? []);
    const part = { ...real, results: asked };
    const view = {
      sort: 'rating',
      max_total: 900,
      free_cancellation: true,
      max_options: 5,
      place_name: 'Lisboa',
    };
    const { card, page, seen } = await showReal(
      { capabilities: { openLinks: {}, serverTools: {} }, toolAnswer: resultWith(real) },
      view,
      part,
    );
    const names = () => card.locator('.card h2').allTextContents();
    assert.deepEqual(
      await names(),
      asked.map(({ name }) => name),
    );
    assert.equal(await card.locator('h1').textContent(), 'Stays in Lisboa');
    assert.equal(
      await card.locator('.part p').textContent(),
      `3 of ${real.results.length} shown: up to €900 in total, free cancellation.`,
    );
    await card.getByRole('button', { name: 'Show more' }).click();
    await card.locator('.part').waitFor({ state: 'detached' });
    assert.equal((await names()).length, real.results.length);
    assert.equal(plain(await announced(card)), `${real.results.length} stays shown.`);
    assert.deepEqual((await seen()).calls, [
      { name: 'refine_stays', args: { session: 'ses_a', max_options: 20, for_card: true } },
    ]);
    await page.close();
  });

  it('has the host open the operator’s address unchanged', async () => {
    const { card, page, seen, requests } = await showReal();
    const link = card.getByRole('link').first();
    assert.match((await link.textContent()) ?? '', /^Book on .+: .+/);
    await link.click();
    await link.press('Enter');
    const url = real.results[0]?.url;
    await page.waitForFunction('host.links.length === 2');
    assert.deepEqual((await seen()).links, [url, url]);
    assert.ok(!requests.includes(String(url)));
    assert.equal(await card.locator('.address').count(), 0);
    await page.close();
  });

  it('leaves an ordinary link and the address to copy where the host opens none', async () => {
    for (const options of [{ opensLinks: false }, { capabilities: {} }]) {
      const { card, page } = await showReal(options);
      const link = card.getByRole('link').first();
      assert.equal(await link.getAttribute('href'), real.results[0]?.url);
      assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
      await link.click();
      await link.click();
      await card.locator('.address').waitFor();
      assert.deepEqual(await card.locator('.address code').allTextContents(), [real.results[0]?.url]);
      await page.close();
    }
  });

  it('takes what operators write for text, and makes no link or picture of anything but the web', async () => {
    const evil = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
    const sample = sampleCardPayload({
      options: [
        sampleOption({
          property: {
            name: evil,
            location: evil,
            summary: evil,
            bedrooms: null,
            bathrooms: null,
            amenities: { wifi: evil },
            cancellation: { summary: evil, free: null },
          },
          quote: { lines: [{ label: evil, amount: 30_000 }], linesAvailable: true },
        }),
      ],
    });
    const [option] = sample.results;
    assert.ok(option);
    const hostile: ComparisonPayload = {
      ...sample,
      notes: evil,
      all_results_url: 'javascript:window.hurt=1',
      results: [
        {
          ...option,
          brand: evil,
          url: 'javascript:window.hurt=1',
          images: { primary: { url: 'javascript:window.hurt=1', alt: evil }, gallery: [] },
        },
      ],
    };
    const { card, page, complaints, requests } = await showSample(hostile);
    for (const summary of await card.locator('summary').all()) await summary.click();
    assert.equal(await card.locator('.card h2').textContent(), evil);
    assert.equal(await card.locator('.card .lines dt').first().textContent(), evil);
    assert.equal(await card.locator('.card blockquote').textContent(), evil);
    assert.equal(await card.locator('a, main img, main script').count(), 0);
    assert.equal(await card.getByText('The operator gave no address that can be opened.').first().count(), 1);
    assert.equal(await card.evaluate('window.hurt'), undefined);
    assert.deepEqual(complaints, []);
    assert.equal(requests.length, 3);
    await page.close();
  });

  it('runs no script that comes from a host of pictures, although the host’s policy would', async () => {
    const { card, page } = await showReal();
    const outcome = await card.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = '${demoOrigin}/x.js';
      script.onload = () => resolve('ran');
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      document.body.append(script);
    })`);
    assert.equal(outcome, 'script-src-elem');
    await page.close();
  });

  it('says that prices have ended once they have, without closing what is open', async () => {
    const { card, page } = await showSample(sampleCardPayload(), { isClockRunning: true });
    const header = async () => plain(await card.locator('header').innerText());
    assert.match(await header(), /Prices as of Sun, 15 Nov 2026, 9:30/);
    await card.locator('.card summary').click();
    await page.clock.fastForward('30:00');
    await card.getByText('may have changed').waitFor();
    assert.match(
      await header(),
      /Prices were checked on .* and may have changed\. Search again for current ones\./,
    );
    assert.equal(await card.locator('.card details[open]').count(), 1);
    await page.close();
  });

  it('asks the server for what an answer for models leaves out', async () => {
    const { card, page, send, seen } = await host.embed({
      now: NOON,
      context: CONTEXT,
      capabilities: { openLinks: {}, serverTools: {} },
      toolAnswer: resultWith(real),
    });
    const view = { sort: 'rating', max_total: 900, free_cancellation: false, max_options: 5 };
    const comparison = { currency: real.comparison_set.currency, options: [{}], view };
    await send('sendToolResult', { content: [], structuredContent: { session: 'ses_a', comparison } });
    await card.locator('.card img').first().waitFor();
    assert.deepEqual((await seen()).calls, [
      { name: 'refine_stays', args: { session: 'ses_a', ...view, for_card: true } },
    ]);
    await page.close();
  });

  it('points to the assistant’s answer where the host drops _meta and passes no calls on', async () => {
    const { card, page, send } = await host.embed({ now: NOON, context: CONTEXT });
    const comparison = { currency: 'EUR', options: [{}] };
    await send('sendToolResult', { content: [], structuredContent: { comparison } });
    await card.getByText('The comparison is in the answer of your assistant.').waitFor();
    await page.close();
  });

  it('follows the host’s theme, colours and locale as they change', async () => {
    const { card, page, changeContext } = await showReal();
    const ground = 'getComputedStyle(document.documentElement).backgroundColor';
    await becomes(card, ground, 'rgb(255, 255, 255)');
    await changeContext({ theme: 'dark' });
    await becomes(card, ground, 'rgb(29, 30, 32)');

    const names = ['background-primary', 'background-secondary', 'background-inverse', 'border-primary'];
    const texts = ['text-primary', 'text-secondary', 'text-inverse'];
    const colours = Object.fromEntries(
      [...names, ...texts].map((name) => [`--color-${name}`, 'rgb(1, 2, 3)']),
    );
    const { '--color-text-inverse': _left, ...incomplete } = colours;
    await changeContext({ styles: { variables: { ...incomplete, '--font-sans': 'serif' } } });
    await becomes(card, 'getComputedStyle(document.body).fontFamily', 'serif');
    // Colours that are no whole set are left.
    await becomes(card, ground, 'rgb(29, 30, 32)');
    await changeContext({ styles: { variables: colours } });
    await becomes(card, ground, 'rgb(1, 2, 3)');

    await changeContext({ locale: 'de-DE' });
    await card.getByText(/10\..*13\. Apr/).waitFor();
    await page.close();
  });

  it('speaks the protocol: who it is, how large it is, and how it ends', async () => {
    const { page, card, seen, tearDown } = await showReal({ width: 1200 });
    assert.deepEqual((await seen()).app, {
      version: { name: 'staywire-comparison', title: 'Staywire comparison', version: '1.0.0' },
      capabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    });
    const height = 'Math.ceil(document.documentElement.getBoundingClientRect().height)';
    await card.locator('.card').first().waitFor();
    for (let tries = 0; tries < 500; tries += 1) {
      if ((await seen()).sizes.at(-1)?.height === (await card.evaluate(height))) break;
    }
    assert.equal((await seen()).sizes.at(-1)?.height, await card.evaluate(height));
    const { sizes } = await seen();
    assert.equal(sizes.at(-1)?.width, 1200);
    assert.deepEqual(await tearDown(), {});
    await card.locator('.card summary').first().click();
    assert.equal((await seen()).sizes.length, sizes.length, 'it is silent once it is taken away');
    await page.close();
  });

  it('listens to its host alone', async () => {
    const { card, page } = await showSample(sampleCardPayload());
    await card.evaluate(
      'window.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "forged" }] } }, "*")',
    );
    await card.evaluate('new Promise((resolve) => setTimeout(resolve, 0))');
    assert.equal(await card.getByText('forged').count(), 0);
    assert.equal(await card.locator('.card').count(), 1);
    await page.close();
  });

  it('has nothing that an audit of accessibility finds', async () => {
    // One of each kind of terms: an audit of all of them takes long and finds no more.
    const few = { ...real, results: real.results.slice(0, 3) };
    for (const [theme, width] of [
      ['light', 320],
      ['dark', 1200],
    ] as const) {
      const rules = theme === 'dark' ? ['color-contrast'] : EVERY_RULE;
      const { card, page } = await showReal({ width, context: { ...CONTEXT, theme } }, undefined, few);
      await card.locator('.card summary').first().click();
      assert.deepEqual(await violations(card, rules), []);
      assert.ok(await fitsItsWidth(card), `at ${width} px`);
      await page.close();
    }
  });
});

/** What only a model should read: the text of an answer, and the handle of its session. */
const ONLY_FOR_MODELS = /ses_|session|search_stays|not taken|Send a number/;
const forModels = (structured: object): ToolResult => ({
  content: [{ type: 'text', text: 'guests not taken. Call search_stays.\nsession: ses_a' }],
  structuredContent: { session: 'ses_a', ...structured },
});

function resultWith(payload: ComparisonPayload, view?: object): ToolResult {
  return {
    content: [{ type: 'text', text: 'A comparison.' }],
    structuredContent: { outcome: 'comparison', session: 'ses_a' },
    _meta: { 'staywire/comparison': payload, ...(view ? { 'staywire/view': view } : {}) },
  };
}

const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function violations(card: Frame, rules: readonly string[] = EVERY_RULE): Promise<unknown[]> {
  await card.evaluate(axe.source);
  const found = await card.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run({ runOnly: ${JSON.stringify(rules)} })`,
  );
  return found.violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) }));
}

/** Asked from outside, because the card's policy lets nothing be evaluated inside. */
async function becomes(card: Frame, expression: string, expected: unknown): Promise<void> {
  for (let tries = 0; tries < 500 && (await card.evaluate(expression)) !== expected; tries += 1);
  assert.equal(await card.evaluate(expression), expected);
}

function fitsItsWidth(card: Frame): Promise<boolean> {
  return card.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
}

function announced(card: Frame): Promise<string> {
  return card.locator('[role=status]').innerText();
}

/** Formats use several kinds of blanks. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startDemo } from '../../demo/start-demo.ts';
import { NOON } from '../support/network.ts';
import { QUIET_BROWSER } from '../support/quiet-browser.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '';
/** Where pictures of the pages are put, to be looked at. */
const pictures = process.env.STAYWIRE_PICTURES;
const SCHEMES = ['light', 'dark'] as const;
const WIDE = 1280;
const PHONE = 390;

type Visit = { readonly page: Page; readonly complaints: string[]; readonly foreign: string[] };

describe('pages for people', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, () => {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let service: TestService;
  let browser: Browser;
  let origin: string;
  before(async () => {
    demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: null });
    service = await startTestService({ network: demo.networkFile(), now: NOON });
    origin = await service.listen();
    browser = await chromium.launch({ executablePath, headless: true, args: [...QUIET_BROWSER] });
  });
  after(async () => {
    await browser.close();
    await service.close();
    await demo.close();
  });

  it('the reference page is sound: nothing leaves the origin, nothing breaks its policy, nothing can be sent', async () => {
    const { page, complaints, foreign } = await visit('/docs');
    await page.waitForSelector('.opblock');
    await show(page, 'docs-list');
    const operation = await open(page, 'POST', '/ai/v1/search');
    assert.match(
      (await operation.locator('.call pre').textContent()) ?? '',
      /^curl '.*\/ai\/v1\/search\?session=ses_/,
    );
    assert.match(
      (await operation.locator('.responses-table').first().textContent()) ?? '',
      /Miradouro Terrace/,
    );
    assert.equal(await page.locator('.try-out, .execute, .authorize').count(), 0);
    assert.equal(await page.locator('input:visible, textarea:visible').count(), 0);
    assert.match((await page.textContent('header')) ?? '', /Nothing can be sent from this page/);
    assert.equal(await background(page), 'rgb(250, 247, 242)');

    await page.locator('.models-control').click();
    await page.waitForSelector('text=ComparisonSet');
    await show(page, 'docs-light');
    assert.deepEqual(await violations(page, 'light'), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    await show(page, 'docs-dark');
    assert.equal(await background(page), 'rgb(18, 25, 28)');
    assert.deepEqual(await violations(page, 'dark'), []);
    await page.setViewportSize({ width: PHONE, height: 900 });
    await show(page, 'docs-phone');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE);
    assert.deepEqual(complaints, []);
    assert.deepEqual(foreign, []);
    await page.context().close();
  });

  for (const [name, path] of [
    ['entry', '/'],
    ['guide', '/for-assistants'],
  ] as const) {
    it(`the ${name} is sound, in light and dark, and fits a phone`, async () => {
      const { page, complaints, foreign } = await visit(path);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await show(page, `${name}-${colorScheme}`);
        assert.deepEqual(await violations(page, colorScheme), []);
      }
      await page.setViewportSize({ width: PHONE, height: 900 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE);
      assert.deepEqual(complaints, []);
      assert.deepEqual(foreign, []);
      await page.context().close();
    });
  }

  it('every operation can be reached and opened with the keyboard alone', async () => {
    const { page } = await visit('/docs');
    await page.waitForSelector('.opblock');
    const reached = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      const text = (await focused.textContent({ timeout: 1000 }).catch(() => '')) ?? '';
      const [operation] = /^(?:GET|POST)\/ai\/v1\/[a-z]+/.exec(text.replaceAll('\u200b', '')) ?? [];
      if (operation === undefined || reached.has(operation)) continue;
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      assert.notEqual(outline, 'none', `${operation} shows that it has the focus`);
      reached.add(operation);
    }
    assert.equal(reached.size, 7, [...reached].join(' '));
    await page.locator('.opblock-summary-control').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.call pre');
    await page.context().close();
  });

  it('the entry leads to the reference and to llms.txt, and both open', async () => {
    const { page } = await visit('/');
    await page.getByRole('link', { name: 'Reference for developers' }).click();
    await page.waitForSelector('.opblock');
    assert.equal(new URL(page.url()).pathname, '/docs');
    await page.getByRole('link', { name: 'For language models' }).click();
    await page.waitForURL('**/llms.txt');
    assert.match((await page.textContent('body')) ?? '', /^# Staywire demo network/);
    await page.context().close();
  });

  async function visit(path: string): Promise<Visit> {
    const context = await browser.newContext({
      colorScheme: 'light',
      viewport: { width: WIDE, height: 900 },
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto(`${origin}${path}`);
    return { page, complaints, foreign };
  }
});

async function open(page: Page, method: string, path: string) {
  const operation = page
    .locator('.opblock')
    .filter({ has: page.locator(`.opblock-summary-method:text-is("${method}")`) })
    .filter({ has: page.locator(`[data-path="${path}"]`) });
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.responses-table').first().waitFor();
  return operation;
}

async function background(page: Page): Promise<unknown> {
  return page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
}

/** What axe finds, under all of its rules; only colours differ in the dark. */
async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')))`);
}

async function show(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

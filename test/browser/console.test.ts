import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startDemo } from '../../demo/start-demo.ts';
import { PAGES } from '../../src/console/layout.ts';
import { type ConsoleStage, PASSWORD, setConsoleStage } from '../support/console-stage.ts';
import { NOON } from '../support/network.ts';
import { QUIET_BROWSER } from '../support/quiet-browser.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '';
/** Where pictures of the pages are put, to be looked at. */
const pictures = process.env.STAYWIRE_PICTURES;
const WIDE = 1280;
const PHONE = 390;
const LAPTOP = 1366;
const LARGE = 1920;
/** A4 at 96 pixels an inch, without the margins of a printer. */
const PAPER = 718;
const IN_NAVIGATION = Object.keys(PAGES);
const EVERY_PAGE = [
  ...IN_NAVIGATION,
  '/demand?brand=northern',
  '/operators?brand=northern',
  '/operators/northern/pause',
  '/quotes?nxq=nxq_7QwZ4m2rT1',
];

type Visit = { readonly page: Page; readonly complaints: string[]; readonly foreign: string[] };

describe('the console in a browser', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, () => {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let service: TestService;
  let browser: Browser;
  let full: ConsoleStage & { readonly origin: string };
  let empty: ConsoleStage & { readonly origin: string };
  before(async () => {
    demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: null });
    service = await startTestService({ network: demo.networkFile(), now: NOON });
    browser = await chromium.launch({ executablePath, headless: true, args: [...QUIET_BROWSER] });
    full = await listening(await setConsoleStage({ serveOperation: service.serveOperation }));
    empty = await listening(await setConsoleStage({ isEmpty: true }));
  });
  after(async () => {
    await browser.close();
    await full.app.close();
    await empty.app.close();
    await service.close();
    await demo.close();
  });

  it('nobody gets in with a wrong password, and whoever gets in comes to the page that was asked for', async () => {
    const { page, complaints } = await visit(full, '/demand?range=7d', { isSignedIn: false });
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    assert.deepEqual(await seriousFindings(page), []);
    await show(page, 'sign-in');
    assert.equal(await page.evaluate('document.activeElement.id'), 'password');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.match((await page.getByRole('alert').textContent()) ?? '', /That is not the password/);
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/demand?range=7d');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goBack();
    await page.waitForURL('**/sign-in?**');
    // Chromium itself reports the 401.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('401')),
      [],
    );
    await page.context().close();
  });

  it('without a password there is one page, which names the command', async () => {
    const unset = await listening(await setConsoleStage({ hasPassword: false }));
    const { page } = await visit(unset, '/', { isSignedIn: false });
    assert.match((await page.textContent('main')) ?? '', /staywire console password/);
    assert.deepEqual(await seriousFindings(page), []);
    await show(page, 'no-password');
    await page.context().close();
    await unset.app.close();
  });

  for (const [kind, pages] of [
    ['full', EVERY_PAGE],
    ['empty', [...IN_NAVIGATION, '/quotes?nxq=x']],
  ] as const) {
    it(`${kind} pages are sound in light and dark: nothing leaves the origin, nothing breaks the policy, nobody is shut out`, async () => {
      const stage = kind === 'full' ? full : empty;
      const { page, complaints, foreign } = await visit(stage, '/today');
      for (const path of pages) {
        await page.goto(`${stage.origin}${path}`);
        if (kind === 'full' && path === '/today') await page.waitForSelector('.u-over');
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await show(page, `${kind}-${colorScheme}-${nameOf(path)}`);
          assert.deepEqual(await seriousFindings(page, colorScheme), [], path);
        }
        assert.equal(
          await page.locator('main img, main script').count(),
          0,
          'what callers write does not run',
        );
      }
      assert.deepEqual(complaints, []);
      assert.deepEqual(foreign, []);
      await page.context().close();
    });
  }

  it('every page fits a phone: tables scroll by themselves, the page never sideways', async () => {
    const { page } = await visit(full, '/today', { width: PHONE });
    for (const path of EVERY_PAGE) {
      await page.goto(`${full.origin}${path}`);
      await show(page, `phone-${nameOf(path)}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE, path);
    }
    await page.context().close();
  });

  it('figures update by themselves, and the reader keeps the place, the focus and what was unfolded', async () => {
    const { page, complaints } = await visit(full, '/today', { height: 500 });
    await page.locator('#rows-by_hour summary').click();
    await page.evaluate('scrollTo(0, 200)');
    const before = await page.evaluate('scrollY');
    full.state.beyond = 7;
    await page.locator('#tiles .figure', { hasText: '4,819' }).waitFor({ timeout: 60_000 });
    await page.locator('#fresh', { hasText: 'Figures were updated' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'fold-by_hour');
    assert.equal(await page.evaluate('scrollY'), before);
    assert.equal(await page.locator('#rows-by_hour').getAttribute('open'), '');
    assert.equal(await page.locator('#part-by_hour .u-over').count(), 1);
    assert.deepEqual(complaints, []);
    full.state.beyond = 0;
    await page.context().close();
  });

  it('a page whose session has ended leads to the sign-in by itself', async () => {
    const stage = await listening(await setConsoleStage());
    const { page } = await visit(stage, '/today');
    stage.state.elapsed += 8 * 3_600_000;
    await page.waitForURL('**/sign-in?**', { timeout: 60_000 });
    await page.context().close();
    await stage.app.close();
  });

  it('an operator is paused and resumed with the keyboard alone', async () => {
    const { page } = await visit(full, '/operators');
    await page.locator('#pause-northern').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operators/northern/pause');
    await press(page, 'Pause it');
    await page.waitForURL('**/operators');
    assert.match((await page.getByRole('status').textContent()) ?? '', /Northern Stays is paused/);
    await page.locator('#resume-northern').focus();
    await page.keyboard.press('Enter');
    await press(page, 'Resume it');
    await page.waitForURL('**/operators');
    assert.deepEqual(full.state.deeds, ['pause northern', 'resume northern']);
    await page.context().close();
  });

  it('everything works without a script', async () => {
    const { page } = await visit(full, '/assistants', { javaScriptEnabled: false });
    await page.locator('#suspend-claude').click();
    await page.getByRole('button', { name: 'Suspend it' }).click();
    await page.getByText('Claude is suspended.').waitFor();
    await page.locator('#approve-claude').click();
    await page.getByRole('button', { name: 'Approve it' }).click();
    await page.getByText('Claude is approved.').waitFor();
    await page.goto(`${full.origin}/today`);
    await page.getByText('The 24 rows of the chart').click();
    await page.getByRole('cell', { name: '98.8%' }).or(page.getByText('2026-11-17 23:00')).first().waitFor();
    await page.context().close();
  });

  it('a search is walked from the session to the comparison, with the answers beside it', async () => {
    const { page, complaints, foreign } = await visit(full, '/try');
    await page.getByRole('button', { name: 'Open a session' }).click();
    const ask = async (title: string, value: string) => {
      await page.getByRole('heading', { name: title }).waitFor();
      await page.locator(`.values button[value="${value}"]`).first().click();
    };
    await show(page, 'try-first-step');
    await ask('Where to?', 'lisbon-pt');
    await page.getByRole('heading', { name: 'Which month?' }).waitFor();
    await page.getByLabel('Or in your own words').fill('whenever');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    await ask('Which month?', '2027-05');
    await page.getByRole('heading', { name: 'Which day of arrival?' }).waitFor();
    await page.locator('.values button').first().click();
    await page.getByRole('heading', { name: 'Which day of departure?' }).waitFor();
    await page.locator('.values button').nth(1).click();
    await ask('How many people?', '2');
    await page.getByRole('heading', { name: /homes?, the cheapest first/ }).waitFor();
    assert.ok((await page.locator('.options > li').count()) > 0);
    assert.match((await page.locator('.raw pre').first().textContent()) ?? '', /"object": "search_result"/);
    assert.doesNotMatch(await page.content(), /ses_[\w-]{20}/);
    assert.doesNotMatch(page.url(), /ses/);
    await show(page, 'try-result');
    for (const width of [PHONE, LAPTOP, LARGE]) {
      await page.setViewportSize({ width, height: 900 });
      await show(page, `try-homes-${width}`);
      assert.deepEqual(await unreadableCards(page), [], `at ${width}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await seriousFindings(page, colorScheme), []);
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(foreign, []);
    await page.context().close();
  });

  it('the page to hand over prints without its frame', async () => {
    const { page } = await visit(full, '/demand?brand=northern');
    assert.ok(await page.getByRole('button', { name: 'Print' }).isVisible());
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('header.bar').isVisible(), false);
    assert.equal(await page.locator('.picker').isVisible(), false);
    assert.ok(await page.locator('table').first().isVisible());
    await page.setViewportSize({ width: PAPER, height: 1000 });
    const head = page.locator('.printed');
    assert.ok(await head.isVisible());
    assert.match(
      (await head.textContent()) ?? '',
      /Northern Stays · 2026-11-11 to 2026-11-17.* · made 2026-11-17/,
    );
    await show(page, 'print-demand');
    await page.context().close();
  });

  async function listening(stage: ConsoleStage) {
    return Object.assign(stage, { origin: await stage.app.listen({ host: '127.0.0.1', port: 0 }) });
  }

  async function visit(
    stage: { readonly origin: string },
    path: string,
    {
      colorScheme = 'light',
      width = WIDE,
      height = 900,
      isSignedIn = true,
      javaScriptEnabled = true,
    }: {
      readonly colorScheme?: 'light' | 'dark';
      readonly width?: number;
      readonly height?: number;
      readonly isSignedIn?: boolean;
      readonly javaScriptEnabled?: boolean;
    } = {},
  ): Promise<Visit> {
    const { origin } = stage;
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      javaScriptEnabled,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog says ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto(`${origin}${path}`);
    if (isSignedIn) {
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${origin}${path}`);
    }
    return { page, complaints, foreign };
  }
});

/** What of the cards is squeezed into a strip, or printed over something else. */
async function unreadableCards(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('.options > li')].flatMap((card) => {
    const style = getComputedStyle(card);
    const whole = card.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const blocks = [...card.querySelectorAll('h3, p, .lines > li')].map((block) => {
      const range = document.createRange();
      range.selectNodeContents(block);
      return { block, text: range.getBoundingClientRect(), box: block.getBoundingClientRect() };
    });
    const narrow = blocks.filter(({ block, box }) => !block.matches('.price') && box.width < whole / 2);
    const tall = blocks.filter(({ block, text }) => block.matches('h3') && text.height > 100);
    const over = blocks.filter(({ text: one }, at) => blocks.slice(at + 1).some(({ text: other }) =>
      one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1));
    return Object.entries({ narrow, tall, over }).flatMap(([fault, of]) =>
      of.map(({ block }) => fault + ': ' + block.textContent));
  })`)) as string[];
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

/** Serious and worse, under all rules of axe; only colours differ in the dark. */
async function seriousFindings(page: Page, colorScheme = 'light'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(', ')))`);
}

function nameOf(path: string): string {
  return path.slice(1).replaceAll(/[/?=]/g, '-');
}

async function show(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { startDemo } from '../../demo/start-demo.ts';
import { NOON } from '../support/network.ts';
import { QUIET_BROWSER } from '../support/quiet-browser.ts';
import { setScene } from '../support/scene.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '';

const SOURCES = ['casa-lumeira', 'hearthlane', 'stillehus', 'driftlark', 'quince-and-key', 'kumori'];
const RATE_CARD = 'quince-and-key';
/** The demo asks to be read every 30 s, and a refresh comes up to a tenth later. */
const REFRESH_MS = 33_000;

type Option = {
  property_id: string;
  url: string;
  quote: { amount: number; line_items: { label: string }[] };
};
type Search = { source: string; destination: string; check_in_day: string; check_out: string };

test('a traveller opens the link, sees the quoted total, books, and the nights are gone from the next search', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, async (t) => {
  const demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: null });
  const service = await startTestService({ network: demo.networkFile(), now: NOON });
  const profile = mkdtempSync(join(tmpdir(), 'staywire-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [...QUIET_BROWSER],
  });
  t.after(async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
    await service.close();
    await demo.close();
  });
  const page = await browser.newPage();

  for (const source of SOURCES) {
    const { search, options } = await searchBrand(service, source);
    const option = options[0] as Option;
    await page.goto(option.url);
    assert.equal(await shownTotal(page), option.quote.amount, `${source} shows another total than it quoted`);
    await book(page);

    const isGone = async () =>
      !(await searchBrand(service, source, search)).options.some(
        (one) => one.property_id === option.property_id,
      );
    // A rate card has no booking system behind it: its booked nights arrive with the next refresh.
    if (source === RATE_CARD) {
      const refreshed = service.nextRefresh(source);
      await service.time.pass(REFRESH_MS);
      await refreshed;
    }
    assert.ok(await isGone(), `${option.property_id} is still offered for nights that are booked`);
    const elsewhere = await page.goto(option.url);
    assert.equal(elsewhere?.status(), 200);
    assert.ok(await page.getByTestId('unavailable').isVisible(), 'the website sells the nights twice');
  }
});

test('a person who opens an address of the interface in a browser is sent back to the assistant', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, async (t) => {
  const browser = await chromium.launch({ executablePath, headless: true, args: [...QUIET_BROWSER] });
  // Before the service, which waits for the connections of the browser when it closes.
  t.after(() => browser.close());
  const { service } = await setScene(t);
  const origin = await service.listen();
  const page = await browser.newPage();
  const refused = await page.goto(`${origin}/ai/v1/schema`);
  assert.equal(refused?.status(), 403);
  assert.match((await refused?.text()) ?? '', /"reason":"end_user_access"/);
  const entry = await page.goto(`${origin}/?source=acme`);
  assert.equal(entry?.status(), 200);
  assert.match((await page.textContent('body')) ?? '', /\/ai\/v1\/auth/);
});

/** Follows the first offers to a result, or repeats an earlier search as far as it is still on offer. */
async function searchBrand(
  service: TestService,
  source: string,
  repeat?: Search,
): Promise<{ search: Search; options: Option[] }> {
  const auth = await service.post('/ai/v1/auth', { source });
  const url = `/ai/v1/search?session=${auth.body.session}`;
  let answer = await service.post(url, { brand_locked: true });
  if (repeat) {
    const { destination, check_in_day, check_out } = repeat;
    const stay = {
      destination,
      check_in_month: check_in_day.slice(0, 7),
      check_in_day,
      check_out,
      guests: '1',
    };
    for (const [field, value] of Object.entries(stay)) {
      if (field === 'destination' && !answer.body.field_order?.includes('destination')) continue;
      answer = await service.post(url, { field, value });
      // The whole stay went with the last property that had it: then nothing of it is on offer any more.
      if (answer.body.error === 'invalid_value') return { search: repeat, options: [] };
    }
  }
  while (answer.body.object !== 'search_result') {
    const next = answer.body.next_required;
    const values = answer.body.allowed_values[next];
    // A stay in the summer: far enough ahead for every lead time.
    answer = await service.post(url, {
      [next]: values[Math.min(values.length - 1, next === 'check_in_month' ? 4 : 0)],
    });
  }
  const { destination, check_in, check_out } = answer.body.query;
  return { search: { source, destination, check_in_day: check_in, check_out }, options: answer.body.results };
}

async function shownTotal(page: Page): Promise<number> {
  return Number(await page.getByTestId('total').first().getAttribute('data-amount'));
}

async function book(page: Page): Promise<void> {
  const form = page.getByTestId('booking-form');
  await form.locator('[name=name]').fill('Ada Example');
  await form.locator('[name=email]').fill('ada@example.com');
  await form.locator('button[type=submit]').click();
  await page.getByTestId('confirmation').waitFor();
}

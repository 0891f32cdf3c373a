import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startDemo } from '../../demo/start-demo.ts';
import { recordOfPassword } from '../../src/access/owner-settings.ts';
import { systemRandom } from '../../src/random.ts';
import { openOwnerStore } from '../../src/storage/stores.ts';
import { QUIET_BROWSER } from '../support/quiet-browser.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '';
/** Where pictures of the pages are put, to be looked at. */
const pictures = process.env.STAYWIRE_PICTURES;
const PASSWORD = 'a password for tests';
const AS_JUNIPER = { 'user-agent': 'Juniper/1.0' };
const PAGES = ['today', 'demand', 'operators', 'assistants', 'quotes', 'outcomes', 'try'];

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
type Body = any;

/** The whole of it as its owner runs it: a process, a store on disk, operators that answer over HTTP. */
describe('the console of a service that runs', {
  skip: executablePath === '' && 'no Chromium: set CHROMIUM_PATH, or run npm test',
}, () => {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-console-'));
  const dataDirectory = join(directory, 'data');
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  let api = '';
  let origin = '';
  const complaints: string[] = [];

  before(async () => {
    demo = await startDemo({ port: 0, steady: true, dataDirectory: null });
    const registry = join(directory, 'assistants.json');
    writeFileSync(registry, JSON.stringify(REGISTRY));
    const { owner, close } = await openOwnerStore({ store: 'sqlite', dataDirectory, postgresUrl: null });
    await owner.set('console_password', await recordOfPassword(PASSWORD, systemRandom));
    await close();
    service = startServiceProcess({
      dataDirectory,
      network: demo.networkFile(),
      env: { STAYWIRE_ASSISTANTS: registry, STAYWIRE_CONSOLE_PORT: '0' },
    });
    service.child.stdout?.on('data', (text: string) => {
      origin ||= / {2}console +(http:\S+)/.exec(text)?.[1] ?? '';
    });
    api = await service.ready;
    browser = await chromium.launch({ executablePath, headless: true, args: [...QUIET_BROWSER] });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  after(async () => {
    await browser?.close();
    service?.child.kill('SIGTERM');
    await service?.ended;
    await demo?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is empty at first, and every page says what to do', async () => {
    await page.goto(origin);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/today');
    for (const name of PAGES) {
      await page.goto(`${origin}/${name}`);
      await show(`empty-${name}`);
      assert.deepEqual(await seriousFindings(), [], name);
    }
    await page.goto(`${origin}/today`);
    assert.equal(await tile('Sessions opened'), '0');
    assert.deepEqual(complaints, []);
  });

  it('shows what was asked, found and missed a moment later', async () => {
    const { session } = await call('/ai/v1/auth');
    const found = await search(session);
    assert.ok(brandsIn(found).includes('Hearthlane'), brandsIn(found).join());
    const lost = await call('/ai/v1/auth');
    await call(`/ai/v1/search?session=${lost.session}&destination=Atlantis`);
    await page.goto(`${origin}/today`);
    // By itself, without being opened again.
    await page
      .locator('.tiles div', { hasText: 'Sessions opened' })
      .locator('.figure', { hasText: '2' })
      .waitFor();
    assert.equal(await tile('Completed'), '1');
    await show('full-today');
    await page.goto(`${origin}/demand`);
    const reasons = (await page.locator('#part-unmet').textContent()) ?? '';
    assert.match(reasons, /not on the network/);
    // One session alone asked for it, so its name is nobody's business.
    assert.doesNotMatch((await page.textContent('main')) ?? '', /atlantis/i);
    await page.goto(`${origin}/quotes?nxq=${found.results[0].quote.nxq}`);
    const record = (await page.textContent('main')) ?? '';
    assert.ok(record.includes('Juniper (juniper)') && record.includes(found.query.check_in), record);
    assert.equal(await page.textContent('article h2'), found.results[0].name);
    await show('quote');
    assert.deepEqual(complaints, []);
  });

  it('takes the homes of a paused operator out of the very next search, and brings them back', async () => {
    const { session } = await call('/ai/v1/auth');
    assert.ok(brandsIn(await search(session)).includes('Hearthlane'));
    await change('operators/hearthlane/pause', 'Pause it');
    const another = await call('/ai/v1/auth');
    const without = brandsIn(await search(another.session));
    assert.ok(without.length > 0 && !without.includes('Hearthlane'), without.join());
    await show('paused');
    await change('operators/hearthlane/resume', 'Resume it');
    for (;;) {
      const later = await call('/ai/v1/auth');
      if (brandsIn(await search(later.session)).includes('Hearthlane')) break;
    }
    assert.deepEqual(complaints, []);
  });

  it('gets a suspended assistant its 403, and lets it in again', async () => {
    await change('assistants/juniper/suspend', 'Suspend it');
    assert.deepEqual(await statesOfJuniper(), ['1', 'suspended', 'suspended']);
    await untilStatus(403);
    await change('assistants/juniper/approve', 'Approve it');
    assert.deepEqual(await statesOfJuniper(), ['2', 'approved', 'approved']);
    await untilStatus(200);
    assert.deepEqual(complaints, []);
  });

  it('lets its owner walk through a search, and shows the answers as assistants get them', async () => {
    await page.goto(`${origin}/try`);
    await page.getByRole('button', { name: 'Open a session' }).click();
    await page.getByText('allowed_values').first().waitFor({ state: 'attached' });
    await show('try');
    assert.match((await page.textContent('main')) ?? '', /allowed_values/);
    assert.deepEqual(await seriousFindings(), []);
    // The owner's own trials are not what travellers ask for.
    await page.goto(`${origin}/assistants`);
    assert.doesNotMatch((await page.locator('.figures').textContent()) ?? '', /console/);
    assert.deepEqual(complaints, []);
  });

  async function call(path: string): Promise<Body> {
    return (await fetch(`${api}${path}`, { headers: AS_JUNIPER })).json();
  }

  /** A stay of three nights in Lisbon, soon enough for every calendar. */
  async function search(session: string): Promise<Body> {
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const stay = `destination=lisbon-pt&check_in_day=${day(60)}&check_out=${day(67)}&guests=2`;
    return call(`/ai/v1/search?session=${session}&${stay}`);
  }

  function brandsIn(result: Body): readonly string[] {
    return (result.results ?? []).map(({ brand }: { brand: string }) => brand);
  }

  async function untilStatus(wanted: number): Promise<void> {
    // Nodes look at the registry every second; the time limit of the test is the limit.
    for (;;) {
      const { status } = await fetch(`${api}/ai/v1/schema`, { headers: AS_JUNIPER });
      if (status === wanted) return;
    }
  }

  async function change(path: string, button: string): Promise<void> {
    await page.goto(`${origin}/${path}`);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('status').waitFor();
  }

  /** Of the page as it is: the tile, which also counts callers of this machine, the card and the row of the table. */
  async function statesOfJuniper(): Promise<readonly (string | null)[]> {
    const row = page.locator('#part-assistants tbody tr', { hasText: 'juniper' });
    return [
      await tile('Assistants approved'),
      await page.locator('#assistant-cards li', { hasText: 'Juniper' }).locator('.state').textContent(),
      await row.locator('td').nth(1).textContent(),
    ];
  }

  async function tile(label: string): Promise<string> {
    const found = page.locator('.tiles div', { has: page.getByText(label, { exact: true }) });
    return (await found.locator('.figure').textContent()) ?? '';
  }

  async function seriousFindings(): Promise<readonly string[]> {
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  async function show(name: string): Promise<void> {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `service-${name}.png`), fullPage: true });
  }
});

const REGISTRY = {
  assistants: [
    {
      id: 'juniper',
      name: 'Juniper',
      status: 'approved',
      recognised_by: [{ user_agent: 'Juniper', ranges: ['127.0.0.0/8'] }],
    },
  ],
};

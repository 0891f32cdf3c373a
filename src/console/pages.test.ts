import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ODD, SAMPLE_QUOTE, sampleReport } from '../../test/support/console-samples.ts';
import { type ConsoleStage, setConsoleStage } from '../../test/support/console-stage.ts';
import { figuresOnPage, figuresToDraw } from '../../test/support/drawn-figures.ts';
import { sampleOutcome } from '../analytics/bookings/booking-outcomes.contract.ts';
import { REPORT_IDS } from '../analytics/reports/report.ts';
import { createMemoryOwnerStore } from '../storage/memory/storage.ts';
import { CONSOLE_ACTIONS } from '../telemetry/audit/audit-record.ts';
import { changeRoutes } from './change-pages.ts';

async function signedIn(options: Parameters<typeof setConsoleStage>[0] = {}): Promise<ConsoleStage> {
  const stage = await setConsoleStage(options);
  await stage.signIn();
  return stage;
}

const REPORT_PAGES = ['/today', '/demand', '/operators', '/assistants', '/outcomes'] as const;

describe('pages of the console', () => {
  it('show tiles and tables of a report, and what is written in them is text', async () => {
    const { get } = await signedIn();
    for (const path of [...REPORT_PAGES, '/demand?brand=northern', '/operators?brand=northern']) {
      const { status, text } = await get(path);
      assert.equal(status, 200, path);
      assert.match(text, /<dt>Searches begun<\/dt><dd class="figure">4,812<\/dd>/);
      assert.match(text, /<dt>Price drift<\/dt><dd class="figure">–<\/dd>/);
      assert.match(text, /<caption class="unseen">Wanted and not found<\/caption>/);
      assert.match(text, /<th scope="col" class="number">Begun<\/th>/);
      assert.ok(!text.includes(ODD) && !text.includes('<img'), path);
      assert.doesNotMatch(text, /<script>|<[^>]* (?:style|on[a-z]+)=/, path);
    }
  });

  it('show every figure of their report, cell by cell', async () => {
    const { get } = await signedIn();
    for (const id of REPORT_IDS) {
      const { text } = await get(`/${id}`);
      assert.deepEqual(
        figuresOnPage(text),
        figuresToDraw(sampleReport(id, { isEmpty: false, beyond: 0 })),
        id,
      );
    }
  });

  it('say what to do where there is nothing to show', async () => {
    const { get } = await signedIn({ isEmpty: true });
    assert.match((await get('/today')).text, /Nobody has searched yet\. Approve an assistant/);
    assert.match((await get('/operators')).text, /Add one with <code>staywire connect<\/code>/);
    assert.match((await get('/assistants')).text, /<code>staywire assistants approve<\/code>/);
    assert.match((await get('/quotes')).text, /Enter the identifier of a quote/);
    assert.match((await get('/quotes?nxq=nxq_none')).text, /No quote was found/);
    assert.match((await get('/try')).text, /A search begins with a session/);
  });

  it('ask for the days and the part that are in the address', async () => {
    const { get, state } = await signedIn();
    await get('/today');
    await get('/demand?range=7d&brand=southern');
    await get('/demand?range=custom&from=2026-11-01&to=2026-11-02&brand=northern');
    assert.deepEqual(state.asked, [
      { id: 'today', range: { from: '2026-11-17', to: '2026-11-17', brand: null } },
      { id: 'demand', range: { from: '2026-11-11', to: '2026-11-17', brand: 'southern' } },
      { id: 'demand', range: { from: '2026-11-01', to: '2026-11-02', brand: 'northern' } },
    ]);
    const { text } = await get('/today?range=%3Cscript%3E');
    assert.match(text, /That range is not known\. Shown instead: today\./);
  });

  it('say what they show where days and brand are not understood, both of them', async () => {
    const { get, state } = await signedIn();
    const { text } = await get('/demand?range=custom&from=2026-11-09&to=2026-11-02&brand=eastern');
    assert.match(
      text,
      /role="alert">The first day is after the last one\. Shown instead: the last 7 days\.</,
    );
    assert.match(text, /role="alert">No brand of the network has that name\. Shown instead: all brands\.</);
    assert.deepEqual(state.asked[0]?.range, { from: '2026-11-11', to: '2026-11-17', brand: null });
  });

  it('show the last seven days to whoever chooses none, and this day on the page that is called so', async () => {
    const { get, state } = await signedIn();
    for (const path of REPORT_PAGES) await get(path);
    const firstDays = state.asked.map(({ id, range: { from } }) => [id, from]);
    assert.deepEqual(firstDays, [
      ['today', '2026-11-17'],
      ...['demand', 'operators', 'assistants', 'outcomes'].map((id) => [id, '2026-11-11']),
    ]);
  });

  it('say on paper of what network, brand, days and moment they are', async () => {
    const { get } = await signedIn();
    const printed = async (path: string) =>
      /<p class="printed"[^>]*>([\s\S]*?)<\/p>/.exec((await get(path)).text)?.[1];
    const network = 'Stays of the North &#60;&#38; more&#62;';
    assert.equal(
      await printed('/demand?brand=northern&range=7d'),
      `${network} · Northern Stays · 2026-11-11 to 2026-11-17, days in UTC · made 2026-11-17 12:00 UTC`,
    );
    assert.equal(
      await printed('/today'),
      `${network} · all brands · 2026-11-17, days in UTC · made 2026-11-17 12:00 UTC`,
    );
  });

  it('show nothing of other brands above the figures of one that was chosen in the form', async () => {
    const { get } = await signedIn();
    const { text: demand } = await get('/demand?brand=northern');
    assert.doesNotMatch(demand, /To hand over|demand\?brand=southern/);
    assert.match((await get('/demand')).text, /To hand over.*demand\?brand=southern/);
    const { text: operators } = await get('/operators?brand=northern');
    assert.match(operators, /href="\/operators\/northern\/pause/);
    assert.doesNotMatch(operators, /href="\/operators\/southern\//);
  });

  it('are not there for brands, tables and assistants that are not', async () => {
    const { get } = await signedIn();
    for (const path of [
      '/demand/eastern',
      '/today/northern',
      '/operators/eastern/pause',
      '/assistants/nobody/suspend',
      '/assistants/local/suspend',
      '/today/nothing.csv',
      '/demand/eastern/wishes.csv',
      '/demand/northern/wishes',
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });

  it('have every table as CSV, with the same days', async () => {
    const { get, state } = await signedIn();
    const page = await get('/demand?brand=northern&range=7d');
    const address = /href="([^"]+missing_places\.csv[^"]*)"/.exec(page.text)?.[1] ?? '';
    assert.equal(address, '/demand/missing_places.csv?range=7d&#38;brand=northern');
    const { headers, text } = await get(address.replace('&#38;', '&'));
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(
      headers['content-disposition'],
      'attachment; filename="demand-northern-missing_places-2026-11-11-2026-11-17.csv"',
    );
    assert.equal(text.split('\r\n')[0], 'Place,Sessions');
    assert.equal(text.split('\r\n')[1], 'madeira,210');
    assert.match(text, /'=HYPERLINK/);
    assert.deepEqual(state.asked[0], state.asked[1]);
  });

  it('shade a heat map by its numbers, and draw bars without a script', async () => {
    const { text } = await (await signedIn()).get('/today');
    const shades = new Set([...text.matchAll(/ shade-(\d)"/g)].map(([, shade]) => shade));
    assert.deepEqual([...shades].sort(), ['0', '1', '2', '3', '4', '5']);
    assert.match(
      text,
      /<svg class="bar"[^>]*><rect width="100" height="8" rx="1"\/><\/svg><span class="beside">988<\/span><\/td>/,
    );
    assert.match(text, /class="chart" data-lines="1 2" hidden/);
    assert.match(text, /data-value="1794873600000">2026-11-17 00:00<\/th>/);
  });
});

const CHANGES = [
  ['/operators/northern/pause', 'Pause it', 'pause northern', 'paused', /Northern Stays is paused/],
  ['/operators/northern/resume', 'Resume it', 'resume northern', 'resumed', /Northern Stays is resumed/],
  ['/operators/northern/read', 'Read it now', 'read northern', 'reading_requested', /is read now/],
  ['/assistants/claude/suspend', 'Suspend it', 'suspended claude', 'suspended', /Claude is suspended/],
  ['/assistants/hammer/approve', 'Approve it', 'approved hammer', 'approved', /is approved/],
] as const;
/** The second group is what is changed. */
const LINK_TO_CHANGE = /href="(\/[a-z]+\/([\w-]+)\/[a-z]+)"/g;
/** Of the owner too, but of signing in: sign-in.test.ts has them. */
const ACTIONS_OF_SIGNING_IN: readonly string[] = ['signed_in', 'signed_out', 'password_changed'];

describe('what the owner changes', () => {
  for (const [address, button, deed, action, notice] of CHANGES) {
    it(`${deed}: asked for on a page, done by its form, said once and written down`, async () => {
      const { get, post, state, formToken } = await signedIn();
      if (action === 'resumed') state.health = state.health.map((one) => ({ ...one, pausedAt: 1 }));
      const asked = await get(address);
      assert.equal(asked.status, 200);
      assert.ok(asked.text.includes(`>${button}</button>`));
      assert.deepEqual(state.deeds, [], 'looking changes nothing');
      const done = await post(address, { form_token: await formToken(address) });
      assert.equal(done.status, 303);
      assert.deepEqual(state.deeds, [deed]);
      const [, record] = state.audited;
      const [, , about] = address.split('/');
      assert.deepEqual([record?.action, record?.about], [action, about]);
      const shown = await get(String(done.headers.location));
      assert.match(shown.text, notice);
      assert.doesNotMatch((await get(String(done.headers.location))).text, /class="notice"/);
    });
  }

  it('has a case above for each action of the owner in the audit log', () => {
    const actions = Object.entries(CONSOLE_ACTIONS).flatMap(([action, by]) =>
      by === 'owner' && !ACTIONS_OF_SIGNING_IN.includes(action) ? [action] : [],
    );
    assert.deepEqual(CHANGES.map(([, , , action]) => action).sort(), actions.sort());
  });

  it('is linked from its page, each change once it applies', async () => {
    const { deps, get, post, formToken } = await signedIn();
    const pages = { show: () => assert.fail(), notFound: () => assert.fail() };
    const addresses = new Set(changeRoutes(deps, pages).map(({ path }) => path));
    const linked = new Set<string>();
    const form_token = await formToken();
    // What was not linked before may be once another change was made, as resuming is after pausing.
    async function follow(page: string): Promise<void> {
      for (const [, href = '', thing = ''] of (await get(page)).text.matchAll(LINK_TO_CHANGE)) {
        const address = href.replace(`/${thing}/`, '/:name/');
        if (linked.has(address)) continue;
        linked.add(address);
        await post(href, { form_token });
        await follow(page);
      }
    }
    for (const page of new Set([...addresses].map((address) => address.split('/:name/', 1)[0] ?? ''))) {
      await follow(page);
    }
    assert.deepEqual([...linked].sort(), [...addresses].sort());
  });

  for (const [change, undo, action, undone, notice] of [
    ['/operators/northern/pause', '/operators/northern/resume', 'paused', 'resumed', /Stays is resumed/],
    ['/assistants/claude/suspend', '/assistants/claude/approve', 'suspended', 'approved', /is approved/],
  ] as const) {
    it(`${action} and ${undone} are written down once, however often they are asked for`, async () => {
      const { get, post, state, formToken } = await signedIn();
      const form_token = await formToken();
      const shownAfter = async (address: string) => {
        const { status, headers } = await post(address, { form_token });
        assert.equal(status, 303);
        return (await get(String(headers.location))).text;
      };
      assert.match(await shownAfter(undo), /Nothing had to be changed/);
      assert.doesNotMatch(await shownAfter(change), /Nothing had to be changed/);
      assert.match(await shownAfter(change), /Nothing had to be changed/);
      assert.match(await shownAfter(undo), notice);
      assert.deepEqual(
        state.audited.map((record) => record.action),
        ['signed_in', action, undone],
      );
    });
  }

  it('offers to resume what is paused, and to approve what is suspended', async () => {
    const { get, post, formToken } = await signedIn();
    assert.match((await get('/operators')).text, /href="\/operators\/northern\/pause"/);
    await post('/operators/northern/pause', { form_token: await formToken() });
    const { text } = await get('/operators');
    assert.match(text, /href="\/operators\/northern\/resume"/);
    assert.match(text, /paused since 2026-11-17 12:00/);
    assert.doesNotMatch(text, /operators\/northern\/read/, 'it is not read while it is paused');
    assert.match(text, /<dt>Booking system<\/dt><dd>Guesty<\/dd>/);
    assert.match(text, /<dt>Booking system<\/dt><dd>open protocol<\/dd>/);
    const assistants = await get('/assistants');
    assert.match(assistants.text, /href="\/assistants\/hammer\/approve"/);
    assert.match(assistants.text, /asked by &#60;b&#62;mail/);
  });

  it('of one that was removed meanwhile is not done, and not written down', async () => {
    const { post, state, formToken } = await signedIn();
    const form_token = await formToken();
    state.assistants = [];
    assert.equal((await post('/assistants/claude/suspend', { form_token })).status, 404);
    assert.deepEqual(
      state.audited.map(({ action }) => action),
      ['signed_in'],
    );
  });

  it('a notice is not lost to a page that updates itself', async () => {
    const { get, post, formToken } = await signedIn();
    await post('/operators/northern/read', { form_token: await formToken() });
    await get('/operators', { 'staywire-live': '1' });
    assert.match((await get('/operators')).text, /class="notice"/);
  });
});

const STAY = 'check_in=2027-05-08&check_out=2027-05-12';

describe('the page of quotes', () => {
  it('shows the record of one that is found by its identifier, or by property and stay', async () => {
    const { get } = await signedIn();
    for (const query of ['?nxq=nxq_7QwZ4m2rT1', `?property=northern_casa-12&${STAY}`]) {
      const { text } = await get(`/quotes${query}`);
      assert.match(text, /<p class="total">418\.00 EUR<\/p>/);
      assert.match(text, /2026-11-17 09:00:12 UTC/);
      assert.match(text, /<dt>Place<\/dt><dd>Lisbon \(lisbon-pt\)<\/dd>/);
      assert.match(text, /Four nights<\/th><td class="number">360\.00 EUR/);
      assert.match(text, /<dt>Deposit<\/dt><dd>200\.00 EUR, refundable<\/dd>/);
      assert.match(text, /Booked on 2026-11-17 12:00 as B-1 &#60;i&#62;, for 418\.00 EUR, as quoted/);
      assert.ok(!text.includes(ODD));
    }
  });

  it('names home, brand and assistant beside their identifiers, where they are known', async () => {
    const found = async (changes: Partial<typeof SAMPLE_QUOTE>) => {
      const quote = { ...SAMPLE_QUOTE, ...changes };
      const { get } = await signedIn({ ledger: { findQuotes: async () => [quote] } });
      return (await get('/quotes?nxq=any')).text;
    };
    const known = await found({});
    assert.match(known, /<h2>Casa &#60;da&#62; Graça<\/h2>/);
    assert.match(known, /<dt>Property<\/dt><dd><code>northern_casa-12<\/code><\/dd>/);
    assert.match(known, /<dt>Brand<\/dt><dd>Northern Stays \(northern\)<\/dd>/);
    assert.match(known, /<dt>Place<\/dt><dd>Lisbon \(lisbon-pt\)<\/dd>/);
    assert.match(known, /<dt>Assistant<\/dt><dd>Claude \(claude\)<\/dd>/);
    const gone = await found({ property: 'old:1', brand: 'old', place: 'old-pt', assistant: 'forgotten' });
    assert.match(gone, /<h2>old:1<\/h2>/);
    assert.match(gone, /<dt>Brand<\/dt><dd>old<\/dd>/);
    assert.match(gone, /<dt>Place<\/dt><dd>old-pt<\/dd>/);
    assert.match(gone, /<dt>Assistant<\/dt><dd>forgotten<\/dd>/);
    assert.match(await found({ assistant: 'console' }), /<dd>your own trial \(console\)<\/dd>/);
  });

  it('shows no booking that another brand reported for it, however many', async () => {
    const outcomes = createMemoryOwnerStore().outcomes;
    const { nxq, retrievedAt } = SAMPLE_QUOTE;
    const booked = (brand: string, reference: string) =>
      sampleOutcome(reference, { brand, nxq, bookedAt: retrievedAt });
    await outcomes.put(Array.from({ length: 60 }, (_, at) => booked('southern', `FAKE-${at}`)));
    const { get } = await signedIn({ outcomes });
    assert.match((await get(`/quotes?nxq=${nxq}`)).text, /No booking was reported for this quote/);
    await outcomes.put([booked('northern', 'TRUE-1')]);
    const { text } = await get(`/quotes?nxq=${nxq}`);
    assert.match(text, /Booked on 2026-11-17 09:00 as TRUE-1/);
    assert.doesNotMatch(text, /FAKE/);
  });

  it('shows the latest bookings of a quote, and says that there are more', async () => {
    const outcomes = createMemoryOwnerStore().outcomes;
    const { nxq, brand, retrievedAt } = SAMPLE_QUOTE;
    const booked = (at: number) => sampleOutcome(`B-${at}.`, { brand, nxq, bookedAt: retrievedAt + at });
    const { get } = await signedIn({ outcomes });
    await outcomes.put(Array.from({ length: 20 }, (_, at) => booked(at)));
    assert.doesNotMatch((await get(`/quotes?nxq=${nxq}`)).text, /Only the latest/);
    await outcomes.put([booked(20)]);
    const { text } = await get(`/quotes?nxq=${nxq}`);
    assert.match(text, /Only the latest 20 bookings are shown/);
    const shown = [...text.matchAll(/ as B-(\d+)\.,/g)].map(([, at]) => Number(at));
    assert.deepEqual(
      shown,
      Array.from({ length: 20 }, (_, at) => 20 - at),
    );
  });

  it('calls an instant what it is: the end of a session, or of a price that is held', async () => {
    const shownFor = async (changes: Partial<typeof SAMPLE_QUOTE>) => {
      const quote = { ...SAMPLE_QUOTE, ...changes };
      const { get } = await signedIn({ ledger: { findQuotes: async () => [quote] } });
      return (await get('/quotes?nxq=nxq_any')).text;
    };
    const details = SAMPLE_QUOTE.details ?? assert.fail();
    const unheld = await shownFor({});
    assert.match(unheld, /<dt>End of the traveller’s session<\/dt><dd>2026-11-17 10:00:00 UTC/);
    assert.match(unheld, /<dt>Guarantee<\/dt><dd>none: the price was true when it was retrieved<\/dd>/);
    assert.doesNotMatch(unheld, /Valid until/);
    const held = await shownFor({ details: { ...details, guarantee: 'held' } });
    assert.match(held, /<dt>Price held until<\/dt><dd>2026-11-17 10:00:00 UTC/);
    assert.match(await shownFor({ details: null }), /<dt>Valid until<\/dt>/);
  });

  it('writes amounts with separators, and says what was quoted where another price was booked', async () => {
    const outcomes = createMemoryOwnerStore().outcomes;
    const quote = { ...SAMPLE_QUOTE, amount: 123_566 };
    const { nxq, brand, retrievedAt } = quote;
    await outcomes.put([
      sampleOutcome('B-1', { brand, nxq, bookedAt: retrievedAt, amount: 130_000, currency: 'EUR' }),
    ]);
    const { get } = await signedIn({ outcomes, ledger: { findQuotes: async () => [quote] } });
    const { text } = await get(`/quotes?nxq=${nxq}`);
    assert.match(text, /<p class="total">1,235\.66 EUR<\/p>/);
    assert.match(text, /as B-1, for 1,300\.00 EUR instead of the 1,235\.66 EUR that were quoted/);
  });

  it('repeats what was asked for as text, and says what is missing', async () => {
    const { get } = await signedIn();
    const { text } = await get(`/quotes?property=${encodeURIComponent(ODD)}&check_in=%3Cb%3E`);
    assert.ok(!text.includes(ODD) && !text.includes('<b>'));
    assert.match(text, /A day has to be one of the calendar, such as 2027-05-08/);
    const none = await get('/quotes?property=northern:A-1&check_in=2027-02-30');
    assert.match(none.text, /A day has to be one of the calendar/);
    for (const checkOut of ['2027-05-08', '2027-05-07']) {
      const turned = await get(`/quotes?property=northern:A-1&check_in=2027-05-08&check_out=${checkOut}`);
      assert.match(turned.text, /The departure has to be after the arrival\./);
      assert.doesNotMatch(turned.text, /No quote was found/);
    }
    assert.match((await get('/quotes?check_in=2027-05-08')).text, /Give the property too/);
    assert.match((await get('/quotes?nxq=a&nxq=b')).text, /Enter the identifier of a quote/);
    for (const days of ['', '&check_in=2027-05-08', '&check_out=2027-05-12']) {
      const { text: asked } = await get(`/quotes?property=northern:A-1${days}`);
      assert.match(asked, /Give arrival and departure too/);
      assert.doesNotMatch(asked, /No quote was found/);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ExampleServer,
  type ExchangedCall,
  faultsOf,
  runCheck,
  startBroken,
  startExample,
} from './example-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into what is sent
type Anything = any;
type Variant = readonly [what: string, change: (call: ExchangedCall) => void, fault: string];

const answered = (name: ExchangedCall['call'], change: (body: Anything, asked: Anything) => void) =>
  ((call) => {
    if (call.call === name && call.status === 200) change(call.body, call.asked);
  }) satisfies Variant[1];
const priced = (change: (quote: Anything) => void) =>
  answered('quotes', ({ quotes }) => {
    for (const quote of quotes) if (quote.status === 'quoted') change(quote);
  });
const pricedDespite = (reason: string) =>
  answered('quotes', ({ quotes }) => {
    for (const quote of quotes) {
      if (quote.reason === reason)
        Object.assign(quote, { status: 'quoted', currency: 'EUR', total: '500.00' });
    }
  });

/** Each breaks one thing in the answers of the example. */
const VARIANTS: readonly Variant[] = [
  [
    'a listing that breaks the schema',
    answered('catalogue', ({ properties: [home] }) => (home.max_guests = '4')),
    'catalogue failed: GET /catalogue properties/0 max_guests',
  ],
  [
    'a rating above its scale',
    answered('catalogue', ({ properties: [home] }) => (home.rating.score = 9)),
    'catalogue warning: GET /catalogue properties/0 (casa-1) rating/score',
  ],
  [
    'pages that form a loop',
    answered('catalogue', (body) => (body.next_page = 'again')),
    'catalogue failed: GET /catalogue?page=again',
  ],
  [
    'no ETag',
    (call) => {
      delete call.sent.etag;
    },
    'catalogue_etag warning: GET /catalogue',
  ],
  [
    'periods that overlap',
    answered('calendars', ({ calendars: [{ periods }] }) => (periods[1].from = periods[0].from)),
    'calendars failed: POST /calendars casa-1 periods/1',
  ],
  [
    'JSON that is cut off',
    (call) => {
      if (call.call === 'calendars') call.raw = JSON.stringify(call.body).slice(0, -5);
    },
    'calendars failed: POST /calendars',
  ],
  [
    'a total as a number',
    priced((quote) => (quote.total = Number(quote.total))),
    'quotes_free_stay failed: POST /quotes casa-1',
  ],
  [
    'lines that do not add up',
    priced((quote) => (quote.lines[0].amount = '1.00')),
    'quotes_free_stay failed: POST /quotes casa-1 lines',
  ],
  ['a taken stay with a price', pricedDespite('booked'), 'quotes_taken_stay failed: POST /quotes casa-1'],
  [
    'a price for too many guests',
    pricedDespite('too_many_guests'),
    'quotes_too_many_guests failed: POST /quotes casa-1',
  ],
  [
    'a price for an unknown home',
    pricedDespite('unknown_property'),
    'quotes_unknown_property failed: POST /quotes staywire-check.no-such-home',
  ],
  [
    'a batch that is dearer',
    answered('quotes', ({ quotes: [quote] }, { properties }) => {
      if (properties.length > 1) Object.assign(quote, { total: '999.00', lines: [] });
    }),
    'quotes_batch failed: POST /quotes casa-1 total',
  ],
  [
    'a request with a later member refused',
    (call) => {
      if (call.call === 'quotes' && 'staywire_check' in call.asked) call.status = 400;
    },
    'quotes_unknown_member failed: POST /quotes',
  ],
  [
    'a guest as the reference of a booking',
    answered('bookings', ({ bookings: [booking] }) => (booking.reference = 'ana@example.com')),
    'bookings failed: GET /bookings?since=2027-05-02T12%3A00%3A00.000Z bookings/0/reference',
  ],
  [
    'answers for strangers',
    (call) => {
      if (call.call === 'quotes' && call.status === 401)
        Object.assign(call, { status: 200, body: { quotes: [] } });
    },
    'authorisation failed: POST /quotes without the token',
  ],
];

describe('a check of the documented example of an operator’s server', () => {
  let example: ExampleServer;
  before(async () => {
    example = await startExample();
  });
  after(() => example.close());

  it('passes in every part', async () => {
    const begun: string[] = [];
    const report = await runCheck(example.url, { onCheck: (check) => begun.push(check) });
    assert.deepEqual(faultsOf(report), []);
    assert.deepEqual(new Set(report.verdicts.map(({ verdict }) => verdict)), new Set(['passed']));
    assert.deepEqual(
      begun,
      report.verdicts.map(({ check }) => check),
    );
  });

  it('names the part and the place of each fault of a broken variant', async () => {
    for (const [what, change, expected] of VARIANTS) {
      const broken = await startBroken(example, change);
      const found = faultsOf(await runCheck(broken.url)).map(
        ({ check, verdict, place }) => `${check} ${verdict}: ${place}`,
      );
      await broken.close();
      assert.ok(found.includes(expected), `${what}: ${JSON.stringify(found, null, 1)}`);
    }
  });

  it('does not ask for bookings, and tells of a missing token', async () => {
    const silent = await startBroken(example, (call) => {
      if (call.call === 'bookings') Object.assign(call, { status: 404, body: { error: 'not_found' } });
    });
    const report = await runCheck(silent.url);
    await silent.close();
    assert.deepEqual(faultsOf(report), []);
    assert.equal(report.verdicts.find(({ check }) => check === 'bookings')?.verdict, 'skipped');
    const refused = faultsOf(await runCheck(example.url, { token: 'another-token' }));
    assert.match(`${refused[0]?.place} ${refused[0]?.found}`, /^GET \/catalogue .*401/);
  });

  it('ends when its signal aborts', async () => {
    const giveUp = new AbortController();
    giveUp.abort(new Error('interrupted'));
    await assert.rejects(runCheck(example.url, { signal: giveUp.signal }), /interrupted/);
  });
});

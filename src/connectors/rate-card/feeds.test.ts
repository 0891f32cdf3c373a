import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openLoopbackClient } from '../../../test/support/loopback-client.ts';
import { plainContext, plainListing, plainRates } from '../../../test/support/plain-listing.ts';
import { plainServer } from '../../../test/support/plain-server.ts';
import { noAccounts } from '../../../test/support/unused-accounts.ts';
import { DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { systemClock } from '../../clock.ts';
import type { StoredDocument } from '../../parsing/owned-memory.ts';
import { bookingSystemContract } from '../../quotes/booking-system.contract.ts';
import type { BookingSystem } from '../../quotes/booking-system.ts';
import { systemRandom } from '../../random.ts';
import { parseDay } from '../../stay/day.ts';
import { createFeedPace } from '../icalendar/fetch-feed.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { rateCardConnector } from './connector.ts';

const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;
const NOW = Date.UTC(2027, 5, 1, 12);
const intake = createInlineIntake(plainContext);
const stay = {
  references: ['casa-1'],
  checkIn: day('2027-08-20'),
  checkOut: day('2027-08-23'),
  guests: 2,
  currency: 'EUR',
};

const feedOf = (...events: readonly (readonly [start: string, end: string])[]) =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap(([start, end]) => [
      'BEGIN:VEVENT',
      `DTSTART;VALUE=DATE:${start}`,
      `DTEND;VALUE=DATE:${end}`,
      'SUMMARY:Reserved - Maria',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

function nothingStored(): StoredDocument {
  return { read: async () => undefined, save: async () => undefined };
}

/** A card in a file. The feeds of its home are on a server of the test. */
async function newCard(
  changes: (feedUrl: string) => object,
  clock: FakeClock | typeof systemClock,
  feedHostsOf: (host: string) => readonly string[] = (host) => [host],
) {
  let feed: string | number = feedOf(['20270810', '20270817']);
  const server = await plainServer((_, response) =>
    typeof feed === 'string'
      ? response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' }).end(feed)
      : response.writeHead(feed).end(),
  );
  const directory = await mkdtemp(join(tmpdir(), 'rate-card-feeds-'));
  const changed = changes(`${server.url}/1.ics`);
  const properties = (Array.isArray(changed) ? changed : [changed]).map((change: object) => ({
    listing: plainListing,
    rates: plainRates,
    booked: [],
    ...change,
  }));
  await writeFile(join(directory, 'card.json'), JSON.stringify({ properties }));
  const feedHosts = feedHostsOf(new URL(server.url).host);
  const namedHosts = feedHosts.length > 0 ? { feed_hosts: feedHosts } : {};
  const connect = rateCardConnector.readEntry(
    { kind: 'rate-card', file: 'card.json', ...namedHosts },
    { env: {}, directory },
  );
  assert.ok(connect.kind === 'valid');
  const told: string[] = [];
  const losses: string[] = [];
  const system = connect.value({
    context: plainContext,
    clock,
    openClient: openLoopbackClient,
    openAccount: noAccounts,
    feedPace: createFeedPace({ clock, random: systemRandom }),
    isForeign: () => false,
    intake,
    budget: DEFAULT_BRAND_BUDGET,
    stored: nothingStored,
    maxDocumentAgeMs: 300_000,
    onLastDocumentUsed: ({ kind }) => told.push(kind),
    onNightsLost: (reference, { lost, of }) => losses.push(`${reference}: ${lost} of ${of}`),
  });
  return {
    system,
    server,
    told,
    losses,
    publish(text: string | number) {
      feed = text;
    },
    async release() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function openCard(
  t: TestContext,
  changes: (feedUrl: string) => object = (url) => ({ availability_feed: url }),
  feedHostsOf?: (host: string) => readonly string[],
) {
  const clock = createFakeClock(NOW);
  const card = await newCard(changes, clock, feedHostsOf);
  t.after(async () => {
    await card.system.close();
    await card.release();
  });
  return { ...card, clock };
}

const stillClock = { ...systemClock, now: () => NOW, elapsed: () => 0 };

bookingSystemContract('a rate card with an availability feed', {
  async newSystem() {
    const { system, release } = await newCard((url) => ({ availability_feed: url }), stillClock);
    return {
      system,
      reference: 'casa-1',
      currency: 'EUR',
      maxGuests: 4,
      horizon: { from: day('2027-08-01'), nights: 60 },
      free: { checkIn: stay.checkIn, checkOut: stay.checkOut },
      taken: { checkIn: day('2027-08-08'), checkOut: day('2027-08-12') },
      release,
    };
  },
});

async function nightsOnOffer(system: BookingSystem): Promise<string> {
  const horizon = { from: day('2027-08-08'), nights: 12 };
  const reading = (await system.calendars(['casa-1'], horizon, patient)).get('casa-1');
  if (reading?.kind !== 'valid') {
    const withdrawn = reading && 'isWithdrawn' in reading ? 'withdrawn: ' : '';
    return `${withdrawn}${reading?.faults.map(({ reason }) => reason).join('; ')}`;
  }
  return reading.value.available.join('');
}

const outcomeOf = async (system: BookingSystem, changes: object = {}) => {
  const [outcome] = await system.quote({ ...stay, ...changes }, patient);
  if (outcome?.kind === 'unavailable') return outcome.reason;
  return outcome?.kind === 'failed' ? outcome.failure : outcome?.kind;
};
const IN_AUGUST = { checkIn: day('2027-08-16'), checkOut: day('2027-08-18') };

describe('a rate card with availability feeds', () => {
  it('offers no night that a feed takes, besides those that the card calls booked', async (t) => {
    const booked = [{ from: '2027-08-18', to: '2027-08-19' }];
    const { system } = await openCard(t, (url) => ({ availability_feed: url, booked }));
    assert.equal(await nightsOnOffer(system), '110000000101');
    assert.equal(await outcomeOf(system, IN_AUGUST), 'booked');
    assert.equal(
      await outcomeOf(system, { checkIn: day('2027-08-17'), checkOut: day('2027-08-18') }),
      'quoted',
    );
  });

  it('is not asked for at an address that is not public, unless the owner has named its host', async (t) => {
    const strangers = ['channel.example', '127.0.0.1', '127.0.0.1:1', 'localhost'];
    for (const named of [[], strangers]) {
      const { system, server } = await openCard(t, undefined, () => named);
      assert.match(
        await nightsOnOffer(system),
        /^withdrawn: is not known: .* not public, on a host that the owner of the network has not named/,
      );
      assert.equal(await outcomeOf(system), 'unreachable');
      assert.equal(server.requests.length, 0);
    }
  });

  it('withdraws the home when its feed has not been readable for long', async (t) => {
    const { system, publish, clock, told } = await openCard(t);
    assert.equal(await outcomeOf(system), 'quoted');
    publish(503);
    await clock.advance(300_000);
    assert.equal(await nightsOnOffer(system), '110000000111');
    assert.equal(await outcomeOf(system), 'quoted');
    assert.deepEqual(told, ['server_error']);
    await clock.advance(1);
    assert.equal(
      await nightsOnOffer(system),
      'withdrawn: is not known: an availability feed of the home cannot be read: the operator answered with 503',
    );
    assert.equal(await outcomeOf(system), 'server_error');
  });

  it('keeps the nights of a feed that is suddenly empty for six hours, and reports it once', async (t) => {
    const { system, publish, clock, losses } = await openCard(t);
    const horizon = { from: day('2027-08-08'), nights: 12 };
    const readHome = async () => (await system.calendars(['casa-1'], horizon, patient)).get('casa-1');
    assert.equal(await nightsOnOffer(system), '110000000111');
    publish(feedOf());
    await clock.advance(61_000);
    assert.equal(await outcomeOf(system, IN_AUGUST), 'booked');
    const reading = await readHome();
    assert.ok(reading?.kind === 'valid');
    assert.equal(reading.value.available.join(''), '110000000111');
    assert.deepEqual('closedNights' in reading && reading.closedNights, [
      {
        rule: 'feed_lost_nights',
        reason:
          'keeps nights taken that an availability feed has lost; they are free when a reading after 2027-06-01 18:01 UTC lacks them too',
        value: '7 of 7 nights, since 2027-06-01 12:01 UTC',
      },
    ]);
    await clock.advance(61_000);
    assert.equal(await nightsOnOffer(system), '110000000111');
    assert.deepEqual(losses, ['casa-1: 7 of 7']);

    await clock.advance(6 * 3_600_000);
    assert.equal(await nightsOnOffer(system), '111111111111');
    assert.deepEqual(Object.keys((await readHome()) ?? {}), ['kind', 'value']);
  });

  it('does not read a page, a redirect, or more than a mebibyte', async (t) => {
    for (const [answer, failure] of [
      [302, 'garbled'],
      [404, 'rejected'],
      [429, 'rate_limited'],
      [`BEGIN:VCALENDAR\n${'X:y\n'.repeat(300_000)}`, 'too_large'],
      ['<html>', 'garbled'],
    ] as const) {
      const { system, publish } = await openCard(t);
      publish(answer);
      assert.equal(await outcomeOf(system), failure, String(answer).slice(0, 20));
    }
  });

  it('holds back a home whose feed has no usable address, without repeating it', async (t) => {
    const cases: readonly (readonly [changes: object, field: string])[] = [
      [{ availability_feed: 'http://channel.example/1.ics?s=secret' }, 'availability_feed'],
      [{ availability_feed: 7 }, 'availability_feed'],
      [{ availability_feeds: ['https://channel.example/1.ics', 'secret'] }, 'availability_feeds/1'],
      [{ availability_feeds: 'https://channel.example/secret.ics' }, 'availability_feeds'],
      [
        { availability_feeds: Array.from({ length: 6 }, (_, at) => `https://channel.example/${at}.ics`) },
        'availability_feeds',
      ],
      [{ availability_feed: `https://channel.example/${'x'.repeat(2048)}` }, 'availability_feed'],
    ];
    for (const [changes, field] of cases) {
      const { system } = await openCard(t, () => changes);
      const { properties, rejections } = await system.catalogue(patient);
      assert.equal(properties.length, 0);
      assert.deepEqual(
        rejections.map((held) => [held.reference, held.field, held.repaired]),
        [['casa-1', field, undefined]],
      );
      assert.doesNotMatch(JSON.stringify(rejections), /secret/);
    }
    const { system } = await openCard(t, () => ({ availability_feed: null, availability_feeds: [] }));
    assert.equal((await system.catalogue(patient)).properties.length, 1);
    assert.equal(await outcomeOf(system, IN_AUGUST), 'quoted');
  });

  it('waits for the turns of its feeds before it withdraws a home, and says that it still reads', async (t) => {
    const homes = Array.from({ length: 40 }, (_, at) => `casa-${at}`);
    const { system, server, clock } = await openCard(t, (url) =>
      homes.map((reference) => ({
        listing: { ...plainListing, reference },
        availability_feed: `${url}?${reference}`,
      })),
    );
    const quiet: (number | undefined)[] = [];
    const horizon = { from: day('2027-08-08'), nights: 12 };
    let readings: Awaited<ReturnType<typeof system.calendars>> | undefined;
    const reading = system
      .calendars(homes, horizon, patient, (ms) => quiet.push(ms))
      .then((all) => {
        readings = all;
      });
    // Requests take real time; turns take time of the test's clock.
    for (let turn = 0; !readings && turn < 5000; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await clock.advance(10);
    }
    assert.ok(readings, 'the calendars were never read');
    await reading;
    assert.equal(server.requests.length, 40);
    assert.deepEqual([...new Set(Array.from(readings.values(), ({ kind }) => kind))], ['valid']);
    assert.deepEqual([quiet.length, new Set(quiet)], [41, new Set([3_600_000])]);
  });
});

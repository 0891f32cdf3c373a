import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openLoopbackClient } from '../../../test/support/loopback-client.ts';
import { plainContext, plainListing, plainRates } from '../../../test/support/plain-listing.ts';
import { plainServer } from '../../../test/support/plain-server.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { bookingSystemContract } from '../../quotes/booking-system.contract.ts';
import { parseDay } from '../../stay/day.ts';
import { documentFile, documentUrl } from '../shared/documents/document-source.ts';
import { createInlineIntake } from '../shared/intake/run-task.ts';
import { createRateCardBookingSystem } from './connector.ts';
import type { RateCard } from './rate-card.ts';

const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;
const clock: Clock = { ...systemClock, now: () => Date.UTC(2027, 5, 1, 12), elapsed: () => 0 };

const intake = createInlineIntake(plainContext);

const card: RateCard = {
  properties: [
    {
      listing: plainListing,
      rates: {
        ...plainRates,
        weekend_nightly: '120.00',
        minimum_stay: 2,
        no_arrival_on: ['sun'],
        fees: [{ label: 'Cleaning', amount: '60.00', per: 'stay' }],
        taxes: [{ label: 'VAT', percent: 6 }],
      },
      booked: [{ from: '2027-08-10', to: '2027-08-17' }],
    },
  ],
};
const stay = {
  references: ['casa-1'],
  checkIn: day('2027-08-20'),
  checkOut: day('2027-08-23'),
  guests: 2,
  currency: 'EUR',
};

function storedDocument(text?: string) {
  const stored = {
    text,
    read: async () => (stored.text === undefined ? undefined : new TextEncoder().encode(stored.text)),
    async save(newer: Uint8Array) {
      stored.text = new TextDecoder().decode(newer);
    },
  };
  return stored;
}

async function cardFile(t: TestContext | undefined, text: string) {
  const directory = await mkdtemp(join(tmpdir(), 'rate-card-'));
  const release = () => rm(directory, { recursive: true });
  t?.after(release);
  const path = join(directory, 'card.json');
  await writeFile(path, text);
  return { path, release };
}

bookingSystemContract('a rate card in a file', {
  async newSystem() {
    const { path, release } = await cardFile(undefined, JSON.stringify(card));
    return {
      system: createRateCardBookingSystem({
        source: documentFile(path),
        stored: storedDocument(),
        context: plainContext,
        intake,
        maxDocumentAgeMs: 300_000,
        clock,
      }),
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

describe('a rate card', () => {
  it('is priced by its rates, read at the moment of the price', async (t) => {
    const { path } = await cardFile(t, JSON.stringify(card));
    const system = createRateCardBookingSystem({
      source: documentFile(path),
      stored: storedDocument(),
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    assert.deepEqual(await system.quote(stay, patient), [
      {
        kind: 'quoted',
        reference: 'casa-1',
        quote: {
          currency: 'EUR',
          total: 42_400,
          // From Friday: two weekend nights and one other.
          lines: [
            { label: '3 nights', amount: 34_000 },
            { label: 'Cleaning', amount: 6000 },
            { label: 'VAT', amount: 2400 },
          ],
          heldUntil: null,
          retrievedAt: clock.now(),
          deposit: null,
          dueOnSite: null,
        },
      },
    ]);
  });

  it('is kept, and its listings stand in for a source that is out of reach', async () => {
    const stored = storedDocument(JSON.stringify(card));
    const told: string[] = [];
    const system = createRateCardBookingSystem({
      source: documentFile('/nowhere/card.json'),
      stored,
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
      onLastDocumentUsed: (failure) => told.push(failure.kind),
    });
    const calendars = await system.calendars(['casa-1'], { from: stay.checkIn, nights: 3 }, patient);
    assert.equal(calendars.get('casa-1')?.kind, 'valid');
    assert.deepEqual(told, []);
    assert.equal((await system.catalogue(patient)).properties.length, 1);
    assert.deepEqual(told, ['unreachable']);
    assert.deepEqual(
      await system.quote(stay, patient),
      [{ kind: 'failed', reference: 'casa-1', failure: 'unreachable' }],
      'nobody knows how old a stored card is',
    );
  });

  it('loses only its bad entries', async (t) => {
    const [entry] = card.properties;
    assert.ok(entry);
    const named = (reference: string, changes: object = {}) => ({
      ...entry,
      listing: { ...plainListing, reference },
      ...changes,
    });
    const properties = [
      named('good'),
      named('good'),
      named('finer-than-cents', { rates: { ...plainRates, nightly: '10.005' } }),
      named('backwards', { booked: [{ from: '2027-02-02', to: '2027-02-01' }] }),
      named('no-such-day', {
        rates: { ...plainRates, seasons: [{ from: '2027-02-30', to: '2027-03-01', nightly: '1' }] },
      }),
      named('no-rates', { rates: undefined }),
      { ...entry, listing: { ...plainListing, reference: 'wrong-city', place: 'atlantis' } },
    ];
    const { path } = await cardFile(t, JSON.stringify({ properties }));
    const system = createRateCardBookingSystem({
      source: documentFile(path),
      stored: storedDocument(),
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    const reading = await system.catalogue(patient);
    assert.deepEqual(
      reading.properties.map(({ reference }) => reference),
      ['good'],
    );
    assert.deepEqual(
      reading.rejections.map(({ reference, field }) => [reference, field]),
      [
        ['good', 'reference'],
        ['finer-than-cents', 'rates/nightly'],
        ['backwards', 'booked/0'],
        ['no-such-day', 'rates/seasons/0/from'],
        ['no-rates', 'rates'],
        ['wrong-city', 'place'],
      ],
    );
  });

  it('that is no rate card changes nothing, and is reported each time', async (t) => {
    const { path } = await cardFile(t, JSON.stringify(card));
    const stored = storedDocument();
    const system = createRateCardBookingSystem({
      source: documentFile(path),
      stored,
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    await system.catalogue(patient);
    for (const bad of ['{"properties":', '{"properties":7}', '[]', '"\u0000']) {
      await writeFile(path, bad);
      await assert.rejects(
        system.catalogue(patient),
        (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
      );
    }
    await writeFile(path, Buffer.from([0x22, 0xff, 0x22]));
    await assert.rejects(system.catalogue(patient), /UTF-8/);
    assert.equal(stored.text, JSON.stringify(card));
    assert.equal((await system.quote(stay, patient))[0]?.kind, 'quoted');
  });

  it('states what is paid besides the price of the stay, and rejects a home for which it cannot be read', async (t) => {
    const [entry] = card.properties;
    assert.ok(entry);
    const named = (reference: string, changes: object) => ({
      ...entry,
      listing: { ...plainListing, reference },
      ...changes,
    });
    const properties = [
      named('well', {
        deposit: { amount: '150.00', refundable: true },
        due_on_site: { amount: '2.50', per: 'guest_night' },
      }),
      named('none', { deposit: null, due_on_site: null }),
      named('finer', {
        deposit: { amount: '1.005', refundable: true },
        due_on_site: { amount: '1.005', per: 'stay' },
      }),
      named('odd', { deposit: '150 euros', due_on_site: 7 }),
    ];
    const { path } = await cardFile(t, JSON.stringify({ properties }));
    const system = createRateCardBookingSystem({
      source: documentFile(path),
      stored: storedDocument(),
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    const { rejections } = await system.catalogue(patient);
    assert.deepEqual(
      rejections.map(({ reference, field, rule, reason, value }) => [reference, field, rule, reason, value]),
      [
        [
          'finer',
          'deposit/amount',
          'price_too_fine',
          'is 1.005, finer than EUR or too large to be exact',
          '1.005',
        ],
        ['odd', 'deposit', 'wrong_type', 'is a text, must be an object', '150 euros'],
      ],
    );
    const references = ['well', 'none', 'finer', 'odd'];
    const outcomes = await system.quote({ ...stay, references }, patient);
    assert.deepEqual(
      outcomes.map(
        (one) => one.kind === 'quoted' && [one.quote.total, one.quote.deposit, one.quote.dueOnSite],
      ),
      [[42_400, { amount: 15_000, refundable: true }, 1500], [42_400, null, null], false, false],
    );
  });

  it('whose amounts are too large to be exact fails instead of being wrong', async (t) => {
    const [entry] = card.properties;
    assert.ok(entry);
    const fees = Array.from({ length: 20 }, () => ({
      label: 'Fee',
      amount: '999999999999.99',
      per: 'guest_night' as const,
    }));
    const { path } = await cardFile(
      t,
      JSON.stringify({ properties: [{ ...entry, rates: { ...plainRates, fees } }] }),
    );
    const system = createRateCardBookingSystem({
      source: documentFile(path),
      stored: storedDocument(),
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    await system.catalogue(patient);
    const long = { ...stay, checkOut: stay.checkIn + 300 };
    assert.deepEqual(await system.quote(long, patient), [
      { kind: 'failed', reference: 'casa-1', failure: 'garbled' },
    ]);
  });

  it('is fetched from a URL only when it has changed, and a refused one is refused again', async (t) => {
    let [json, etag, bodies] = [JSON.stringify(card), '"1"', 0];
    const server = await plainServer((request, response) => {
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      bodies += 1;
      return response.writeHead(200, { 'content-type': 'application/json', etag }).end(json);
    });
    const system = createRateCardBookingSystem({
      source: documentUrl(`${server.url}/rates/card.json?v=1`, openLoopbackClient),
      stored: storedDocument(),
      context: plainContext,
      intake,
      maxDocumentAgeMs: 300_000,
      clock,
    });
    t.after(async () => {
      await system.close();
      await server.close();
    });
    assert.equal((await system.catalogue(patient)).properties.length, 1);
    assert.equal((await system.catalogue(patient)).properties.length, 1);
    assert.equal(bodies, 1);
    assert.equal(server.requests[0]?.url, '/rates/card.json?v=1');
    [json, etag] = ['{}', '"2"'];
    await assert.rejects(system.catalogue(patient), BookingSystemFailure);
    await assert.rejects(system.catalogue(patient), BookingSystemFailure);
  });
});

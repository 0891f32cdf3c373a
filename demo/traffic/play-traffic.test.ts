import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { describeAssistantRegistry, registryFor } from '../../src/access/registry/assistant-registry.ts';
import type { QuotesByIdentifier } from '../../src/analytics/bookings/booking-outcomes.ts';
import { systemClock } from '../../src/clock.ts';
import { invalid } from '../../src/parsing/reading.ts';
import { formatAmount } from '../../src/stay/money.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';
import { createOutcomesInMemory } from '../../test/support/outcomes-in-memory.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { demoRegistry } from '../assistants.ts';
import type { GuestBooking } from '../bookings.ts';
import { BRANDS } from '../brands.ts';
import { type Demo, startDemo } from '../start-demo.ts';
import { playTraffic } from './play-traffic.ts';
import type { Tally } from './tally.ts';
import { summaryText } from './tally.ts';
import { createTrafficClient, isOnThisMachine } from './traffic-client.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
/** So short that no call is given up while it passes. */
const EVERY_MS = 10_000;
const SESSIONS = 50;
const MAX_REQUESTS_OF_DASH = 20;

const directory = mkdtempSync(path.join(tmpdir(), 'staywire-traffic-'));
let demo: Demo;
let service: TestService;
let tally: Tally;
const outcomes = createOutcomesInMemory();
const { activity } = createMemoryOwnerStore();
const ledger: QuotesByIdentifier = {
  async findQuotes({ nxq }, limit) {
    const quotes = await service.storage.sessions.issuedQuotes({ since: 0, limit: 100_000 });
    return quotes.filter((quote) => quote.nxq === nxq).slice(0, limit);
  },
};

before(async () => {
  demo = await startDemo({ port: 0, now: () => NOON, steady: true, dataDirectory: directory });
  const registry = describeAssistantRegistry(demoRegistry(), () => invalid('there is none'));
  assert.ok(registry.kind === 'valid');
  const assistants = registry.value.assistants.map((one) =>
    one.id === 'dash' ? { ...one, limits: { ...one.limits, requests: MAX_REQUESTS_OF_DASH } } : one,
  );
  service = await startTestService({
    network: demo.networkFile(),
    registry: registryFor({ assistants }, null),
    bookings: { outcomes, ledger },
    settings: { bookingsSeconds: EVERY_MS / 1000 },
    activity,
    now: NOON,
  });
  const client = createTrafficClient({
    service: await service.listen(),
    connections: 16,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  tally = await playTraffic({
    client,
    sessions: SESSIONS,
    seed: 'test',
    atOnce: 8,
    clock: { now: () => NOON },
  });
  await client.close();
});
after(async () => {
  await service.close();
  await demo.close();
  rmSync(directory, { recursive: true });
});

type LoggedRequest = {
  readonly assistant: string;
  readonly operation: string;
  readonly error: string | null;
};

function storedBookings(): readonly GuestBooking[] {
  return JSON.parse(readFileSync(path.join(directory, 'bookings.json'), 'utf8')).bookings;
}

const loggedRequests = (): readonly LoggedRequest[] =>
  service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');

test('its summary says what the service has answered, assistant by assistant', () => {
  const requests = loggedRequests();
  assert.ok(requests.length > SESSIONS * 2);
  assert.equal(
    [...tally.assistants.values()].reduce((sum, one) => sum + one.requests, 0),
    requests.length,
  );
  for (const [id, one] of tally.assistants) {
    const own = requests.filter(({ assistant }) => assistant === id);
    const count = (matches: (request: LoggedRequest) => boolean) => own.filter(matches).length;
    assert.deepEqual(
      {
        requests: one.requests,
        sessions: one.sessions,
        limited: one.limited,
        results: one.results,
      },
      {
        requests: own.length,
        sessions: count(({ operation, error }) => operation === 'openSession' && error === null),
        limited: count(({ error }) => error === 'rate_limited'),
        results: count(({ operation, error }) => operation === 'search' && error === null),
      },
      id,
    );
    const stopped = [...one.stopped.values()].reduce((sum, stops) => sum + stops, 0);
    assert.equal(one.completed + stopped, one.sessions, 'each session stands somewhere');
  }
  const played = [...tally.assistants.values()].reduce(
    (sum, one) => sum + one.sessions + one.refusedOpenings,
    0,
  );
  assert.equal(played, SESSIONS, 'each was opened, or refused');
});

test('its summary says where sessions stand as the service has counted it', async () => {
  await service.flushActivity();
  await service.flushActivity();
  const hour = Math.floor(NOON / 3_600_000);
  const standings = await activity.read({ measures: ['standings'], from: hour - 1, to: hour + 24 });
  const counted = new Map<string, number>();
  for (const { facet, count } of standings) counted.set(facet, (counted.get(facet) ?? 0) + count);
  const played = new Map([['completed', 0]]);
  for (const { completed, stopped } of tally.assistants.values())
    for (const [stage, count] of [['completed', completed] as const, ...stopped])
      played.set(stage, (played.get(stage) ?? 0) + count);
  assert.deepEqual(Object.fromEntries([...played].toSorted()), Object.fromEntries([...counted].toSorted()));
});

test('one of them hammers, and is limited', () => {
  const dash = tally.assistants.get('dash');
  assert.ok(dash && dash.limited > 0, JSON.stringify(dash));
  assert.equal(dash.requests - dash.limited, MAX_REQUESTS_OF_DASH);
  for (const [id, { limited }] of tally.assistants) if (id !== 'dash') assert.equal(limited, 0, id);
});

test('what it books follows from quotes of the ledger, at the price that was quoted', async () => {
  const bookings = storedBookings();
  const made = [...tally.assistants.values()].reduce((sum, one) => sum + one.bookings, 0);
  assert.ok(made > 0);
  assert.equal(bookings.length, made);
  const quotes = await service.storage.sessions.issuedQuotes({ since: 0, limit: 100_000 });
  for (const booking of bookings) {
    const quote = quotes.find(({ nxq }) => nxq === booking.quote);
    assert.ok(quote, booking.code);
    assert.equal(quote.brand, booking.source);
    assert.equal(formatAmount(quote.amount, quote.currency), booking.total);
  }
});

test('what it books is reported to the service, and joined with the quotes that it followed', async () => {
  const reporting = new Set(
    BRANDS.filter(({ connection }) => connection === 'open').map(({ source }) => source),
  );
  const bookings = storedBookings().filter(({ source }) => reporting.has(source));
  assert.ok(bookings.length > 0);
  await service.time.pass(EVERY_MS);
  while ((await outcomes.all()).length < bookings.length)
    await new Promise((resolve) => setImmediate(resolve));
  const codes = (list: readonly string[]) => list.toSorted();
  assert.deepEqual(
    codes((await outcomes.all()).map(({ reference, status }) => `${reference} ${status}`)),
    codes(
      bookings.map(({ code, cancelled_at: at }) => `${code} ${at === undefined ? 'booked' : 'cancelled'}`),
    ),
  );
  for (const { quote, amount, currency } of await outcomes.all()) {
    assert.deepEqual([quote?.amount, quote?.currency], [amount, currency]);
    assert.ok(tally.assistants.has(quote?.assistant ?? ''));
  }
});

test('its summary is text with a line for each assistant', () => {
  const text = summaryText(tally, 3);
  const all = [...tally.assistants.values()].reduce((sum, one) => sum + one.sessions, 0);
  assert.ok(text.startsWith(`Played ${all} sessions in 3 s: `), text);
  const refused = [...tally.assistants.values()].reduce((sum, one) => sum + one.refusedOpenings, 0);
  assert.match(text, new RegExp(`^${refused} more could not be opened`, 'm'));
  assert.match(text, /^Bookings at Quince & Key are not among the outcomes: a rate card reports none\.$/m);
  for (const [id, { requests }] of tally.assistants)
    assert.match(text, new RegExp(`^${id} .* ${requests} `, 'm'));
});

test('it books on this machine alone', () => {
  for (const address of ['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:8080/x']) {
    assert.ok(isOnThisMachine(address), address);
  }
  for (const address of [
    'https://stays.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'x',
    'https://127.0.0.1',
  ])
    assert.ok(!isOnThisMachine(address), address);
});

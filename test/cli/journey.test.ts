import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { addDays, aHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startIcalendar } from '../emulators/icalendar.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { type CommandRun, runCommand, startCommand, temporaryFolder } from '../support/command-line.ts';
import { rateCardOf } from '../support/emulated-rate-card.ts';

const GUESTS = 3;
const NIGHTS = 4;
const QUICK = 'rate_limits=[{"requests":1000,"seconds":1}]';
const FIELDS = ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'] as const;

type Brand = { readonly source: string; readonly emulator: Emulator; readonly homes: readonly number[] };
type Json = Record<string, unknown>;
type Option = Json & {
  readonly property_id: string;
  readonly url: string;
  readonly quote: { readonly amount: number; readonly currency: string };
};

async function startEmulators(t: TestContext) {
  const options = { now: Date.now, limits: 'off' } as const;
  const price = (base: number) => (day: string) => base + 100 * Number(day.slice(-2)) + 37;
  const lodgify = await startLodgify({
    ...options,
    homes: [
      aHome({ id: 1, nightlyPrice: price(90_00), taxPercent: 7.5 }),
      aHome({ id: 2, nightlyPrice: price(140_00) }),
    ],
  });
  const hostaway = await startHostaway({
    ...options,
    homes: [aHome({ id: 1, nightlyPrice: price(75_00) }), aHome({ id: 2, deposit: 0 }), aHome({ id: 3 })],
  });
  const cardHomes = [1, 2].map((id) => aHome({ id, nightlyPrice: () => 99_95, cleaningFee: 0 }));
  const feeds = await startIcalendar({ ...options, homes: cardHomes });
  t.after(() => Promise.all([lodgify, hostaway, feeds].map((emulator) => emulator.close())));
  return { lodgify, hostaway, feeds, cardHomes };
}

it('an owner sets up a network of three booking systems, and assistants find their homes at their prices', async (t) => {
  const { lodgify, hostaway, feeds, cardHomes } = await startEmulators(t);
  const directory = temporaryFolder(t);
  const checkIn = formatDay(Math.floor(Date.now() / 86_400_000) + 40);
  const checkOut = addDays(checkIn, NIGHTS);
  // One home of each kind is taken for a part of the stay.
  feeds.book(2, addDays(checkIn, 1), addDays(checkIn, 3));
  hostaway.book(3, addDays(checkIn, -1), addDays(checkIn, 1));
  const everything: string[] = [];
  const run = async (words: readonly string[], input?: string): Promise<CommandRun> => {
    const ended = await runCommand(words, { directory, ...(input === undefined ? {} : { input }) });
    everything.push(ended.stdout, ended.stderr);
    assert.equal(ended.code, 0, `staywire ${words.join(' ')}\n${ended.stdout}${ended.stderr}`);
    return ended;
  };
  const pageOf = (emulator: Emulator) =>
    `http://${emulator.websiteHost}/homes/{reference}?from={check_in}&to={check_out}&people={guests}`;

  await run(['init', '--name', 'Atlantic', '--contact', 'us@atlantic.example', '--trust-this-machine']);
  writePlaces(directory);
  const lodgifyWords = ['connect', 'harbor', '--system', 'lodgify'];
  await run(
    [
      ...lodgifyWords,
      '--set',
      `url=${lodgify.url}`,
      QUICK,
      '--stay-url',
      pageOf(lodgify),
      '--secrets-from-stdin',
    ],
    JSON.stringify(lodgify.credentials),
  );
  await run(
    [
      'connect',
      'hills',
      '--system',
      'hostaway',
      '--set',
      `url=${hostaway.url}`,
      QUICK,
      '--host',
      hostaway.websiteHost,
      '--secrets-from-stdin',
    ],
    JSON.stringify(hostaway.credentials),
  );
  writeFileSync(join(directory, 'card.json'), JSON.stringify(rateCardOf(cardHomes, feeds)));
  await run([
    'connect',
    'mill',
    '--system',
    'rate-card',
    '--set',
    'file=card.json',
    `feed_hosts=["${new URL(feeds.feedUrl(1)).host}"]`,
    '--host',
    feeds.websiteHost,
  ]);
  const { stdout: synced } = await run(['sync', '--json']);
  assert.deepEqual(
    (JSON.parse(synced).brands as Json[]).map(({ brand, outcome, listings, held_back }) => [
      brand,
      outcome,
      listings,
      held_back,
    ]),
    [
      ['harbor', 'complete', 2, []],
      ['hills', 'complete', 3, []],
      ['mill', 'complete', 2, []],
    ],
  );

  const service = startCommand(['serve', '--port', '0'], { directory });
  t.after(() => service.child.kill('SIGKILL'));
  const [, origin = ''] = await service.said(/Staywire serves Atlantic on (http:\S+)/);
  const result = await guidedSearch(origin, {
    destination: 'lisbon',
    check_in_month: checkIn.slice(0, 7),
    check_in_day: checkIn,
    check_out: checkOut,
    guests: String(GUESTS),
  });

  const brands: readonly Brand[] = [
    { source: 'harbor', emulator: lodgify, homes: [1, 2] },
    { source: 'hills', emulator: hostaway, homes: [1, 2] },
    { source: 'mill', emulator: feeds, homes: [1] },
  ];
  const found = new Map(result.map((option) => [option.property_id, option]));
  const expected = brands.flatMap(({ source, emulator, homes }) =>
    homes.map((id) => ({ id, emulator, propertyId: `${source}:${emulator.referenceOf(id)}` })),
  );
  assert.deepEqual([...found.keys()].sort(), expected.map(({ propertyId }) => propertyId).sort());
  for (const { id, emulator, propertyId } of expected) {
    const option = found.get(propertyId);
    const price = emulator.priceOf(id, checkIn, checkOut, GUESTS);
    assert.ok(option && 'total' in price, propertyId);
    assert.equal(Math.round(option.quote.amount * 100), price.total, propertyId);
    assert.equal(option.quote.currency, price.currency);
    const link = new URL(option.url);
    assert.equal(link.host, emulator.websiteHost, propertyId);
    assert.ok(link.pathname.endsWith(`/${emulator.referenceOf(id)}`), option.url);
    const query = [...link.searchParams.values()];
    for (const value of [checkIn, checkOut, String(GUESTS)]) assert.ok(query.includes(value), option.url);
    assert.equal((await fetch(link)).status, 200);
  }

  for (const destination of ['Lisbon, Portugal', 'Lisbon PT', 'Portugal']) {
    const named = {
      destination,
      check_in_month: checkIn.slice(0, 7),
      check_in_day: checkIn,
      check_out: checkOut,
    };
    const options = await wholeSearch(origin, { ...named, guests: String(GUESTS) });
    assert.equal(options.length, expected.length, destination);
  }

  service.child.kill('SIGTERM');
  const stopped = await service.ended;
  assert.equal(stopped.code, 0, stopped.stderr);
  everything.push(stopped.stdout, stopped.stderr, ...filesUnder(directory));
  const secrets = [lodgify, hostaway].flatMap(({ credentials }) => Object.values(credentials));
  for (const secret of secrets.filter((one) => one.length > 8)) {
    assert.ok(!everything.some((text) => text.includes(secret)), 'a secret in an output or a file');
  }
});

/** What an owner writes into the network file that `init` wrote. */
function writePlaces(directory: string): void {
  const file = join(directory, 'network.jsonc');
  const inPortugal = { time_zone: 'Europe/Lisbon', currency: 'EUR' };
  const places = [
    { id: 'portugal', name: 'Portugal', kind: 'country', aliases: ['PT'], ...inPortugal },
    { id: 'lisbon', name: 'Lisbon', kind: 'city', parent: 'portugal', ...inPortugal },
  ];
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"places": []', `"places": ${JSON.stringify(places)}`));
}

type Stay = Readonly<Record<(typeof FIELDS)[number], string>>;

async function post(url: string, body: Json): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return (await response.json()) as Json;
}

/** All at once, in a traveller's words. */
async function wholeSearch(origin: string, stay: Stay): Promise<readonly Option[]> {
  const { session } = await post(`${origin}/ai/v1/auth`, {});
  const answer = await post(`${origin}/ai/v1/search?session=${session}`, stay);
  assert.equal(answer.object, 'search_result', JSON.stringify(answer));
  return answer.results as Option[];
}

/** One field at a time, and only values that are on offer. */
async function guidedSearch(origin: string, stay: Stay): Promise<readonly Option[]> {
  const { session } = await post(`${origin}/ai/v1/auth`, {});
  const path = `${origin}/ai/v1/search?session=${session}`;
  let answer = await post(path, {});
  for (const field of FIELDS) {
    const offered = (answer.allowed_values as Record<string, unknown[]>)[field] ?? [];
    const values = offered.map((one) =>
      String(typeof one === 'object' && one ? Reflect.get(one, 'value') : one),
    );
    assert.ok(values.includes(stay[field]), `${field}: ${stay[field]} is not among ${values.join(', ')}`);
    answer = await post(path, { field, value: stay[field] });
  }
  assert.equal(answer.object, 'search_result', JSON.stringify(answer));
  return answer.results as Option[];
}

function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}

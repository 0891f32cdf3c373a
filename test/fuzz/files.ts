import assert from 'node:assert/strict';
import {
  readPublishedKeys,
  readPublishedRanges,
} from '../../src/access/published/read-published-document.ts';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { createBookingsFileReader } from '../../src/analytics/bookings/import-outcomes.ts';
import { parseFeed } from '../../src/connectors/icalendar/parse-feed.ts';
import { readPlainLines } from '../../src/connectors/imported/plain-lines.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import { CsvFailure } from '../../src/parsing/csv.ts';
import { isAmong, parseAddress } from '../../src/parsing/ip-address.ts';
import { invalid } from '../../src/parsing/reading.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { plainContext, plainListing } from '../support/plain-listing.ts';
import { csvOf } from '../support/synthetic-city.ts';
import type { InputRandom } from './input-random.ts';
import { mutatedJson, mutatedText, spelledJson } from './odd-json.ts';
import type { FuzzTarget, Timed } from './run-target.ts';

const encoder = new TextEncoder();

const VALID_NETWORK = {
  ...networkFile([
    {
      ...brandEntry('acme', 'https://ops.acme.example'),
      single_location: 'lisbon-pt',
      places: { Lisboa: 'lisbon-pt' },
    },
  ]),
  refresh_seconds: 900,
};
const VALID_REGISTRY = {
  assistants: [
    {
      id: 'one',
      name: 'One',
      status: 'approved',
      recognised_by: [
        { network: ['203.0.113.0/24', '2001:db8::/32'] },
        { user_agent: 'One-User', reverse_dns: ['crawl.one.example'] },
        { jwks_uri: 'https://one.example/keys.json' },
        { user_agent: 'One-User', ranges_url: 'https://one.example/ranges.json' },
      ],
      limits: { requests: 600, sessions: 20, megabytes: 10, searches: 4 },
      history: [{ at: '2026-11-17T04:30:00Z', change: 'added', note: 'As agreed.' }],
    },
  ],
};

function readOwnersFile(random: InputRandom, timed: Timed): void {
  const readsNetwork = random.oneIn(2);
  const file = readsNetwork ? VALID_NETWORK : VALID_REGISTRY;
  const text = spelledJson(mutatedJson(file, random), random);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused before any reader sees it.
    return;
  }
  const read = () =>
    readsNetwork
      ? describeNetwork(value, { env: {}, directory: '/nowhere' })
      : describeAssistantRegistry(value, () => invalid('cannot be read'));
  const reading = timed(read, text.length);
  if (reading.kind === 'invalid') assert.ok(reading.faults.length > 0, 'a refusal names its faults');
}

const VALID_RANGES = {
  creationTime: '2026-08-14T20:03:38.055838',
  prefixes: [{ ipv4Prefix: '104.210.139.192/28' }, { ipv6Prefix: '2001:4860:c::/48' }, '18.97.21.0/30'],
};
const VALID_KEYS = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
      use: 'sig',
      kid: 'one',
      nbf: 1_735_689_600,
      exp: 1_786_913_274,
    },
    { kty: 'RSA', n: 'y'.repeat(342), e: 'AQAB', alg: 'PS512', key_ops: ['verify'] },
  ],
};
const PRIVATE = ['127.0.0.1', '10.1.2.3', '192.168.7.7', '::1', 'fd00::1', '203.0.113.7'].flatMap(
  (text) => parseAddress(text) ?? [],
);

/** Whatever it is, it opens no way to a network of the owner's, and is read again as it was stored. */
function readPublished(random: InputRandom, timed: Timed): void {
  const readsKeys = random.oneIn(2);
  const text = spelledJson(mutatedJson(readsKeys ? VALID_KEYS : VALID_RANGES, random), random);
  if (readsKeys) checkKeys(text, timed);
  else checkRanges(text, timed);
}

function checkKeys(text: string, timed: Timed): void {
  const reading = timed(() => readPublishedKeys(text), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0, 'a refusal names its faults');
    return;
  }
  const again = readPublishedKeys(reading.value.text);
  assert.ok(again.kind === 'valid');
  assert.deepEqual([again.value.text, again.value.dropped], [reading.value.text, 0]);
  assert.doesNotMatch(reading.value.text, /"(?:d|p|q|k)":/);
}

function checkRanges(text: string, timed: Timed): void {
  const reading = timed(() => readPublishedRanges(text), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0, 'a refusal names its faults');
    return;
  }
  assert.deepEqual(readPublishedRanges(reading.value.text), reading);
  for (const address of PRIVATE) {
    assert.ok(!isAmong(reading.value.content, address), `${address}`);
  }
}

const VALID_LINES = [
  { type: 'header', format: 'staywire-plain', version: 1 },
  { type: 'property', ...plainListing },
  {
    type: 'calendar',
    property: plainListing.reference,
    periods: [
      { from: '2027-04-01', to: '2027-04-08', available: true, price: '80.00', minimum_stay: 2 },
      { from: '2027-04-08', to: '2027-05-01', available: false, maximum_stay: 30, closed_to_arrival: true },
    ],
  },
];

/** The plain format, which an owner imports. */
function readPlain(random: InputRandom, timed: Timed): void {
  const lines = VALID_LINES.map((line) =>
    random.oneIn(2) ? JSON.stringify(line) : spelledJson(mutatedJson(line, random), random),
  );
  const text = mutatedText(lines.join('\n'), random);
  const parameters = { ...plainContext, firstLine: 1 };
  const read = () => [...readPlainLines(encoder.encode(text), parameters, plainContext.places)];
  for (const item of timed(read, text.length)) {
    if (item.kind === 'refused_calendar') assert.ok(item.fault.reason.length > 0 && item.fault.line > 0);
  }
}

const FEED = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART:20270710',
  'DTEND:20270715',
  'END:VEVENT',
  'END:VCALENDAR',
];
const FEED_LINES: readonly string[] = [
  ...['BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VALARM', 'DTSTART;VALUE=DATE:20270710', 'DTEND:99991231T235959Z'],
  ...['DTSTART;TZID="Europe/Lisbon":20270710T150000', 'DTSTART:00000101', 'DURATION:P1DT12H', ' folded'],
  ...['DURATION:-P999999W', 'STATUS:CANCELLED', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Reserved', ''],
];

function readFeed(random: InputRandom, timed: Timed): void {
  const lines = [...FEED];
  for (let change = random.integer(4); change > 0; change -= 1) {
    lines.splice(random.integer(lines.length), random.integer(2), random.pick(FEED_LINES));
  }
  const text = mutatedText(lines.join(random.pick(['\r\n', '\n'])), random);
  const reading = timed(() => parseFeed(encoder.encode(text), 'Europe/Lisbon'), text.length);
  if (reading.kind === 'invalid') {
    assert.ok(reading.faults.length > 0 && reading.faults.every(({ line }) => line >= 1));
    return;
  }
  for (const [index, { from, to }] of reading.value.entries()) {
    assert.ok(from < to && from > (reading.value[index - 1]?.to ?? Number.NEGATIVE_INFINITY));
  }
}

const VALID_BOOKINGS = csvOf([
  {
    reference: 'B-1',
    quote: 'nxq_0123456789abcdefghijkl',
    status: 'booked',
    booked_at: '2026-11-01T12:30:00Z',
    amount: '532.00',
    currency: 'EUR',
  },
]);

function readBookingsFile(random: InputRandom, timed: Timed): void {
  const text = mutatedText(VALID_BOOKINGS, random);
  timed(() => {
    try {
      const now = Date.UTC(2026, 10, 17);
      const reader = createBookingsFileReader({ brand: 'casas', now, file: 'bookings.csv' });
      for (const line of [...reader.push(text), ...reader.end()]) {
        if (line.kind === 'booking') assert.match(line.booking.reference, /^[\w./-]{1,64}$/);
      }
    } catch (failure) {
      if (!(failure instanceof CsvFailure)) throw failure;
    }
  }, text.length);
}

const READERS = [readOwnersFile, readPublished, readPlain, readFeed, readBookingsFile];

/** Files of the owner and of operators, and what assistants publish: a mistake in them is a listed fault, never a crash. */
export const FILES: FuzzTarget = {
  name: 'files',
  weight: 16,
  // The files of the owner are read once, at the start.
  maxCpuMs: 150,
  open: () => ({ run: (random, timed) => random.pick(READERS)(random, timed) }),
};

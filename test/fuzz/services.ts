import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Type } from 'typebox';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import { createConnector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { readListing } from '../../src/connectors/shared/listings/listing-reader.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { valid } from '../../src/parsing/reading.ts';
import { formatDay } from '../../src/stay/day.ts';
import { converse, STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property, TODAY } from '../support/network.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { type InputRandom, randomForInput } from './input-random.ts';
import { damaged, encodedText, mutatedJson, oddText, oddValue, spelledJson } from './odd-json.ts';
import type { FuzzTarget, Timed } from './run-target.ts';

/** An operator within the process: it costs no network, so that an input costs only what the service does with it. */
const stillConnector = createConnector({
  entry: Type.Object({ kind: Type.Literal('still') }, { additionalProperties: false }),
  inventorySource: 'live_booking_system',
  documentation: { title: 'Still', text: 'Always free, always the same price.', schemas: {} },
  read: () => valid(null),
  connect: (_connection, { context }) => ({
    brand: context.brand,
    limits: { batchSize: 50, concurrency: 8, timeoutMs: 4000 },
    async catalogue() {
      const readings = HOMES.map((home) => readListing(home.listing, context));
      return {
        properties: readings.flatMap((reading) => reading.property ?? []),
        rejections: readings.flatMap(({ rejections }) => rejections),
      };
    },
    async calendars(references, { from, nights }) {
      const calendar = emptyCalendar(from, nights);
      calendar.available.fill(1);
      calendar.price.fill(5000);
      return new Map(references.map((reference) => [reference, valid(calendar)]));
    },
    async quote({ references, currency }) {
      const quote = { currency, total: 10_000, lines: [], heldUntil: null };
      return references.map((reference) => ({ kind: 'quoted', reference, quote }));
    },
    close: async () => undefined,
  }),
});

const HOMES = [
  property('a'),
  property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
  property('c', { place: 'porto-pt', location: 'Ribeira, Porto', max_guests: 9 }),
];

const still = (source: string) => ({ ...brandEntry(source, ''), booking_system: { kind: 'still' as const } });

/** The brands `acme` and `solo`, which has one location, and whatever else is given. */
async function startStillService(others: NetworkFile['brands'] = []): Promise<TestService> {
  return startTestService({
    network: {
      ...networkFile([]),
      brands: [still('acme'), { ...still('solo'), single_location: 'lisbon-pt' }, ...others],
    },
    connectors: [...CONNECTORS, stillConnector],
    settings: { rateLimit: 1_000_000_000 },
  });
}

/** What a session may have received before the input arrives. */
const PREFACES: readonly { readonly source: string | null; readonly body: object | null }[] = [
  { source: null, body: null },
  { source: 'acme', body: null },
  { source: 'acme', body: { brand_locked: true, destination: 'lisbon-pt' } },
  { source: null, body: { guests: 1 } },
  { source: null, body: { destination: 'lisbon-pt', check_in_month: '2027-04' } },
  { source: 'solo', body: { brand_locked: true, check_in_day: '2027-04-10' } },
  { source: null, body: STAY },
];

/** Every field of the interface, and the members beside them. */
const MEMBERS: readonly string[] = [
  ...['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests', 'amenities'],
  ...['field', 'value', 'source', 'session', 'idempotency_key', 'api_version', 'view'],
];

/** A new session for each input, so that an input can be run alone. */
async function sessionFor(service: TestService, random: InputRandom): Promise<string> {
  const { source, body } = random.pick(PREFACES);
  const opened = await service.post('/ai/v1/auth', source === null ? {} : { source });
  assert.equal(opened.status, 200, opened.raw);
  const token: string = opened.body.session;
  if (body) await service.post(`/ai/v1/search?session=${token}`, body);
  return token;
}

/** What no input may cause, whatever else the contract allows. The contract itself is checked on every answer. */
function checkAnswer(service: TestService, path: string, answer: TestAnswer): void {
  const lines = service.logLines.splice(0);
  assert.ok(answer.status < 500, `status ${answer.status}: ${answer.raw.slice(0, 300)}`);
  assert.notEqual(answer.body?.error, 'internal_error', lines.join(''));
  if (path === '/ai/v1/search' && answer.status !== 403)
    assert.equal(answer.status, 200, answer.raw.slice(0, 300));
  const leak = lines.find((line) => /ses_[A-Za-z0-9_-]{43}/.test(line));
  assert.equal(leak, undefined, 'a session token in the log');
}

const VALID_BODIES: readonly object[] = [
  STAY,
  { brand_locked: true, ...STAY },
  { field: 'destination', value: 'lisbon-pt' },
  { check_in_day: '2027-04-10', check_out: '2027-04-13' },
  { guests: 2, amenities: ['pool'] },
  { source: 'acme' },
  {},
];
const PATHS = [
  '/ai/v1/search',
  '/ai/v1/search',
  '/ai/v1/auth',
  '/ai/v1/result',
  '/ai/v1/schema',
  '/ai/v1/terms',
  '/',
];
const ODD_PATHS = ['/%61i/v1/search', '/ai/v1/..', '/ai/v1/%2e%2e/search', '/%', '/%ff', '/*', '/:a'];
const METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
const VALUES: readonly string[] = [
  ...['lisbon-pt', 'Lisboa', '2027-04', '2027-04-10', '2027-04-13', '10 April 2027', '2', 'two', 'true'],
  ...['pool', 'compact', 'full', '2026-11-01', 'acme'],
];
/** Headers that the service reads, with a value that it knows. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['idempotency-key', 'a-key-of-mine'],
  ['x-api-version', '2026-11-01'],
  ['accept', 'text/html;q=0.9, application/json'],
  ['if-none-match', '"abc", W/"def", *'],
  ['user-agent', 'Claude-User/1.0'],
  ['forwarded', 'for="[2001:db8::1]:80";proto=https'],
  ['x-forwarded-for', '203.0.113.7, 127.0.0.1'],
  ['via', '1.1 proxy'],
  ['host', 'localhost'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['signature', 'sig1=:AAAA:'],
  ['signature-input', 'sig1=("@authority");created=1;keyid="x";tag="web-bot-auth"'],
  ['signature-agent', '"https://agent.example"'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['expect', '100-continue'],
  ['range', 'bytes=0-1'],
  ['cookie', 'session=1'],
];
const MAX_ADDRESS_LENGTH = 12_000;

/** Requests of which method, path, query, headers or body may be anything. */
const requests: FuzzTarget = {
  name: 'requests',
  weight: 45,
  maxCpuMs: 50,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    return { run: (random, timed) => send(service, random, timed), close: () => service.close() };
  },
};

async function send(service: TestService, random: InputRandom, timed: Timed): Promise<void> {
  const path = random.oneIn(12)
    ? random.pick([...ODD_PATHS, `/${encodeURIComponent(oddText(random).toWellFormed())}`])
    : random.pick(PATHS);
  const token = random.oneIn(4) ? undefined : await sessionFor(service, random);
  const state = `/ai/v1/search?session=${token}`;
  const before = random.oneIn(4) && token ? (await service.get(state)).body.received : undefined;
  const method = random.oneIn(12) ? random.pick(METHODS) : random.pick(['GET', 'POST'] as const);
  const hasBody = method === 'POST' && random.oneIn(2);
  const request = {
    method,
    url: `${path}?${queryFrom(random, token, hasBody)}`.slice(0, MAX_ADDRESS_LENGTH),
    headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headersFrom(random) },
    ...(hasBody && { payload: bodyFrom(random) }),
  };
  const answer = await timed(() => service.call(request));
  const isCall = method === 'GET' || method === 'POST';
  // Another method of search is answered with 405.
  checkAnswer(service, isCall && answer.status !== 405 ? path : '', answer);
  const wasTaken = answer.body?.error === 'incomplete_payload' || answer.body?.object === 'search_result';
  // A refused request leaves the search as it was, but for values that it names as accepted.
  if (
    before !== undefined &&
    path === '/ai/v1/search' &&
    isCall &&
    !wasTaken &&
    !('accepted_fields' in (answer.body ?? {}))
  ) {
    assert.deepEqual((await service.get(state)).body.received, before);
  }
}

function queryFrom(random: InputRandom, token: string | undefined, hasBody: boolean): string {
  const pairs = Array.from({ length: hasBody ? 0 : random.integer(6) }, () => {
    const name = random.oneIn(10) ? oddText(random) : random.pick(MEMBERS);
    const value = random.oneIn(2) ? random.pick(VALUES) : oddText(random);
    return spelled(name, random) + random.pick(['=', '=', '=', '']) + spelled(value, random);
  });
  if (token !== undefined) pairs.splice(random.integer(pairs.length + 1), 0, `session=${token}`);
  return pairs.join(random.oneIn(10) ? random.pick(['&&', ';', '&amp;']) : '&');
}

/** Encoded as it should be, or as careless clients do. */
function spelled(text: string, random: InputRandom): string {
  if (random.oneIn(6)) return text.replaceAll(/[^\x21-\x7e]|[#&]/g, '%');
  const encoded = encodeURIComponent(text.toWellFormed());
  return random.oneIn(6) ? encoded.replaceAll('%20', '+').toLowerCase() : encoded;
}

/** Only what Node lets through: other bytes never reach the service. */
function headersFrom(random: InputRandom): Record<string, string> {
  const sent = Array.from({ length: random.oneIn(3) ? 1 + random.integer(4) : 0 }, () => {
    const [name, value] = random.pick(HEADERS);
    const odd = random.oneIn(3) ? value.repeat(1 + random.integer(50)) : value + oddText(random);
    const text = random.oneIn(3) ? value : odd;
    return [name, text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 8000)] as const;
  });
  return Object.fromEntries(sent);
}

function bodyFrom(random: InputRandom): Buffer {
  const members = Array.from({ length: 1 + random.integer(4) }, () => [
    random.pick(MEMBERS),
    oddValue(random),
  ]);
  const body = random.oneIn(3) ? Object.fromEntries(members) : mutatedJson(random.pick(VALID_BODIES), random);
  return encodedText(spelledJson(body, random), random);
}

const SOCKET_METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'PRI', 'get', 'G\tT', ''];
const TARGETS: readonly string[] = [
  ...['/ai/v1/auth', '/ai/v1/search?session=ses_x', '/ai/v1/schema', '/healthz', '/', '*', '/ai/v1/%'],
  ...['http://evil.example/ai/v1/auth', '//evil.example/ai/v1/auth', 'evil.example:443', '/ai/v1/\x80'],
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', ''];
const LINES: readonly string[] = [
  ...[
    'Host: localhost',
    'Host:',
    'Host: a\r\nHost: b',
    'Content-Type: application/json',
    'Content-Length: 2',
  ],
  ...['Content-Length: -1', 'Content-Length: 99999999999999999999', 'Content-Length: 2, 2'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding : chunked'],
  ...['Expect: 100-continue', 'Expect: a-miracle', 'Connection: upgrade\r\nUpgrade: websocket'],
  ...['Connection: close', ' folded: line', 'No colon here', ': no name', 'X-Null: \0'],
];
const BODIES = ['', '{}', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n{}\r\n', '0\r\n\r\nGET / HTTP/1.1\r\n\r\n'];
const ENDS: readonly string[] = ['\r\n', '\r\n', '\r\n', '\n', '\r'];

/** Bytes over real connections, of which many are no HTTP. */
const sockets: FuzzTarget = {
  name: 'sockets',
  weight: 6,
  // Of both ends, and of all the seconds for which a request that is never finished is waited for.
  maxCpuMs: 150,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    const { port } = new URL(await service.listen());
    return {
      async run(random, timed) {
        const bytes = bytesFrom(random);
        checkAnswers(await timed(() => answersTo(Number(port), bytes)));
        service.logLines.length = 0;
      },
      close: () => service.close(),
    };
  },
};

function bytesFrom(random: InputRandom): Buffer {
  const requests = Array.from({ length: random.oneIn(5) ? 3 : 1 }, () => requestFrom(random));
  const bytes = Buffer.from(requests.join(''), 'latin1');
  if (random.oneIn(5)) return damaged(bytes, random);
  return random.oneIn(5) ? bytes.subarray(0, random.integer(bytes.length + 1)) : bytes;
}

function requestFrom(random: InputRandom): string {
  const end = random.pick(ENDS);
  const target = random.oneIn(6) ? `/${oddText(random)}` : random.pick(TARGETS);
  const method = random.oneIn(3) ? random.pick(SOCKET_METHODS) : random.pick(['GET', 'POST']);
  const lines = Array.from({ length: random.integer(6) }, () =>
    random.oneIn(8) ? `X-Odd: ${oddText(random)}` : random.pick(LINES),
  );
  if (!random.oneIn(3)) lines.unshift('Host: localhost');
  const head = [`${method} ${target} ${random.pick(VERSIONS)}`, ...lines].join(end);
  return `${head}${end}${end}${random.pick(BODIES)}`;
}

/** Everything that came back until the connection was closed by the service. */
function answersTo(port: number, bytes: Buffer): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const received: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => received.push(data));
  // A reset while bytes are still being written is the service's right.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(Buffer.concat(received)));
  // Half closed: what is missing never comes, and the answer can still be read.
  socket.end(bytes);
  return promise;
}

function checkAnswers(received: Buffer): void {
  if (received.length === 0) return;
  const text = received.toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  assert.ok(status >= 100 && status < 500, `the answer begins with ${JSON.stringify(text.slice(0, 200))}`);
  assert.ok(!text.includes('evil.example'), 'a foreign address is repeated');
  assert.ok(!/^\s+at .*\.ts:\d+/m.test(text), 'a stack trace');
}

const REFERENCES = ['h1', 'h2', 'h3'];
const STATUSES = [201, 204, 301, 304, 400, 404, 429, 500, 503];
const CONTENT_TYPES = ['text/html', 'application/json; charset=utf-16', 'application/problem+json', ''];

/** A whole service over one operator of which every answer may be anything, beside two that are honest. */
const services: FuzzTarget = {
  name: 'services',
  weight: 0.5,
  // The metrics of a process are never given back, because a process has only one service.
  keptBytesPerInput: 256 * 1024,
  maxCpuMs: 400,
  async open() {
    let answering: InputRandom | undefined;
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (answering) answer(request.url ?? '', response, answering);
        else response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      async run(random, timed) {
        answering = random;
        await timed(() => searchBeside(origin));
      },
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  },
};

async function searchBeside(origin: string): Promise<void> {
  const service = await startStillService([brandEntry('hostile', origin)]);
  try {
    const { body } = await (await converse(service)).search();
    const brands = new Set(body.results.map(({ brand }: { brand: string }) => brand));
    assert.ok(brands.has('Brand acme') && brands.has('Brand solo'), 'the honest brands are in the result');
    const internal = service.logLines.filter((line) => line.includes('internal_error'));
    assert.deepEqual(internal, []);
  } finally {
    await service.close();
    // Or the metrics would keep the whole service.
    service.metrics.watch({ requestsInFlight: () => 0, indexedProperties: () => 0 });
  }
}

function answer(path: string, response: ServerResponse, random: InputRandom): void {
  // Each call has its own randomness: calls may arrive in another order when the input is run again.
  const own = randomForInput(random.integer(2 ** 32), path.slice(0, 40), 0);
  const value = validAnswer(path);
  const body = encodedText(spelledJson(own.oneIn(3) ? value : mutatedJson(value, own), own), own);
  const headers: Record<string, string> = {
    'content-type': own.oneIn(12) ? own.pick(CONTENT_TYPES) : 'application/json',
    ...(own.oneIn(8) ? { etag: `"${oddText(own).replaceAll(/[^\x21-\x7e]/g, '')}"`.slice(0, 900) } : {}),
    ...(own.oneIn(20) ? { 'content-encoding': own.pick(['gzip', 'br', 'x']) } : {}),
    ...(own.oneIn(20) ? { location: 'http://127.0.0.1:1/' } : {}),
  };
  response.on('error', () => undefined);
  if (own.oneIn(20)) return void response.destroy();
  response.writeHead(own.oneIn(12) ? own.pick(STATUSES) : 200, headers);
  if (own.oneIn(16)) {
    // Cut off in the middle.
    response.write(body.subarray(0, body.length / 2));
    return void setImmediate(() => response.destroy());
  }
  return void response.end(body);
}

function validAnswer(path: string): unknown {
  if (path.startsWith('/catalogue')) {
    return { properties: REFERENCES.map((reference) => property(reference).listing), next_page: null };
  }
  if (path.startsWith('/calendars')) {
    const periods = [
      { from: formatDay(TODAY - 1), to: formatDay(TODAY + 200), available: true, price: '40.00' },
    ];
    return { calendars: REFERENCES.map((reference) => ({ property: reference, periods })) };
  }
  const lines = [{ label: '3 nights', amount: '90.00' }];
  return {
    quotes: REFERENCES.map((reference) => ({
      property: reference,
      status: 'quoted',
      currency: 'EUR',
      total: '90.00',
      lines,
    })),
  };
}

export const SERVICES: readonly FuzzTarget[] = [requests, sockets, services];

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatDay } from '../../../src/stay/day.ts';
import { converse } from '../../support/conversation.ts';
import { brandEntry, property, TODAY } from '../../support/network.ts';
import type { FuzzTarget } from '../fuzz-target.ts';
import { type InputRandom, randomForInput } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText } from '../odd-values.ts';
import { encodedText, spelledJson } from '../spell-json.ts';
import { startStillService } from '../still-network.ts';

const REFERENCES: readonly string[] = ['h1', 'h2', 'h3'];
const STATUSES: readonly number[] = [201, 204, 301, 304, 400, 404, 429, 500, 503];
const CONTENT_TYPES: readonly string[] = [
  'text/html',
  'application/json; charset=utf-16',
  'application/problem+json',
  '',
];

/** A whole service over one operator of which every answer may be anything, beside two that are honest. */
export const services: FuzzTarget = {
  name: 'services',
  weight: 0.5,
  // The metrics of a process are never given back, because a process has only one service.
  keptBytesPerInput: 256 * 1024,
  maxCpuMs: 400,
  inputsPerOpening: 100_000,
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

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signBase } from '../src/access/signatures/keys.ts';
import { systemClock } from '../src/clock.ts';
import { createAllowedAddresses } from '../src/outbound/guarded-connector.ts';
import { createClientOpener, type HttpClient } from '../src/outbound/http-client.ts';
import { createRequestSigner } from '../src/outbound/signing.ts';
import { systemRandom } from '../src/random.ts';
import { LOOPBACK } from '../test/support/loopback-client.ts';
import { sampleIdentity } from '../test/support/sample-identity.ts';
import { median } from './median.ts';

/** `npm run bench:signing`: what it costs to sign a request to an operator, in processor time. */
const ROUNDS = 21;
const SIGNATURES = 1000;
const CALLS_AT_ONCE = 8;
const TURNS = 50;
const BODY = JSON.stringify({ properties: Array.from({ length: 20 }, (_, at) => `home-${at}`), guests: 2 });
const OPTIONS = { timeoutMs: 5000, maxBytes: 10_000, signal: new AbortController().signal };

const identity = sampleIdentity();
const sign = createRequestSigner(identity, { clock: systemClock, random: systemRandom });
const ways = {
  'Ed25519 alone': () => signBase(identity.keys[0], BODY),
  'a GET': () => sign({ method: 'GET', url: 'https://pms.example/v1/catalogue?page=2', body: null }),
  'a POST with its body': () => sign({ method: 'POST', url: 'https://pms.example/v1/quotes', body: BODY }),
};
// In turns, so that whatever else the machine does is felt by all alike.
const costs = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, work] of Object.entries(ways)) {
    const cost = await processorMicroseconds(SIGNATURES, () => {
      for (let at = 0; at < SIGNATURES; at += 1) work();
    });
    costs.set(name, [...(costs.get(name) ?? []), cost]);
  }
}
for (const [name, all] of costs) console.log(`${name}: ${median(all).toFixed(1)} µs`);
await compareCalls();

/** With the server in the same process, which has more headers to read. */
async function compareCalls(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: CALLS_AT_ONCE,
  };
  const surroundings = { addresses: createAllowedAddresses(LOOPBACK), clock: systemClock };
  const plain = createClientOpener(surroundings)(settings);
  const signed = createClientOpener({ ...surroundings, sign })(settings);
  const found: { readonly plain: number[]; readonly signed: number[] } = { plain: [], signed: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    found.plain.push(await call(plain));
    found.signed.push(await call(signed));
  }
  const [without, withOne] = [median(found.plain), median(found.signed)];
  console.log(
    `a call over loopback: ${without.toFixed(0)} µs, signed ${withOne.toFixed(0)} µs (${(withOne / without).toFixed(2)} times)`,
  );
  await plain.close();
  await signed.close();
  server.closeAllConnections();
  server.close();
}

function call(client: HttpClient): Promise<number> {
  return processorMicroseconds(TURNS * CALLS_AT_ONCE, async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const calls = Array.from({ length: CALLS_AT_ONCE }, () =>
        client.send({ method: 'POST', path: '/quotes', body: BODY }, OPTIONS),
      );
      await Promise.all(calls);
    }
  });
}

async function processorMicroseconds(times: number, work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

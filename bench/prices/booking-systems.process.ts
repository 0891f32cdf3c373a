import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotesAnswer, QuotesRequest } from '../../src/connectors/open/quote.ts';
import { answerParent } from '../parent-line.ts';

/** Booking systems that price whatever they are asked for, when the parent process wants it. They keep nothing. */
let delayMs = 0;
let inFlight = 0;
let closed: PromiseWithResolvers<void> | undefined;

const origins = await Promise.all(Array.from({ length: Number(process.argv[2]) }, startBookingSystem));

answerParent(origins, {
  delay(milliseconds) {
    delayMs = Number(milliseconds);
  },
  /** No call is answered until `open`. */
  close() {
    closed ??= Promise.withResolvers();
  },
  open() {
    closed?.resolve();
    closed = undefined;
  },
  /** Calls that have arrived and are not answered yet. */
  inFlight: () => inFlight,
});

async function startBookingSystem(): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    if (delayMs > 0) await sleep(delayMs);
    await closed?.promise;
    const text = JSON.stringify(priced(JSON.parse(Buffer.concat(parts).toString())));
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  // Nothing is slower than a connection that is closed between two slices.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function priced({ properties, currency }: QuotesRequest): QuotesAnswer {
  return {
    quotes: properties.map((property) => ({
      property,
      status: 'quoted',
      currency,
      total: '412.50',
      lines: [
        { label: 'Three nights', amount: '352.50' },
        { label: 'Cleaning', amount: '60.00' },
      ],
    })),
  };
}

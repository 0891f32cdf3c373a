import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CalendarPeriod,
  CalendarsAnswer,
  CalendarsRequest,
} from '../../src/connectors/open/calendar.ts';
import type { QuotesAnswer, QuotesRequest } from '../../src/connectors/open/quote.ts';
import type { Listing } from '../../src/connectors/shared/listings/listing.ts';

export type ScriptedProperty = { readonly listing: Listing; periods: readonly CalendarPeriod[] };
type QuoteAnswer = QuotesAnswer['quotes'][number];

/** A server of the open protocol whose answers a test can change while it runs. */
export type ScriptedOperator = {
  readonly origin: string;
  properties: ScriptedProperty[];
  /** Null leaves the property out of the answer. */
  quote: (reference: string, request: QuotesRequest) => QuoteAnswer | null;
  /** Runs before each answer and may replace it, to be slow, broken or silent. False means: answer normally. */
  misbehave: (path: string, response: ServerResponse, body?: unknown) => boolean | Promise<boolean>;
  /** All quote requests so far. */
  readonly asked: QuotesRequest[];
  close(): Promise<void>;
};

export async function startScriptedOperator(): Promise<ScriptedOperator> {
  const asked: QuotesRequest[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const body = await readJson(request);
    if (await operator.misbehave(path, response, body)) return;
    const answer = answerTo(path, body);
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const operator: ScriptedOperator = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    properties: [],
    quote: (property, { currency }) => ({ property, status: 'quoted', currency, total: '100.00' }),
    misbehave: () => false,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return operator;

  function answerTo(path: string, body: unknown): unknown {
    if (path === '/catalogue') {
      return { properties: operator.properties.map(({ listing }) => listing), next_page: null };
    }
    if (path === '/calendars') return calendars(body as CalendarsRequest);
    if (path === '/quotes') return quotes(body as QuotesRequest);
    return undefined;
  }

  function calendars(request: CalendarsRequest): CalendarsAnswer {
    return {
      calendars: operator.properties
        .filter(({ listing }) => request.properties.includes(listing.reference))
        .map(({ listing, periods }) => ({ property: listing.reference, periods: [...periods] })),
    };
  }

  function quotes(request: QuotesRequest): QuotesAnswer {
    asked.push(request);
    return { quotes: request.properties.flatMap((reference) => operator.quote(reference, request) ?? []) };
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
}

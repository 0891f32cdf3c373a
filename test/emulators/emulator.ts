import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer, type RequestKind } from './exchange.ts';
import { type FaultKind, SEND_WITH_FAULT, sendAnswer } from './faults.ts';
import type { EmulatedHome } from './homes.ts';
import { createRateCounter, type LimitUsage, type RateBudget, type RateLimit } from './rate-limits.ts';
import { createWebsite } from './website.ts';
import type { EmulatedWorld } from './world.ts';

export type EmulatorOptions = {
  readonly homes: readonly EmulatedHome[];
  readonly now: () => number;
  /** Limits that are off are counted all the same, but refuse nothing. */
  readonly limits?: 'documented' | 'off' | readonly { readonly requests: number; readonly perMs: number }[];
  readonly port?: number;
  /** The most entries on a page, in place of the vendor's own maximum. */
  readonly pageSize?: number;
};

export type FaultPlace = 'token' | 'catalogue' | 'calendar' | 'quote' | 'all';

export type LoggedRequest = {
  readonly at: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly kind: RequestKind;
  /** 0 when the connection was cut instead of answered. */
  readonly status: number;
  /** What was put on the connection for it so far, the head included. */
  readonly sentBytes: number;
};

export type Emulator = {
  /** The base address that a connector is configured with. */
  readonly url: string;
  /** Host and port of the homes' pictures and pages. */
  readonly websiteHost: string;
  readonly credentials: Readonly<Record<string, string>>;
  referenceOf(id: number): string;
  /** What the guest pays, in minor units, or why there is no such stay. Computed from the home, not from an answer. */
  priceOf(
    id: number,
    checkIn: string,
    checkOut: string,
    guests: number,
  ): { total: number; currency: string } | { refused: string };
  book(id: number, from: string, to: string): void;
  /** The home is offered no longer. */
  withdraw(id: number): void;
  readonly requests: readonly LoggedRequest[];
  readonly budget: RateBudget;
  tokensIssued(): number;
  /** Every token and key that was shown in a header so far. */
  secretsShown(): readonly string[];
  /** Every token given so far is rejected from now on, in the vendor's own way. */
  expireTokens(): void;
  /** `expired_token` happens once; the others last until they are changed. With `path`, only where the path with its query matches. */
  setFault(fault: FaultKind | null, where?: FaultPlace, path?: RegExp): void;
  /** Whether anybody followed the redirect of the fault. */
  redirectFollowed(): boolean;
  close(): Promise<void>;
};

/** What differs from vendor to vendor. */
export type EmulatedVendor = {
  readonly options: EmulatorOptions;
  readonly world: EmulatedWorld;
  readonly name: string;
  /** Of the address that a connector is configured with; routes see the whole path. */
  readonly basePath: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly documentedLimits: readonly RateLimit[];
  kindOf(request: EmulatedRequest): RequestKind;
  /** Honest, and only asked when no limit is exceeded. */
  route(request: EmulatedRequest): EmulatedAnswer;
  /** 1 unless told; 0 for a request that no limit counts. */
  costOf?(request: EmulatedRequest): number;
  /** The vendor's own 429, for the limit that is used up. */
  tooManyRequests(over: LimitUsage, request: EmulatedRequest): EmulatedAnswer;
  /** On every answer of a request that is counted. */
  limitHeaders?(usage: readonly LimitUsage[], request: EmulatedRequest): Readonly<Record<string, string>>;
  expiredToken(request: EmulatedRequest): EmulatedAnswer;
  serverError?(request: EmulatedRequest): EmulatedAnswer;
  tokensIssued(): number;
  expireTokens(): void;
  referenceOf(id: number): string;
};

export async function startEmulator(vendor: EmulatedVendor): Promise<Emulator> {
  const { options, world } = vendor;
  const enforced = options.limits !== 'off';
  const limits = typeof options.limits === 'object' ? options.limits : vendor.documentedLimits;
  const counter = createRateCounter(limits, options.now);
  const websiteAnswer = createWebsite(world.homes, vendor.referenceOf);
  const requests: LoggedRequest[] = [];
  const secrets = new Set<string>();
  let refused = 0;
  let redirects = 0;
  let active: { readonly fault: FaultKind; readonly where: FaultPlace; readonly path: RegExp } | null = null;

  const elsewhere = createServer((_request, response) => {
    redirects += 1;
    sendAnswer(response, jsonAnswer(200, {}));
  });
  const server = createServer(async (incoming, response) => {
    // A client that leaves is nobody's fault.
    response.on('error', () => undefined);
    const request = await readRequest(incoming, host).catch(() => null);
    if (!request) return;
    try {
      answer(request, response, incoming.url ?? '');
    } catch (cause) {
      response.destroy();
      throw new Error(`the emulator of ${vendor.name} cannot answer ${incoming.url}`, { cause });
    }
  });
  await listen(elsewhere, 0);
  const host = `127.0.0.1:${await listen(server, options.port ?? 0)}`;
  const redirectTo = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;

  function answer(request: EmulatedRequest, response: ServerResponse, path: string): void {
    const page = websiteAnswer(request);
    const kind = page ? 'other' : vendor.kindOf(request);
    const entry = { at: options.now(), method: request.method, path, kind, status: 0, sentBytes: 0 };
    requests.push(entry);
    for (const name of SECRET_HEADERS) {
      const secret = request.headers[name]?.replace(/^(?:Bearer|Basic) /i, '');
      if (secret !== undefined) secrets.add(secret);
    }
    const { socket } = response;
    const sentBefore = socket?.bytesWritten ?? 0;
    const noteAnswer = () => {
      entry.status = response.headersSent ? response.statusCode : 0;
      entry.sentBytes = (socket?.bytesWritten ?? 0) - sentBefore;
    };
    // A slow answer is sent later, or never.
    response.once('close', noteAnswer);
    if (page) sendAnswer(response, page);
    else answerApi(request, kind, path, response);
    noteAnswer();
  }

  function answerApi(
    request: EmulatedRequest,
    kind: RequestKind,
    path: string,
    response: ServerResponse,
  ): void {
    const cost = vendor.costOf?.(request) ?? 1;
    const over = counter.arrive(request, cost, enforced);
    const limitHeaders = cost === 0 ? {} : (vendor.limitHeaders?.(counter.usage(), request) ?? {});
    const withLimits = (honest: EmulatedAnswer) => ({
      ...honest,
      headers: { ...limitHeaders, ...honest.headers },
    });
    const fault = faultFor(kind, path);
    if (over && enforced) {
      refused += 1;
      sendAnswer(response, withLimits(vendor.tooManyRequests(over, request)));
    } else if (fault) {
      sendFaulty(fault, kind, request, response, withLimits);
    } else {
      sendAnswer(response, withLimits(vendor.route(request)));
    }
  }

  function sendFaulty(
    fault: FaultKind,
    kind: RequestKind,
    request: EmulatedRequest,
    response: ServerResponse,
    withLimits: (answer: EmulatedAnswer) => EmulatedAnswer,
  ): void {
    // A token that is asked for is used up with an answer that is spoilt, but not where the vendor has not come to answering.
    const isAnswered = kind !== 'token' || !ANSWERED_BY_NOBODY.has(fault);
    // Routed first, because the token that has just expired was good for the honest answer.
    const honest = isAnswered ? withLimits(vendor.route(request)) : jsonAnswer(200, {});
    if (fault === 'rate_limited') refused += 1;
    if (fault === 'expired_token') {
      active = null;
      if (kind !== 'token') vendor.expireTokens();
    }
    SEND_WITH_FAULT[fault](response, honest, {
      redirectTo,
      serverError: vendor.serverError?.(request) ?? jsonAnswer(500, { error: 'Internal Server Error' }),
      expiredToken: () => withLimits(vendor.expiredToken(request)),
      tooManyRequests: () => withLimits(vendor.tooManyRequests(usedUp(limits[0]), request)),
    });
  }

  function faultFor(kind: RequestKind, path: string): FaultKind | null {
    if (!active || (active.where !== 'all' && active.where !== kind) || !active.path.test(path)) return null;
    // Everywhere means wherever a token is shown.
    return active.fault === 'expired_token' && active.where === 'all' && kind === 'token'
      ? null
      : active.fault;
  }

  return {
    url: `http://${host}${vendor.basePath}`,
    websiteHost: host,
    credentials: vendor.credentials,
    referenceOf: vendor.referenceOf,
    priceOf(id, checkIn, checkOut, guests) {
      const stay = world.stay(id, checkIn, checkOut, guests);
      return 'refused' in stay ? stay : { total: stay.total, currency: stay.home.currency };
    },
    book: world.book,
    withdraw: world.withdraw,
    requests,
    get budget() {
      return { exceeded: counter.exceeded(), refused, most: counter.most() };
    },
    tokensIssued: vendor.tokensIssued,
    secretsShown: () => [...secrets],
    expireTokens: vendor.expireTokens,
    setFault(fault, where = 'all', path = /^/) {
      active = fault === null ? null : { fault, where, path };
    },
    redirectFollowed: () => redirects > 0,
    async close() {
      await Promise.all([server, elsewhere].map(closeServer));
    },
  };
}

const SECRET_HEADERS = ['authorization', 'x-apikey', 'token', 'refreshtoken'] as const;

/** Of these the honest answer is no part. */
const ANSWERED_BY_NOBODY: ReadonlySet<FaultKind> = new Set([
  'error_500',
  'html_error_page',
  'redirect',
  'expired_token',
  'connection_reset',
  'rate_limited',
]);

function usedUp(limit: RateLimit = { requests: 1, perMs: 1000 }): LimitUsage {
  return { limit, used: limit.requests, remaining: 0, resetsInMs: limit.perMs, emptyInMs: limit.perMs };
}

async function readRequest(incoming: IncomingMessage, host: string): Promise<EmulatedRequest> {
  const url = new URL(incoming.url ?? '/', `http://${host}`);
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value[0] : value,
      ]),
    ),
    body: await text(incoming),
    host,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

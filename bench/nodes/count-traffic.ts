import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, mapConcurrently } from '../client.ts';
import { mustBeResult, openSessions, resultPath, searchPath, stay } from '../sessions.ts';
import { untilTaken } from '../until-taken.ts';
import { type NodeParts, originsOf } from './node-parts.ts';
import { createSpreadClient } from './spread-client.ts';
import type { ServerReadings } from './store-servers.ts';

/** What one request of a kind asks of the servers. */
export type Traffic = ServerReadings & {
  /** What the nodes sent, a script counting as one. */
  readonly redisMessages: number;
  readonly postgresStatements: number;
};

export type CountedKind = 'opening' | 'step' | 'read' | 'search' | 'result';

export type TrafficCounted = {
  readonly sessions: number;
  readonly of: Readonly<Record<CountedKind, Traffic>>;
  /** Of one, in Redis, with all that is kept because of it. */
  readonly sessionBytes: number;
  readonly sessionWithResultBytes: number;
  /** In PostgreSQL, with its indexes. */
  readonly quoteBytes: number;
  /** In a second, of a node that nobody asks anything. */
  readonly idleNode: Pick<Traffic, 'redisCommands' | 'postgresTransactions'>;
};

export type TrafficWork = { readonly sessions: number; readonly idleSeconds: number };

const AT_A_TIME = 32;
const QUOTES_A_SEARCH = 20;
const QUOTES = 'SELECT count(*) FROM issued_quote';
const LEDGER_WITHIN_MS = 30_000;

/** Every kind of request so many times, to four nodes, with nothing else under way. */
export async function countTraffic(
  parts: NodeParts,
  { sessions, idleSeconds }: TrafficWork,
): Promise<TrafficCounted> {
  const { servers, services } = parts;
  const client = createSpreadClient(originsOf(services[4]), AT_A_TIME);
  let tokens: readonly string[] = [];
  const forEachSession = (send: (token: string, ordinal: number) => Promise<unknown>) =>
    mapConcurrently(tokens, AT_A_TIME, send);
  const countOf = async (work: () => Promise<unknown>) => {
    const before = await trafficOf(parts);
    await work();
    return perRequest(before, await trafficOf(parts), sessions);
  };

  try {
    const bytesBefore = await servers.redisDataBytes();
    const quotesBefore = await servers.askPostgres(QUOTES);
    const opening = await countOf(async () => {
      tokens = await openSessions(client, sessions);
    });
    const step = await countOf(() => forEachSession((token, ordinal) => sendFirst(client, token, ordinal)));
    const read = await countOf(() =>
      forEachSession((token) => untilTaken(() => client.post(searchPath(token), {}))),
    );
    const bytesOpen = await servers.redisDataBytes();
    const search = await countOf(async () => {
      await forEachSession((token, ordinal) => sendLast(client, token, ordinal));
      await untilLedgerHas(parts, quotesBefore + sessions * QUOTES_A_SEARCH);
    });
    const bytesComplete = await servers.redisDataBytes();
    const result = await countOf(() =>
      forEachSession((token) => untilTaken(() => client.get(resultPath(token)))),
    );
    const quoteBytes =
      (await servers.askPostgres("SELECT pg_total_relation_size('issued_quote')")) /
      (await servers.askPostgres(QUOTES));
    return {
      sessions,
      of: { opening, step, read, search, result },
      sessionBytes: (bytesOpen - bytesBefore) / sessions,
      sessionWithResultBytes: (bytesComplete - bytesBefore) / sessions,
      quoteBytes,
      idleNode: await idleNode(parts, idleSeconds),
    };
  } finally {
    await client.close();
  }
}

function sendFirst(client: Client, token: string, ordinal: number) {
  const path = `${searchPath(token)}&idempotency_key=first-${ordinal}`;
  return untilTaken(() => client.post(path, stay(ordinal).first));
}

async function sendLast(client: Client, token: string, ordinal: number): Promise<void> {
  const path = `${searchPath(token)}&idempotency_key=last-${ordinal}`;
  mustBeResult((await untilTaken(() => client.post(path, stay(ordinal).last))).text);
}

/** Quotes are sent to the ledger a little after they were shown. */
async function untilLedgerHas({ servers }: NodeParts, quotes: number): Promise<void> {
  const deadline = performance.now() + LEDGER_WITHIN_MS;
  while ((await servers.askPostgres(QUOTES)) < quotes) {
    if (performance.now() > deadline) throw new Error('quotes are missing from the ledger');
    await sleep(50);
  }
}

async function idleNode(parts: NodeParts, seconds: number): Promise<TrafficCounted['idleNode']> {
  const before = await trafficOf(parts);
  await sleep(seconds * 1000);
  const after = await trafficOf(parts);
  return perRequest(before, after, seconds * parts.services[4].length);
}

async function trafficOf({ servers, services }: NodeParts): Promise<Traffic> {
  const sent = await Promise.all(
    services[4].map((node) => node.ask<{ redis: number; postgres: number }>('commandsSent')),
  );
  return {
    ...(await servers.readings()),
    redisMessages: sent.reduce((sum, { redis }) => sum + redis, 0),
    postgresStatements: sent.reduce((sum, { postgres }) => sum + postgres, 0),
  };
}

function perRequest(before: Traffic, after: Traffic, requests: number): Traffic {
  const each = (reading: keyof Traffic) => (after[reading] - before[reading]) / requests;
  return {
    redisCommands: each('redisCommands'),
    redisBytesIn: each('redisBytesIn'),
    redisBytesOut: each('redisBytesOut'),
    redisMessages: each('redisMessages'),
    postgresTransactions: each('postgresTransactions'),
    postgresLogBytes: each('postgresLogBytes'),
    postgresStatements: each('postgresStatements'),
  };
}

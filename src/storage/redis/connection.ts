import { hash } from 'node:crypto';
import { Cluster, Redis, ReplyError } from 'ioredis';
import { type Clock, systemClock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

type Client = Redis | Cluster;

/** Keys first, then arguments, as the script numbers them. */
export type Script<Reply> = (...keysAndArguments: readonly (string | number | Buffer)[]) => Promise<Reply>;

type ScriptDefinition = { readonly keys: number; readonly lua: string };

/** One connection to Redis, or to each node of its cluster, which comes back by itself. */
export type RedisConnection = {
  /** Every failure is a `StorageFailure`. Nothing is sent while the connection is down, and nothing is sent again. */
  ask<Reply>(call: (client: Client) => Promise<Reply>): Promise<Reply>;
  /** All keys of one call must share a hash tag. The server keeps the script; when it forgot it, it is sent again. */
  script<Reply>(definition: ScriptDefinition): Script<Reply>;
  isReachable(): boolean;
  /** Whether it ever was. */
  wasReached(): boolean;
  /** Calls at once where the connection is up, and after each time that it came back, until the returned function is called. */
  whenReady(action: () => void): () => void;
  close(): Promise<void>;
};

/** Long for a network in which servers stand side by side, short for somebody who waits. */
const DEADLINE_MS = 1000;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1000;

/** Resolves once it is connected, or after a first attempt in vain: a node starts and serves what it can without Redis. */
export async function openRedis({
  url,
  deadlineMs = DEADLINE_MS,
  report = () => {},
  onAnswered,
  clock = systemClock,
}: {
  /** `redis:` or `rediss:`, with user, password and database; `?cluster=true` for a cluster, of which it names any node. */
  readonly url: string;
  /** For each command. More for those that block. */
  readonly deadlineMs?: number;
  /** Told once when the connection is lost, and once when it is back. */
  readonly report?: (text: string) => void;
  /** Told how long each command took that was answered. */
  readonly onAnswered?: (seconds: number) => void;
  readonly clock?: Pick<Clock, 'elapsed'>;
}): Promise<RedisConnection> {
  const client = connect(new URL(url), deadlineMs);
  let connections = 0;
  let isLost = false;
  let isClosing = false;
  let lastError = '';
  let selecting: Promise<void> | undefined;
  // Also keeps ioredis from printing them.
  client.on('error', (error: Error) => {
    lastError = error.message;
  });
  client.on('close', () => {
    if (!isLost && !isClosing) report(`Redis is unreachable. ${lastError}`.trim());
    isLost = true;
  });
  client.on('ready', () => {
    selecting = selectDatabase();
    // A server that was away at the start may lack it too: then nobody waits for this.
    selecting.catch((failure: Error) => report(failure.message));
    connections += 1;
    if (isLost) report('Redis answers again.');
    isLost = false;
  });
  const isReachable = () => client.status === 'ready';

  /** ioredis would go on with the first database where the server lacks the one that is named, among the sessions of whoever uses that. */
  async function selectDatabase(): Promise<void> {
    const database = databaseIn(url);
    if (database === 0) return;
    try {
      await client.select(database);
    } catch (error) {
      if (!(error instanceof ReplyError)) return;
      client.disconnect();
      throw new StorageFailure('refused', `Redis has no database ${database}.`, { cause: error });
    }
  }

  async function ask<Reply>(call: (client: Client) => Promise<Reply>): Promise<Reply> {
    const startedAt = onAnswered ? clock.elapsed() : 0;
    try {
      const reply = await call(client);
      onAnswered?.((clock.elapsed() - startedAt) / 1000);
      return reply;
    } catch (error) {
      throw failureOf(error);
    }
  }

  await new Promise<void>((resolve) => {
    client.once('ready', resolve);
    client.once('close', resolve);
  });
  await selecting;

  return {
    ask,
    script<Reply>({ keys, lua }: ScriptDefinition): Script<Reply> {
      const sha = hash('sha1', lua);
      let sentOn = -1;
      // Not by `defineCommand`: commands that are defined while others wait to be sent break all that follow.
      return (...given) =>
        ask(async () => {
          const isKnown = sentOn === connections;
          sentOn = connections;
          const run = (known: boolean) =>
            known ? client.evalsha(sha, keys, ...given) : client.eval(lua, keys, ...given);
          return run(isKnown).catch((error: unknown) => {
            if (isKnown && isForgottenScript(error)) return run(false);
            throw error;
          }) as Promise<Reply>;
        });
    },
    isReachable,
    wasReached: () => connections > 0,
    whenReady(action) {
      client.on('ready', action);
      if (isReachable()) action();
      return () => client.off('ready', action);
    },
    async close() {
      isClosing = true;
      client.disconnect();
    },
  };
}

function databaseIn(url: string): number {
  return Number(new URL(url).pathname.slice(1));
}

function connect(url: URL, deadlineMs: number): Client {
  const isCluster = url.searchParams.get('cluster') === 'true';
  url.searchParams.delete('cluster');
  const retryStrategy = (times: number) => Math.min(FIRST_RETRY_MS * 2 ** (times - 1), MAX_RETRY_MS);
  const options = {
    connectTimeout: deadlineMs,
    commandTimeout: deadlineMs,
    // A server that hangs keeps its connection: without this, whatever waits behind its silence would wait in turn.
    socketTimeout: deadlineMs,
    // What was sent may have been carried out, so whoever asked is told at once that nobody knows.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    // After a failover the old primary refuses to write, and its address leads to the new one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    connectionName: 'staywire',
  };
  if (!isCluster) return new Redis(url.href, { ...options, enableOfflineQueue: false, retryStrategy });
  return new Cluster([{ host: url.hostname, port: Number(url.port || 6379) }], {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: deadlineMs,
    redisOptions: {
      ...options,
      ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

/** It was not carried out, so it can be sent again. */
function isForgottenScript(error: unknown): boolean {
  return error instanceof ReplyError && String(error).includes('NOSCRIPT');
}

/** What a server answers that cannot take the change. */
const REFUSALS: readonly (readonly [start: string, kind: StorageFailureKind])[] = [
  ['OOM', 'full'],
  ['MISCONF', 'full'],
  ['WRONGTYPE', 'corrupt'],
  ['ERR', 'input_output'],
];

/** What is said before anything is carried out: by a server in another state than it should be, or by a client without a connection. */
const NOT_CARRIED_OUT =
  /^(READONLY|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|NOAUTH|NOPERM|WRONGPASS|Stream isn't writeable)/;

function failureOf(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const known =
    error instanceof ReplyError ? REFUSALS.find(([start]) => message.startsWith(start)) : undefined;
  // Without its cause, which holds what was sent, also the password, and would be logged.
  return new StorageFailure(known?.[1] ?? 'unreachable', `Redis: ${message}`, {
    wasNotCarriedOut: NOT_CARRIED_OUT.test(message),
  });
}

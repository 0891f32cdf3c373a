import { hash } from 'node:crypto';
import { Cluster, Redis, ReplyError } from 'ioredis';
import { type Clock, systemClock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

type Client = Redis | Cluster;

/** Takes the keys first, then the arguments, as the script numbers them. */
type Script<Reply> = (...keysAndArguments: readonly (string | number | Buffer)[]) => Promise<Reply>;

type ScriptDefinition = { readonly keys: number; readonly lua: string };

/** One connection to Redis, or to each node of its cluster. Reconnects by itself. */
export type RedisConnection = {
  /** Every failure is a `StorageFailure`. Sends nothing while the connection is down, and repeats nothing. */
  ask<Reply>(call: (client: Client) => Promise<Reply>): Promise<Reply>;
  /** All keys of one call must share a hash tag. The server caches the script; a script that it has lost is sent again. */
  script<Reply>(definition: ScriptDefinition): Script<Reply>;
  isReachable(): boolean;
  /** Whether it was ever reachable. */
  wasReached(): boolean;
  /** Calls `action` now if the connection is up, and after every reconnect, until the returned function is called. */
  whenReady(action: () => void): () => void;
  close(): Promise<void>;
};

/** Long for a local network, short for a client that waits. */
const DEADLINE_MS = 1000;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1000;

/** Resolves once it is connected, or after a first failed attempt: a node can start without Redis. */
export async function openRedis({
  url,
  deadlineMs = DEADLINE_MS,
  report = () => {},
  onAnswered,
  clock = systemClock,
}: {
  /** `redis:` or `rediss:`, with user, password and database; `?cluster=true` for a cluster, of which it names any node. */
  readonly url: string;
  /** For each command. Longer for commands that block. */
  readonly deadlineMs?: number;
  /** Called once when the connection is lost, and once when it is back. */
  readonly report?: (text: string) => void;
  /** Called with the duration of each answered command. */
  readonly onAnswered?: (seconds: number) => void;
  readonly clock?: Pick<Clock, 'elapsed'>;
}): Promise<RedisConnection> {
  const client = connect(new URL(url), deadlineMs);
  let connections = 0;
  let isLost = false;
  let isClosing = false;
  let lastError = '';
  let selecting: Promise<void> | undefined;
  // The listener also keeps ioredis from printing errors.
  client.on('error', (error: Error) => {
    lastError = error.message;
  });
  client.on('close', () => {
    if (!isLost && !isClosing) report(`Redis is unreachable. ${lastError}`.trim());
    isLost = true;
  });
  client.on('ready', () => {
    selecting = selectDatabase();
    // After a reconnect no caller awaits this, but the database may be missing then too.
    selecting.catch((failure: Error) => report(failure.message));
    connections += 1;
    if (isLost) report('Redis answers again.');
    isLost = false;
  });
  const isReachable = () => client.status === 'ready';

  /** Without the named database, ioredis would continue with the first one, among the sessions of another service. */
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
      // Not by `defineCommand`: defining a command while others wait to be sent breaks all that follow.
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
    // A server that hangs keeps its connection open: without this, each command queued behind it would time out in turn.
    socketTimeout: deadlineMs,
    // A sent command may have been executed, so its caller fails immediately with an unknown outcome.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    // After a failover the old primary refuses writes, and its address resolves to the new one.
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

/** It was not executed, so it can be sent again. */
function isForgottenScript(error: unknown): boolean {
  return error instanceof ReplyError && String(error).includes('NOSCRIPT');
}

/** Replies of a server that cannot take the change. */
const REFUSALS: readonly (readonly [start: string, kind: StorageFailureKind])[] = [
  ['OOM', 'full'],
  ['MISCONF', 'full'],
  ['WRONGTYPE', 'corrupt'],
  ['ERR', 'input_output'],
];

/** Errors from before anything is executed: a server in the wrong state, or a client without a connection. */
const NOT_CARRIED_OUT =
  /^(READONLY|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|NOAUTH|NOPERM|WRONGPASS|Stream isn't writeable)/;

function failureOf(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const known =
    error instanceof ReplyError ? REFUSALS.find(([start]) => message.startsWith(start)) : undefined;
  // Without its cause, which would be logged and contains the command, including the password.
  return new StorageFailure(known?.[1] ?? 'unreachable', `Redis: ${message}`, {
    wasNotCarriedOut: NOT_CARRIED_OUT.test(message),
  });
}

/**
 * The beginning of a script that reads the time: Redis' own, so that no node's clock decides, unless tests pass a time in milliseconds as
 * the first argument.
 */
export const READ_TIME = `
local function timeNow()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local now = timeNow()

-- Others may need the key for longer.
local function keepFor(key, milliseconds)
  if redis.call('PTTL', key) < milliseconds then redis.call('PEXPIRE', key, math.ceil(milliseconds)) end
end
`;

/** Removes a key if it still has its holder's value: an expired key may belong to another holder by now. */
export function releaseScript(redis: Pick<RedisConnection, 'script'>): Script<number> {
  return redis.script<number>({
    keys: 1,
    lua: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
  });
}

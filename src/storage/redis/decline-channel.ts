import { type BrandId, brandOfProperty } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import {
  DECLINE_MEMORY_MS,
  type DeclineChannel,
  type DeclinedStay,
  type OnDecline,
} from '../../sync/decline-channel.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { serverNow } from './server-state.ts';

/**
 * Of each brand: five a second for as long as they are told, in half a megabyte. Of a brand that refuses more, the latest are kept; what
 * it loses are refusals of its own.
 */
const MAX_KEPT = 3000;
/** Once the last entry is too old to be told, the whole stream goes. */
const KEPT_MS = DECLINE_MEMORY_MS + 60_000;
const BLOCK_MS = 5000;
/** Of each stream. */
const MAX_READ = 100;
/** Each may be withdrawn from the index, which takes a fraction of a millisecond. */
const TAKEN_A_TURN = 10;
/** A read names every brand, so what many nodes tell in the same moment is gathered. */
const GATHER_MS = 50;
const PAUSE_AFTER_FAILURE_MS = 500;

const TELL = {
  keys: 1,
  lua: `
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'node', ARGV[2], 'refused', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])`,
};

type StreamEntry = readonly [id: string, fields: readonly string[]];
type StreamEntries = readonly [stream: string, entries: readonly StreamEntry[]];

/** A stream for each brand, which all nodes read, each from where it stopped: what is told while a connection is down is read after it. */
export function createRedisDeclineChannel({
  redis,
  url,
  prefix,
  node,
  clock,
}: {
  readonly redis: RedisConnection;
  /** Whoever waits for news has a connection of its own. */
  readonly url: string;
  readonly prefix: string;
  /** Whose own news need not come back to it. */
  readonly node: string;
  readonly clock: Pick<Clock, 'after'>;
}): DeclineChannel {
  const tell = redis.script<null>(TELL);
  /** All in one slot, so that one command reads them. */
  const streamOf = (brand: BrandId) => `${prefix}:refusals:{news}:${brand}`;

  function takeEntry([id, fields]: StreamEntry, now: number, take: OnDecline): void {
    if (fieldOf(fields, 'node') === node) return;
    const refused = readRefused(fieldOf(fields, 'refused'));
    const toldAt = Number(id.split('-')[0]);
    if (refused) take(refused, Math.max(0, now - toldAt));
  }

  return {
    tell(refused) {
      const stream = streamOf(brandOfProperty(refused.property));
      // The node that was refused knows it, and the others learn it from their own readings of the operator.
      tell(stream, MAX_KEPT, node, JSON.stringify(refused), KEPT_MS).catch(() => {});
    },

    hear(brands, take) {
      const streams = brands.map(streamOf);
      if (streams.length === 0) return { caughtUp: Promise.resolve(), stop: async () => {} };
      const caughtUp = Promise.withResolvers<void>();
      /** The last entry that was taken of each stream. */
      const lastOf = new Map<string, string>();
      let since: string | undefined;
      let isStopped = false;
      let wake = () => {};
      // Where it is refused, so was the connection that everything else goes by, which says so.
      const opening = openRedis({ url, deadlineMs: BLOCK_MS + 2000 }).catch(() => undefined);

      /** Waits for news only where it is known to have read all. */
      async function read(connection: RedisConnection, mayWait: boolean): Promise<readonly StreamEntries[]> {
        since ??= `${Math.floor(await serverNow(connection)) - DECLINE_MEMORY_MS}-0`;
        const first = since;
        const after = streams.map((stream) => lastOf.get(stream) ?? first);
        const found = await connection.ask((client) =>
          mayWait
            ? client.xread('COUNT', MAX_READ, 'BLOCK', BLOCK_MS, 'STREAMS', ...streams, ...after)
            : client.xread('COUNT', MAX_READ, 'STREAMS', ...streams, ...after),
        );
        return (found ?? []) as readonly StreamEntries[];
      }

      async function takeAll(found: readonly StreamEntries[], now: number): Promise<void> {
        const entries = found.flatMap(([stream, some]) => some.map((entry) => ({ stream, entry })));
        await inTurns(entries, TAKEN_A_TURN, ({ stream, entry }) => {
          if (isStopped) return;
          lastOf.set(stream, entry[0]);
          takeEntry(entry, now, take);
        });
      }

      async function pause(milliseconds: number): Promise<void> {
        if (isStopped) return;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(milliseconds, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }

      async function readOn(): Promise<void> {
        const connection = await opening;
        if (!connection) return caughtUp.resolve();
        let hasReadAll = false;
        while (!isStopped) {
          try {
            const found = await read(connection, hasReadAll);
            if (found.length > 0) await takeAll(found, await serverNow(connection));
            hasReadAll = found.every(([, entries]) => entries.length < MAX_READ);
            if (hasReadAll) caughtUp.resolve();
            if (hasReadAll && found.length > 0) await pause(GATHER_MS);
          } catch {
            caughtUp.resolve();
            await pause(PAUSE_AFTER_FAILURE_MS);
          }
        }
      }

      const reading = readOn();
      return {
        caughtUp: caughtUp.promise,
        async stop() {
          isStopped = true;
          wake();
          caughtUp.resolve();
          await (await opening)?.close();
          await reading;
        },
      };
    },
  };
}

/** Nodes of the next release may tell of other things. */
function readRefused(text: string | undefined): DeclinedStay | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as DeclinedStay);
  } catch {
    return undefined;
  }
}

/** Names and values stand in turn. */
function fieldOf(fields: readonly string[], name: string): string | undefined {
  const at = fields.findIndex((field, place) => place % 2 === 0 && field === name);
  return at === -1 ? undefined : fields[at + 1];
}

import { type BrandId, brandOfProperty } from '../../catalogue/catalogue.ts';
import { type Clock, pauseFor } from '../../clock.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { jsonIn } from '../../parsing/reading.ts';
import {
  DECLINE_MEMORY_MS,
  type DeclineChannel,
  type DeclinedStay,
  type OnDecline,
} from '../../sync/decline-channel.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { serverNow } from './server-state.ts';

/**
 * Per brand: five a second for as long as they are delivered, in half a megabyte. Of a brand that declines more often, the oldest are lost;
 * other brands lose none.
 */
const MAX_ENTRIES = 3000;
/** The whole stream expires once its last entry is too old to be delivered. */
const STREAM_LIFE_MS = DECLINE_MEMORY_MS + 60_000;
const BLOCK_MS = 5000;
/** Entries of each stream per read. */
const MAX_READ = 100;
/** Each may be withdrawn from the index, which takes a fraction of a millisecond. */
const TAKEN_A_TURN = 10;
const PAUSE_AFTER_FAILURE_MS = 500;

const PUBLISH = {
  keys: 1,
  lua: `
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'node', ARGV[2], 'refused', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])`,
};

type StreamEntry = readonly [id: string, fields: readonly string[]];
type StreamEntries = readonly [stream: string, entries: readonly StreamEntry[]];

/** A stream for each brand, which every node reads from where it stopped, also after its connection was down. */
export function createRedisDeclineChannel({
  redis,
  url,
  prefix,
  node,
  clock,
}: {
  readonly redis: RedisConnection;
  /** A subscription opens its own connection, because its reads block. */
  readonly url: string;
  readonly prefix: string;
  /** The node skips its own entries. */
  readonly node: string;
  readonly clock: Pick<Clock, 'after'>;
}): DeclineChannel {
  const publish = redis.script<null>(PUBLISH);
  /** All in one slot, so that one command reads them. */
  const streamOf = (brand: BrandId) => `${prefix}:refusals:{news}:${brand}`;

  function takeEntry([id, fields]: StreamEntry, now: number, take: OnDecline): void {
    if (fieldOf(fields, 'node') === node) return;
    // Nodes of the next release may publish other entries.
    const refused = jsonIn(fieldOf(fields, 'refused') ?? '') as DeclinedStay | undefined;
    const publishedAt = Number(id.split('-')[0]);
    if (refused) take(refused, Math.max(0, now - publishedAt));
  }

  return {
    publish(refused) {
      const stream = streamOf(brandOfProperty(refused.property));
      // A failure costs little: this node knows the decline, and the others learn it from their own calls.
      publish(stream, MAX_ENTRIES, node, JSON.stringify(refused), STREAM_LIFE_MS).catch(() => {});
    },

    subscribe(brands, take) {
      const streams = brands.map(streamOf);
      if (streams.length === 0) return { caughtUp: Promise.resolve(), stop: async () => {} };
      const caughtUp = Promise.withResolvers<void>();
      /** The last entry that was taken of each stream. */
      const lastOf = new Map<string, string>();
      let since: string | undefined;
      const stopping = new AbortController();
      // If this is refused, so was the main connection, which reports it.
      const opening = openRedis({ url, deadlineMs: BLOCK_MS + 2000 }).catch(() => undefined);

      /** Blocks for new entries only once it has read all existing ones. */
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
          if (stopping.signal.aborted) return;
          lastOf.set(stream, entry[0]);
          takeEntry(entry, now, take);
        });
      }

      async function readOn(): Promise<void> {
        const connection = await opening;
        if (!connection) return caughtUp.resolve();
        let hasReadAll = false;
        while (!stopping.signal.aborted) {
          try {
            const found = await read(connection, hasReadAll);
            if (found.length > 0) await takeAll(found, await serverNow(connection));
            hasReadAll = found.every(([, entries]) => entries.length < MAX_READ);
            if (hasReadAll) caughtUp.resolve();
          } catch {
            caughtUp.resolve();
            await pauseFor(PAUSE_AFTER_FAILURE_MS, clock, stopping.signal);
          }
        }
      }

      const reading = readOn();
      return {
        caughtUp: caughtUp.promise,
        async stop() {
          stopping.abort();
          caughtUp.resolve();
          await (await opening)?.close();
          await reading;
        },
      };
    },
  };
}

/** `fields` alternates names and values. */
function fieldOf(fields: readonly string[], name: string): string | undefined {
  const at = fields.findIndex((field, place) => place % 2 === 0 && field === name);
  return at === -1 ? undefined : fields[at + 1];
}

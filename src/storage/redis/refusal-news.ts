import type { Clock } from '../../clock.ts';
import { REFUSAL_MEMORY_MS, type RefusalNews, type RefusedStayNews } from '../../sync/refusal-news.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { serverNow } from './server-time.ts';

/** Far more than operators refuse in the time for which it is told. */
const MAX_KEPT = 10_000;
const BLOCK_MS = 5000;
const MAX_READ = 200;
const PAUSE_AFTER_FAILURE_MS = 500;

type StreamEntry = readonly [id: string, fields: readonly string[]];

/** A stream that all nodes read, each from where it stopped: what is told while a connection is down is read after it. */
export function createRedisRefusalNews({
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
}): RefusalNews {
  const stream = `${prefix}:refusals`;

  function tellOf([id, fields]: StreamEntry, now: number, take: Parameters<RefusalNews['hear']>[0]): void {
    const text = fieldOf(fields, 'refused');
    // Nodes of the next release may tell of other things.
    if (text === undefined || fieldOf(fields, 'node') === node) return;
    const toldAt = Number(id.split('-')[0]);
    take(JSON.parse(text) as RefusedStayNews, Math.max(0, now - toldAt));
  }

  return {
    tell(refused) {
      redis
        .ask((client) =>
          client.xadd(stream, 'MAXLEN', '~', MAX_KEPT, '*', 'node', node, 'refused', JSON.stringify(refused)),
        )
        // The node that was refused knows it, and the others learn it from their own readings of the operator.
        .catch(() => {});
    },

    hear(take) {
      let isStopped = false;
      let wake = () => {};
      let last: string | undefined;
      const opening = openRedis({ url, deadlineMs: BLOCK_MS + 2000 });

      async function read(connection: RedisConnection): Promise<void> {
        last ??= `${Math.floor(await serverNow(connection)) - REFUSAL_MEMORY_MS}-0`;
        const after = last;
        const streams = await connection.ask((client) =>
          client.xread('COUNT', MAX_READ, 'BLOCK', BLOCK_MS, 'STREAMS', stream, after),
        );
        const entries = (streams?.[0]?.[1] ?? []) as readonly StreamEntry[];
        if (entries.length === 0) return;
        const now = await serverNow(connection);
        for (const entry of entries) {
          last = entry[0];
          tellOf(entry, now, take);
        }
      }

      async function readOn(): Promise<void> {
        const connection = await opening;
        while (!isStopped) {
          try {
            await read(connection);
          } catch {
            if (isStopped) return;
            await new Promise<void>((resolve) => {
              const cancel = clock.after(PAUSE_AFTER_FAILURE_MS, resolve);
              wake = () => {
                cancel();
                resolve();
              };
            });
          }
        }
      }

      const reading = readOn();
      return {
        async stop() {
          isStopped = true;
          wake();
          await (await opening).close();
          await reading;
        },
      };
    },
  };
}

/** Names and values stand in turn. */
function fieldOf(fields: readonly string[], name: string): string | undefined {
  const at = fields.findIndex((field, place) => place % 2 === 0 && field === name);
  return at === -1 ? undefined : fields[at + 1];
}

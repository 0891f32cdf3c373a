import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { createOneAtATime } from '../../limits/keyed-mutex.ts';
import { seal, unseal } from '../../parsing/sealed-text.ts';
import type { Random } from '../../random.ts';
import { MAX_REPEAT_MS, type NewOpenings, type OpeningId } from '../../sessions/recent-openings.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { type RedisConnection, releaseScript } from './connection.ts';

/** Longer than opening a session takes, with every command at its deadline. */
const LOCK_MS = 10_000;
const POLL_MS = 25;
const MAX_POLLS = (2 * LOCK_MS) / POLL_MS;

/**
 * Openings for all nodes. An opening is valid while a marker exists in the slot of its session, so that using the session needs no knowledge
 * of the key. It contains a token, so it is sealed; a session is named by its hash, because callers may name it by its token.
 */
export function createRedisOpenings({
  redis,
  prefix,
  key,
  random,
  clock,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  /** For AES-256, the same on all nodes, and not in Redis. */
  readonly key: Uint8Array;
  readonly random: Random;
  readonly clock: Pick<Clock, 'after'>;
}): NewOpenings {
  const unlock = releaseScript(redis);

  return <Opened>(purpose: string) => {
    const inTurnHere = createOneAtATime();
    const openingKey = (id: OpeningId) => `${prefix}:opening:${purpose}:{${id}}`;
    const lockKey = (id: OpeningId) => `${prefix}:opening-lock:${purpose}:{${id}}`;
    const unusedKey = (session: string) => `${prefix}:unused:${purpose}:{${session}}`;
    const sealedFor = (id: OpeningId) => `opening ${purpose} ${id}`;
    const nameOf = (session: string) => hash('sha256', session, 'base64url');

    async function lock(id: OpeningId, holder: string): Promise<void> {
      for (let polls = 0; polls < MAX_POLLS; polls += 1) {
        const isMine = await redis.ask((client) => client.set(lockKey(id), holder, 'PX', LOCK_MS, 'NX'));
        if (isMine) return;
        await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
      }
      throw new StorageFailure('busy', 'Others are opening sessions under the same key.');
    }

    return {
      inTurn: (id, work) =>
        inTurnHere(id, async () => {
          const holder = random.bytes(12).toString('base64url');
          await lock(id, holder);
          try {
            return await work();
          } finally {
            // Not awaited: the next caller uses this connection too, or polls.
            void unlock(lockKey(id), holder).catch(() => {});
          }
        }),

      async find(id) {
        const stored = await redis.ask((client) => client.get(openingKey(id)));
        if (stored === null) return undefined;
        const [session = '', sealed = ''] = stored.split(' ');
        const isUnused = await redis.ask((client) => client.exists(unusedKey(session)));
        const text = isUnused ? unseal(sealed, key, sealedFor(id)) : undefined;
        return text === undefined ? undefined : (JSON.parse(text) as Opened);
      },

      async remember(id, session, opened) {
        const name = nameOf(session);
        const text = `${name} ${seal(JSON.stringify(opened), key, sealedFor(id), random)}`;
        await Promise.all([
          redis.ask((client) => client.set(unusedKey(name), '', 'PX', MAX_REPEAT_MS)),
          redis.ask((client) => client.set(openingKey(id), text, 'PX', MAX_REPEAT_MS)),
        ]);
      },

      async forget(session) {
        await redis.ask((client) => client.del(unusedKey(nameOf(session))));
      },
    };
  };
}

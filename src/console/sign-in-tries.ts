import type { Clock } from '../clock.ts';

/** Wrong passwords a minute, over all strangers: a limit for each address would not help, because addresses are cheap. */
const MAX_TRIES = 5;
const MINUTE_MS = 60_000;

export type TryResult<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** A browser that was signed in before has tries of its own, so that strangers cannot lock the owner out. */
export type WhoTries = 'stranger' | 'known';

/** Limits tries of a password: a few a minute, and one at a time, because each takes 128 MB. A right one is not counted. */
export function createSignInTries(clock: Pick<Clock, 'elapsed'>) {
  const tries: Readonly<Record<WhoTries, number[]>> = { stranger: [], known: [] };
  let last: Promise<unknown> = Promise.resolve();

  return async function attempt(
    isRight: () => Promise<boolean>,
    who: WhoTries = 'stranger',
  ): Promise<TryResult<boolean>> {
    const triedAt = tries[who];
    const now = clock.elapsed();
    while (triedAt[0] !== undefined && now - triedAt[0] >= MINUTE_MS) triedAt.shift();
    const [first] = triedAt;
    if (first !== undefined && triedAt.length >= MAX_TRIES) {
      return { kind: 'too_many', retryAfterSeconds: Math.ceil((first + MINUTE_MS - now) / 1000) };
    }
    triedAt.push(now);
    const turn = last.then(isRight);
    last = turn.catch(() => undefined);
    const value = await turn;
    const counted = triedAt.indexOf(now);
    if (value && counted >= 0) triedAt.splice(counted, 1);
    return { kind: 'done', value };
  };
}

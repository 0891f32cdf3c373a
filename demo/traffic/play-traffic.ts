import type { Clock } from '../../src/clock.ts';
import { seededBy } from '../seeded.ts';
import { wishOf } from './demand.ts';
import { playSession } from './play-session.ts';
import { createTally, type Tally } from './tally.ts';
import type { TrafficClient } from './traffic-client.ts';

const MS_PER_DAY = 86_400_000;

/** Plays the sessions, so many of them at a time, in the order of their numbers. What people wish for follows from seed and day alone. */
export async function playTraffic({
  client,
  sessions,
  seed,
  atOnce,
  clock,
  onPlayed = () => undefined,
}: {
  readonly client: TrafficClient;
  readonly sessions: number;
  readonly seed: string;
  readonly atOnce: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly onPlayed?: (tally: Tally) => void;
}): Promise<Tally> {
  const tally = createTally();
  const today = Math.floor(clock.now() / MS_PER_DAY);
  let next = 0;
  async function playSome(): Promise<void> {
    while (next < sessions) {
      const number = next;
      next += 1;
      const seeded = seededBy(`${seed} session ${number}`);
      await playSession(wishOf(seed, number, today), { client, seeded, tally });
      onPlayed(tally);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, playSome));
  return tally;
}

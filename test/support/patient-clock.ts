import type { FakeClock } from './fake-clock.ts';

export type PatientClock = FakeClock & {
  /** Like `advance`, for work that gives turns to the event loop and sets its timers only after that. */
  pass(milliseconds: number): Promise<void>;
  /** Lets time pass until the work has ended. */
  until<T>(work: Promise<T>): Promise<T>;
};

const TURNS = 20;
const MINUTE_MS = 60_000;

export function withPatience(clock: FakeClock): PatientClock {
  async function settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await clock.settle();
  }

  async function pass(milliseconds: number): Promise<void> {
    const end = clock.elapsed() + milliseconds;
    while (clock.elapsed() < end) {
      await settle();
      const left = end - clock.elapsed();
      // A long time need not be exact to the second.
      await clock.advance(Math.min(left > MINUTE_MS ? 20_000 : 500, left));
    }
    await settle();
  }

  async function until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    await settle();
    for (let steps = 0; !isOver; steps += 1) await pass(steps < 20 ? 500 : 10 * MINUTE_MS);
    return work;
  }

  return Object.assign(Object.create(clock), { pass, until });
}

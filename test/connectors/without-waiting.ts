import type { Emulator } from '../emulators/emulator.ts';
import type { VendorClock } from './vendor-clock.ts';

/** Passes over the pauses that the vendor asks for. */
export async function withoutWaiting<T>(
  work: Promise<T>,
  { requests }: Emulator,
  clock: VendorClock,
): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  for (let seen = requests.length; !isOver; seen = requests.length) {
    await turns(5);
    // A call that is on its way is not made to wait.
    if (requests.length === seen) clock.skip(1000);
  }
  return work;
}

/** Lets the emulator and the connector work for a moment. */
export async function turns(count: number): Promise<undefined> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  return undefined;
}

import type { TestContext } from 'node:test';

const TICK_MS = 1;
const ATTEMPTS = 3;

class HeldTooLong extends Error {}

/**
 * How long the event loop was held at most while the work ran: the processor time of this thread between two ticks of a fast
 * timer. Time in which the machine ran something else does not count.
 */
async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = usedMs();
  const tick = () => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    await work();
    // The turn in which the work has ended counts too.
    await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
  } finally {
    clearInterval(timer);
  }
  tick();
  return longest;
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What holds the event loop for too long does so in every attempt; noise of the machine, and collected garbage of others, do not. */
export async function inAttempts(body: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await body();
    } catch (error) {
      if (!(error instanceof HeldTooLong) || attempt === ATTEMPTS) throw error;
    }
  }
}

export async function holdsLittle<T>(
  t: TestContext,
  { what, maxMs }: { readonly what: string; readonly maxMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const done = Promise.withResolvers<T>();
  const heldMs = await longestHoldMs(async () => done.resolve(await work()));
  wasHeldLittle(t, { what, maxMs, heldMs });
  return done.promise;
}

export function wasHeldLittle(
  t: TestContext,
  { what, maxMs, heldMs }: { readonly what: string; readonly maxMs: number; readonly heldMs: number },
): void {
  const found = `${what}: the event loop was held for ${heldMs.toFixed(1)} ms at most`;
  t.diagnostic(found);
  if (heldMs > maxMs) throw new HeldTooLong(`${found}, which is more than ${maxMs} ms`);
}

const TICK_MS = 1;

/**
 * How long the event loop was held at most while the work ran: the processor time of this thread between two ticks of a fast
 * timer. Time in which the machine ran something else does not count.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
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

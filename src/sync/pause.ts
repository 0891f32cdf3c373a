import type { Clock } from '../clock.ts';

/** Resolves after the time, or as soon as the signal aborts. */
export function pauseFor(
  milliseconds: number,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

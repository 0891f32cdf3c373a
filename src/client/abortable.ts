import type { ClientPlatform } from './platform.ts';

/** Rejects with the signal's reason as soon as it aborts, also where the work itself does not heed it. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Rejects with the signal's reason when it aborts first. */
export function waitFor(
  delayMs: number,
  platform: Pick<ClientPlatform, 'after'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let cancel = () => {};
  const wait = new Promise<void>((resolve) => {
    cancel = platform.after(delayMs, resolve);
  });
  return orAborted(wait, signal).finally(() => cancel());
}

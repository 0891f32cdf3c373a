const CHECK_EVERY_MS = 250;

/**
 * npm passes a signal to the shell in which it runs a script, and many shells die of it without passing it on. A program that
 * npm has started therefore has to notice by itself that its parent is gone.
 */
export function whenNpmEnds(action: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, CHECK_EVERY_MS);
  timer.unref();
}

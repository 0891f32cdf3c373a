import { isMainThread } from 'node:worker_threads';

/** Loaded into a service process before anything else. Answers over IPC what only the inside of a process can tell. */
export type ProbeQuestion =
  | { readonly ask: 'hold' }
  | { readonly ask: 'heap' }
  | { readonly ask: 'stepWallClock'; readonly byMs: number };
export type ProbeAnswer = { readonly value: number };

const TICK_MS = 4;

// Worker threads load this file too.
if (isMainThread && process.send) watch();

function watch(): void {
  let longestMs = 0;
  let wallStepMs = 0;
  let last = process.threadCpuUsage();
  // CPU time between two ticks, not wall time: a busy machine does not count as a held loop.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    last = process.threadCpuUsage();
  }, TICK_MS).unref();

  const realNow = Date.now;
  Date.now = () => realNow() + wallStepMs;

  process.on('message', (question: ProbeQuestion) => process.send?.({ value: answerTo(question) }));
  process.channel?.unref();

  function answerTo(question: ProbeQuestion): number {
    if (question.ask === 'stepWallClock') {
      wallStepMs += question.byMs;
      return wallStepMs;
    }
    if (question.ask === 'hold') {
      const value = longestMs;
      longestMs = 0;
      return value;
    }
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    // The collection that was asked for is not the service's fault.
    last = process.threadCpuUsage();
    return heapUsed + external;
  }
}

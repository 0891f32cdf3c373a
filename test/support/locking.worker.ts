import { parentPort, workerData } from 'node:worker_threads';
import { createMemoryLock } from '../../src/availability/shared-index.ts';

/** Writes two numbers one after the other, reads them in between, and counts how often they differed. */
const { words, shared, thread, rounds } = workerData as {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly shared: Int32Array<SharedArrayBuffer>;
  readonly thread: number;
  readonly rounds: number;
};
const lock = createMemoryLock(words, thread);
let torn = 0;
for (let round = 0; round < rounds; round++) {
  lock.writing(() => {
    for (const at of [0, 1]) shared[at] = (shared[at] ?? 0) + 1;
  });
  for (let reading = 0; reading < 3; reading++) {
    lock.reading(() => {
      if (shared[0] !== shared[1]) torn += 1;
    });
  }
}
parentPort?.postMessage(torn);

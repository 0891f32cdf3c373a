import { parentPort, workerData } from 'node:worker_threads';
import { createSharedRateWindows, type RateTable } from '../../src/workers/shared-rate-windows.ts';

/** Takes more of one window than all threads together may, and tells how many were allowed. */
const { table, thread, rounds } = workerData as {
  readonly table: RateTable;
  readonly thread: number;
  readonly rounds: number;
};
const windows = createSharedRateWindows({ limit: rounds, windowMs: 60_000 }, table, thread);
let allowed = 0;
for (let round = 0; round < rounds; round += 1) {
  const reading = await windows.take('a', { now: 0, elapsed: 1 });
  if (reading.allowed) allowed += 1;
}
parentPort?.postMessage(allowed);

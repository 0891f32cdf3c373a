import { parentPort, workerData } from 'node:worker_threads';
import type { AssistantWindow } from '../../src/sessions/rate-windows.ts';
import { createSharedRateWindows, type RateTable } from '../../src/threads/shared-tables.ts';

/** Takes as much of one window, of a caller or of an assistant, as all threads together may, and tells how many were allowed. */
const { table, thread, rounds, assistant } = workerData as {
  readonly table: RateTable;
  readonly thread: number;
  readonly rounds: number;
  readonly assistant?: AssistantWindow;
};
const windows = createSharedRateWindows({ limit: rounds, windowMs: 60_000 }, table, thread);
let allowed = 0;
for (let round = 0; round < rounds; round += 1) {
  const caller = assistant ? `caller ${round} of thread ${thread}` : 'a';
  const reading = await windows.take(caller, { now: 0, elapsed: 1 }, assistant);
  if (reading.allowed) allowed += 1;
}
parentPort?.postMessage(allowed);

import { parentPort, workerData } from 'node:worker_threads';
import { createActivityFile } from './activity-file.ts';
import type { ActivityAnswer, ActivityCall } from './activity-thread.ts';
import { failedWrite } from './write-batch.ts';

/** The thread that reads and writes counts: neither a large report nor a slow disk makes the event loop wait. */
const file = createActivityFile(workerData, (warning) => answer({ kind: 'warning', warning }));

function answer(message: ActivityAnswer): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (message: ActivityCall | 'close') => {
  if (message === 'close') {
    file.close();
    parentPort?.close();
    return;
  }
  const { number, name, args } = message;
  try {
    answer({ kind: 'done', number, value: file.call(name, args) });
  } catch (error) {
    answer({ ...failedWrite(error), number });
  }
});

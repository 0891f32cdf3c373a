import { parentPort, workerData } from 'node:worker_threads';
import { createActivityFile } from './activity-file.ts';
import type { ActivityAnswer, ActivityCall } from './activity-thread.ts';
import { failedWrite } from './writer.ts';

/** The thread that reads and writes counts, so that neither a large report nor a slow disk blocks the event loop. */
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

import { parentPort, workerData } from 'node:worker_threads';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import type { IntakeReply, IntakeRequest } from './intake.ts';
import type { IntakeThreadData } from './intake-threads.ts';
import { type IntakeChunk, readInChunks } from './run-task.ts';

/** The thread on which the documents of operators are read. */
const { places }: IntakeThreadData = workerData;

let reading:
  | { readonly chunks: Generator<IntakeChunk, unknown>; readonly document: OwnedBytes | null }
  | undefined;

function reply(message: IntakeReply, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

function sendNext(): void {
  if (!reading) return;
  try {
    const next = reading.chunks.next();
    if (!next.done) {
      reply({ kind: 'chunk', ...next.value });
      return;
    }
    const { document } = reading;
    reading = undefined;
    reply({ kind: 'done', summary: next.value, document }, document ? [document.buffer] : []);
  } catch (error) {
    reading = undefined;
    const failure = error instanceof BookingSystemFailure ? error.kind : 'garbled';
    reply({ kind: 'failed', failure, message: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (request: IntakeRequest) => {
  switch (request.kind) {
    case 'start': {
      const { task, document, parameters, returnsDocument } = request;
      reading = {
        chunks: readInChunks(task, document, parameters, places),
        document: returnsDocument ? document : null,
      };
      return sendNext();
    }
    case 'next':
      return sendNext();
    case 'drop':
      reading = undefined;
  }
});
reply({ kind: 'ready' });

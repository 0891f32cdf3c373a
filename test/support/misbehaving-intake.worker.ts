import { parentPort } from 'node:worker_threads';
import type { IntakeReply, IntakeRequest } from '../../src/connectors/shared/intake/intake.ts';

/** A reading thread that does what the first byte of a document says, and tells which documents it has seen. */
const seen: number[] = [];
let chunksLeft = 0;

const reply = (message: IntakeReply) => parentPort?.postMessage(message);
const sendChunk = () => {
  chunksLeft -= 1;
  reply({ kind: 'chunk', items: [chunksLeft], bytes: 1 });
};
const finish = () => reply({ kind: 'done', summary: [...seen], document: null });

parentPort?.on('message', (request: IntakeRequest) => {
  if (request.kind === 'drop') return;
  if (request.kind === 'next') {
    if (chunksLeft > 0) sendChunk();
    else finish();
    return;
  }
  const [behaviour = 0, chunks = 0] = request.document;
  seen.push(behaviour);
  switch (String.fromCharCode(behaviour)) {
    case 'l':
      // Until it is terminated.
      for (;;) {}
    case 'm': {
      const filled: number[][] = [];
      for (;;) filled.push(new Array(1_000_000).fill(seen.length));
    }
    case 'x':
      process.exit(1);
      break;
    case 'f':
      reply({ kind: 'failed', failure: 'garbled', message: 'as the document says' });
      break;
    case 'c':
      chunksLeft = chunks;
      sendChunk();
      break;
    default:
      finish();
  }
});
reply({ kind: 'ready' });

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../src/clock.ts';
import { createPortCalls } from '../../src/threads/port-calls.ts';
import { createPeers } from '../../src/threads/worker-pool.ts';

/** A thread of a pool that knows how the others are called. */
const { number, fails } = workerData as { readonly number: number; readonly fails: boolean };
const peers = createPeers({ name: (asker: number) => `${number} from ${asker}` }, systemClock);
const others = [0, 1, 2].filter((other) => other !== number);
if (!parentPort) throw new Error('this is the program of a thread');
const main = createPortCalls(parentPort, {
  peer: ({ number: other, port }: { readonly number: number; readonly port: MessagePort }) =>
    peers.add(other, port),
  askPeers: () => Promise.all(others.map(async (other) => (await peers.of(other)).call('name', number))),
  closeTransports: () => main.call('closing', 'transports'),
  closeStore: () => main.call('closing', 'store'),
});
if (fails) main.tell('cannotStart', 'the port is taken');
else main.tell('up', `thread ${number} is up`);

import { after, describe } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { usedNoncesContract } from '../access/web-bot-auth/used-nonces.contract.ts';
import { createNoncesInMemory } from '../access/web-bot-auth/used-nonces.ts';
import { createSharedNonces, nonceHandlers } from './calls-to-main.ts';
import { createPortCalls } from './port-calls.ts';

describe('used nonces that threads share', () => {
  const channels: MessageChannel[] = [];
  after(() => {
    for (const { port1 } of channels) port1.close();
  });

  usedNoncesContract({
    ofMany: async (_test, count) => {
      const clock = createFakeClock(0);
      const handlers = nonceHandlers(createNoncesInMemory(clock));
      const thread = () => {
        const channel = new MessageChannel();
        channels.push(channel);
        createPortCalls(channel.port2, handlers);
        return createSharedNonces(createPortCalls(channel.port1, {}));
      };
      return { nonces: Array.from({ length: count }, thread), pass: (ms) => clock.advance(ms) };
    },
  });
});

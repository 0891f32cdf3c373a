import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createConcurrencyGate } from '../limits/fair-semaphore.ts';
import { callEntranceContract } from './call-entrance.contract.ts';
import { createCallEntrance } from './call-entrance.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

callEntranceContract(
  'of one process',
  async ({ limit, reservesLast = false, maxWaitMs }) => {
    const clock = createFakeClock(0);
    const entrance = createCallEntrance({
      clock,
      breaker: createCircuitBreaker({ clock }),
      gate: createConcurrencyGate({ clock, limit, reserved: reservesLast ? 1 : 0, queueLimit: 100 }),
      maxWaitMs,
    });
    return { nodes: [entrance, entrance], pass: clock.advance };
  },
  { canEndAlone: false },
);

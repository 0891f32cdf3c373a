import { createFakeClock } from '../../test/support/fake-clock.ts';
import { circuitBreakerContract } from './circuit-breaker.contract.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

circuitBreakerContract('of one process', async (onBreaker) => {
  const clock = createFakeClock(0);
  const breaker = createCircuitBreaker({ clock, onBreaker });
  return { nodes: [breaker, breaker], pass: clock.advance };
});

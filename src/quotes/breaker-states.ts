import type { Clock } from '../clock.ts';
import type { BrandId } from '../inventory/catalogue.ts';
import { BREAKER_RULE, type BreakerState } from './circuit-breaker.ts';

/** What the breaker of each operator has come to, as this node has heard last: its own, or the one that nodes share. */
export type BreakerStates = {
  note(brand: BrandId, state: BreakerState): void;
  of(brand: BrandId): BreakerState;
};

export function createBreakerStates(clock: Pick<Clock, 'elapsed'>): BreakerStates {
  const noted = new Map<BrandId, { readonly state: BreakerState; readonly at: number }>();
  return {
    note(brand, state) {
      noted.set(brand, { state, at: clock.elapsed() });
    },
    of(brand) {
      const { state, at } = noted.get(brand) ?? { state: 'closed', at: 0 };
      // Nobody is told that the time of an open one is over: the next call finds it out.
      const isOver = state === 'open' && clock.elapsed() - at >= BREAKER_RULE.openMs;
      return isOver ? 'half_open' : state;
    },
  };
}

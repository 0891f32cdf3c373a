import type { OperatorHealth } from '../../sync/operator-health.ts';

/** The words for it, in the table of operators and on their cards. */
export const OPERATOR_STATES = {
  not_on_network: 'not on the network',
  paused: 'paused',
  not_read_yet: 'not read yet',
  cannot_be_read: 'cannot be read',
  prices_fail: 'prices fail',
  last_reading_failed: 'on offer, last reading failed',
  prices_on_trial: 'on offer, prices tried again',
  on_offer: 'on offer',
} as const;

export type OperatorState = keyof typeof OPERATOR_STATES;

/** The worst that can be said of it; null is a brand that has left the network. */
export function operatorState(health: OperatorHealth | null): OperatorState {
  if (health === null) return 'not_on_network';
  const { pausedAt, lastReadAt, lastFailure, breaker } = health;
  if (pausedAt !== null) return 'paused';
  if (lastReadAt === null) return lastFailure === null ? 'not_read_yet' : 'cannot_be_read';
  if (breaker === 'open') return 'prices_fail';
  if (lastFailure !== null) return 'last_reading_failed';
  return breaker === 'half_open' ? 'prices_on_trial' : 'on_offer';
}

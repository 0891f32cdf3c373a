import type { RefusedHomes } from '../alternatives.ts';

const WORDS = {
  booked: 'no longer free',
  minimum_stay: 'fewer nights than the minimum stay',
  maximum_stay: 'more nights than the maximum stay',
  closed_to_arrival: 'no arrivals on that day',
  closed_to_departure: 'no departures on that day',
  lead_time: 'too soon to be booked',
  too_many_guests: 'too many guests',
  unknown_property: 'no longer offered',
  not_offered: 'not offered for this stay',
} as const satisfies Record<RefusedHomes[number]['reason'], string>;

/** Why homes that matched cannot be had after all, in our words and with their number. */
export function refusedHomes(refused: RefusedHomes): string {
  const reasons = refused.map(({ reason, homes }) => `${WORDS[reason]} (${homes})`);
  return `The operators refused what matched: ${reasons.join(', ')}.`;
}

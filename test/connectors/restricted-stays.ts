import type { UnavailableReason } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import type { ConnectedVendor } from './connected-vendor.ts';
import { patient } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { verdictOf } from './verdict.ts';

const [TAKEN, NO_ARRIVAL, NO_DEPARTURE] = [TODAY + 10, TODAY + 26, TODAY + 27];

/** It has every restriction that a home can have. */
export const RESTRICTED_HOME = aHome({
  minimumStay: () => 3,
  maximumStay: 10,
  closedToArrival: (day) => day === formatDay(NO_ARRIVAL),
  closedToDeparture: (day) => day === formatDay(NO_DEPARTURE),
});

/** Named after what is true of each: all but the last are refused. */
const STAYS = {
  booked: { checkIn: TAKEN - 1, nights: 4, guests: 2 },
  minimum_stay: { checkIn: TODAY + 2, nights: 1, guests: 2 },
  maximum_stay: { checkIn: TODAY + 30, nights: 15, guests: 2 },
  closed_to_arrival: { checkIn: NO_ARRIVAL, nights: 4, guests: 2 },
  closed_to_departure: { checkIn: NO_DEPARTURE - 4, nights: 4, guests: 2 },
  too_many_guests: { checkIn: TODAY + 2, nights: 4, guests: 5 },
  quoted: { checkIn: TODAY + 2, nights: 4, guests: 2 },
} as const satisfies Partial<Record<UnavailableReason | 'quoted', object>>;

/** What is said in place of what is true; some vendors have no days on which nobody may arrive or depart. */
export type VagueVerdicts = Partial<
  Record<'booked' | 'minimum_stay' | 'maximum_stay', UnavailableReason> &
    Record<'closed_to_arrival' | 'closed_to_departure', UnavailableReason | 'quoted'>
>;

export function expectedVerdicts(vague: VagueVerdicts = {}): Record<string, string> {
  const truth = Object.fromEntries(Object.keys(STAYS).map((name) => [name, name]));
  return { ...truth, ...vague };
}

/** What the connector says of each such stay at the restricted home, which must be the only one. */
export async function verdictsOnStays({
  system,
  emulator,
}: ConnectedVendor): Promise<Record<string, string | undefined>> {
  const references = [emulator.referenceOf(1)];
  await system.catalogue(patient);
  emulator.book(1, formatDay(TAKEN), formatDay(TAKEN + 2));
  const verdicts: Record<string, string | undefined> = {};
  for (const [name, { checkIn, nights, guests }] of Object.entries(STAYS)) {
    const asked = { references, checkIn, checkOut: checkIn + nights, guests, currency: 'EUR' };
    const outcomes = await system.quote(asked, patient);
    verdicts[name] = verdictOf(outcomes[0]);
  }
  return verdicts;
}

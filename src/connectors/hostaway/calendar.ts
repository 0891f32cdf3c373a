import type { CalendarReading, Horizon } from '../../quotes/booking-system.ts';
import {
  type NightMembers,
  type NightRules,
  readNightlyCalendar,
  stayLimitsOf,
} from '../shared/calendars/nightly-calendar.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { looseFlag, looseNumber } from '../shared/vendors/loose-values.ts';
import { hostawayResult } from './catalogue.ts';

export type HostawayCalendarParameters = { readonly horizon: Horizon; readonly listing: KnownListing };

/** Intake task: reads `GET /listings/{id}/calendar`, a list of days. Reservations in it are not read. */
export function* readHostawayCalendar(
  document: Uint8Array,
  { horizon, listing }: HostawayCalendarParameters,
): Generator<CalendarReading, null> {
  yield readNightlyCalendar(hostawayResult(document).result, {
    horizon,
    currency: listing.currency,
    readRules: (members) => rulesOf(members, listing),
  });
  return null;
}

function rulesOf(members: NightMembers, listing: KnownListing): NightRules {
  return {
    isAvailable: isAvailable(members),
    ...stayLimitsOf(
      { minimum: members.stayLimit('minimumStay'), maximum: members.stayLimit('maximumStay') },
      listing,
    ),
    isClosedToArrival: members.flag('closedOnArrival'),
    isClosedToDeparture: members.flag('closedOnDeparture'),
    price: members.price('price'),
  };
}

/** A night is available when at least one member says so and none contradicts it. */
function isAvailable({ night, fault }: NightMembers): boolean {
  const { isAvailable: flag, status, availableUnitsToSell } = night;
  const isFlagged = looseFlag(flag);
  if (flag !== undefined && flag !== null && isFlagged === undefined) fault('isAvailable', '0 or 1');
  const saysStatus = status !== undefined && status !== null;
  if (saysStatus && typeof status !== 'string') fault('status', 'a text');
  if (isFlagged === undefined && !saysStatus) fault('isAvailable', '0 or 1');
  const units = looseNumber(availableUnitsToSell);
  return isFlagged !== false && (!saysStatus || status === 'available') && (units === undefined || units > 0);
}

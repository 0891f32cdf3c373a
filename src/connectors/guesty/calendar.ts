import { invalid } from '../../parsing/reading.ts';
import { CALENDAR_MISSING, type CalendarReading, type Horizon } from '../../quotes/booking-system.ts';
import {
  type NightMembers,
  type NightRules,
  readNightlyCalendar,
  stayLimitsOf,
} from '../shared/calendars/nightly-calendar.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import type { KnownListing } from '../shared/listings/known-listings.ts';
import { isLooseRecord, looseNumber, looseRecord } from '../shared/vendors/loose-values.ts';

export type GuestyCalendarParameters = { readonly horizon: Horizon; readonly listing: KnownListing };

/** Intake task: reads `GET /api/listings/{id}/calendar`, a list of nights. */
export function* readGuestyCalendar(
  document: Uint8Array,
  { horizon, listing }: GuestyCalendarParameters,
): Generator<CalendarReading, null> {
  const answer = parseDocument(document);
  yield isLooseRecord(answer) && !('days' in answer || 'data' in answer)
    ? invalid(CALENDAR_MISSING)
    : readNightlyCalendar(nightsIn(answer), {
        horizon,
        currency: listing.currency,
        readRules: (members) => rulesOf(members, listing),
      });
  return null;
}

/** The Booking Engine sends the bare list; Guesty's other API wraps it in an envelope. */
function nightsIn(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer;
  const { days, data } = looseRecord(answer);
  return days ?? looseRecord(data).days;
}

function rulesOf(members: NightMembers, listing: KnownListing): NightRules {
  const { status, allotment } = members.night;
  if (typeof status !== 'string') members.fault('status', 'a text');
  return {
    // For a listing with several units the status can lag behind the number of free units.
    isAvailable: status === 'available' && looseNumber(allotment) !== 0,
    ...stayLimitsOf(
      { minimum: members.stayLimit('minNights'), maximum: members.stayLimit('maxNights') },
      listing,
    ),
    isClosedToArrival: members.flag('cta'),
    isClosedToDeparture: members.flag('ctd'),
    price: members.price('price'),
  };
}

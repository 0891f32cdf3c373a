import { toDecimal } from '../../../src/stay/money.ts';
import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { HOSTAWAY_PRIVATE_VALUES, listingIdOf } from './listings.ts';

/** From the first day to the last, both included. */
export function calendarOf(
  world: EmulatedWorld,
  home: EmulatedHome,
  range: { readonly start: string; readonly end: string },
  includeResources: boolean,
) {
  return nightsBetween(range.start, addDays(range.end, 1)).map((date, index) => {
    const taken = world.isTaken(home.id, date);
    return {
      id: home.id * 10_000 + index,
      date,
      isAvailable: taken ? 0 : 1,
      isProcessed: 1,
      status: taken ? 'reserved' : 'available',
      price: toDecimal(home.nightlyPrice(date), home.currency),
      minimumStay: home.minimumStay(date),
      maximumStay: home.maximumStay ?? 1125,
      closedOnArrival: home.closedToArrival(date) ? 1 : null,
      closedOnDeparture: home.closedToDeparture(date) ? 1 : null,
      note: null,
      countAvailableUnits: null,
      availableUnitsToSell: null,
      countPendingUnits: null,
      countBlockingReservations: null,
      countBlockedUnits: null,
      desiredUnitsToSell: null,
      reservations: taken && includeResources ? [reservationOf(home, date)] : [],
    };
  });
}

function reservationOf(home: EmulatedHome, date: string) {
  const { guestName, guestEmail } = HOSTAWAY_PRIVATE_VALUES;
  return { id: 13, listingMapId: listingIdOf(home), guestName, guestEmail, arrivalDate: date, status: 'new' };
}

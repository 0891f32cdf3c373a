import type { Day } from '../stay/day.ts';

/** How far ahead stays can be searched. */
export const HORIZON_NIGHTS = 540;

/**
 * What an operator says about each night from `firstDay` on, as columns of equal length. Nights outside are not available.
 * Rules of a stay are read from its arrival day (minimum and maximum stay, closed to arrival) and from its departure
 * day (closed to departure); a departure on the day after the last night is open.
 */
export type Calendar = {
  readonly firstDay: Day;
  /** 1 when the night can be booked. */
  readonly available: Uint8Array;
  readonly minimumStay: Uint16Array;
  /** 0 when there is no maximum. */
  readonly maximumStay: Uint16Array;
  readonly closedToArrival: Uint8Array;
  readonly closedToDeparture: Uint8Array;
  /** Indicative price of the night in minor units of the property's currency. */
  readonly price: Uint32Array;
};

export function emptyCalendar(firstDay: Day, nights: number): Calendar {
  return {
    firstDay,
    available: new Uint8Array(nights),
    minimumStay: new Uint16Array(nights).fill(1),
    maximumStay: new Uint16Array(nights),
    closedToArrival: new Uint8Array(nights),
    closedToDeparture: new Uint8Array(nights),
    price: new Uint32Array(nights),
  };
}

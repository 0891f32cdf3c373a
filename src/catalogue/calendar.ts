import { crc32 } from 'node:zlib';
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

/** How many different rules of arrival its nights have: minimum stay, maximum stay, closed or not. */
export function countStayRules({ minimumStay, maximumStay, closedToArrival }: Calendar): number {
  const rules = new Set<number>();
  let last: number | undefined;
  for (let night = 0; night < minimumStay.length; night += 1) {
    const stays = (minimumStay[night] ?? 0) * 2 ** 16 + (maximumStay[night] ?? 0);
    const rule = stays * 2 + (closedToArrival[night] ?? 0);
    // Rules mostly go on for weeks.
    if (rule !== last) rules.add(rule);
    last = rule;
  }
  return rules.size;
}

/** 32 bits: enough to tell whether a calendar is the one that was read last. Never 0, which stands for one that is not known. */
type CalendarDigest = number;

export function calendarDigest(calendar: Calendar): CalendarDigest {
  const { firstDay, price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture } =
    calendar;
  let digest = firstDay >>> 0;
  for (const column of [price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture]) {
    digest = crc32(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), digest);
  }
  return digest || 1;
}

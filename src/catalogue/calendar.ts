import { crc32 } from 'node:zlib';
import type { Day } from '../stay/day.ts';

/** How far ahead stays can be searched. */
export const HORIZON_NIGHTS = 540;

/**
 * The operator's data per night from `firstDay` on, as columns of equal length. Nights outside are not available. The arrival day has the
 * rules of minimum and maximum stay and closed to arrival, the departure day that of closed to departure; a departure on the day after
 * the last night is open.
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

/** The number of different arrival rules of its nights: minimum stay, maximum stay, closed or not. */
export function countStayRules({ minimumStay, maximumStay, closedToArrival }: Calendar): number {
  const rules = new Set<number>();
  let last: number | undefined;
  for (let night = 0; night < minimumStay.length; night += 1) {
    const stays = (minimumStay[night] ?? 0) * 2 ** 16 + (maximumStay[night] ?? 0);
    const rule = stays * 2 + (closedToArrival[night] ?? 0);
    // Rules mostly stay the same for weeks.
    if (rule !== last) rules.add(rule);
    last = rule;
  }
  return rules.size;
}

/** 32 bits: enough to recognise the calendar of the last reading. Never 0, which means unknown. */
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

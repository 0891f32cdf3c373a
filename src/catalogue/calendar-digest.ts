import { crc32 } from 'node:zlib';
import type { Calendar } from './calendar.ts';

/** 32 bits: enough to tell whether a calendar is the one that was read last. Never 0, which stands for one that is not known. */
export type CalendarDigest = number;

export function calendarDigest(calendar: Calendar): CalendarDigest {
  const { firstDay, price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture } =
    calendar;
  let digest = firstDay >>> 0;
  for (const column of [price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture]) {
    digest = crc32(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), digest);
  }
  return digest || 1;
}

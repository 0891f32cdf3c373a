import type { Calendar } from '../../catalogue/calendar.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/**
 * A calendar as one blob: a version, the first day, the number of nights, then the columns, widest first so that each
 * is aligned. Numbers are in the machine's byte order; a machine of the other order reads a first byte of 0, which is
 * no version, and refuses.
 */
const VERSION = 1;
const HEADER_BYTES = 12;
const BYTES_A_NIGHT = 4 + 2 + 2 + 1 + 1 + 1;
/** Of the widest column. */
const ALIGNMENT = 4;

export function packCalendar(calendar: Calendar): Uint8Array<ArrayBuffer> {
  const { firstDay, price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture } =
    calendar;
  const nights = price.length;
  const columns = [price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture];
  if (columns.some((column) => column.length !== nights)) {
    throw new RangeError('the columns of a calendar differ in length');
  }
  const packed = new Uint8Array(HEADER_BYTES + nights * BYTES_A_NIGHT);
  new Int32Array(packed.buffer, 0, 3).set([VERSION, firstDay, nights]);
  let offset = HEADER_BYTES;
  for (const column of columns) {
    packed.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return packed;
}

/** The columns are views of `packed` where its memory allows, so it must be the caller's own. */
export function unpackCalendar(packed: Uint8Array): Calendar {
  if (packed.length < HEADER_BYTES || packed[0] !== VERSION) {
    throw new StorageFailure('unknown_format', `Unknown form of a stored calendar: version ${packed[0]}.`);
  }
  const { buffer, byteOffset } = packed.byteOffset % ALIGNMENT === 0 ? packed : packed.slice();
  const [, firstDay = 0, nights = 0] = new Int32Array(buffer, byteOffset, HEADER_BYTES / ALIGNMENT);
  if (packed.length !== HEADER_BYTES + nights * BYTES_A_NIGHT) {
    throw new StorageFailure('corrupt', 'A stored calendar has lost some of its nights.');
  }
  let next = byteOffset + HEADER_BYTES;
  const offset = (bytesEach: number) => {
    const from = next;
    next += nights * bytesEach;
    return from;
  };
  return {
    firstDay,
    price: new Uint32Array(buffer, offset(4), nights),
    minimumStay: new Uint16Array(buffer, offset(2), nights),
    maximumStay: new Uint16Array(buffer, offset(2), nights),
    available: new Uint8Array(buffer, offset(1), nights),
    closedToArrival: new Uint8Array(buffer, offset(1), nights),
    closedToDeparture: new Uint8Array(buffer, offset(1), nights),
  };
}

import type { Calendar } from '../../inventory/calendar.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

/**
 * A calendar as one blob: a version, the first day, the number of nights, then the columns, widest first so that each
 * is aligned. Numbers are in the machine's byte order; a machine of the other order reads a first byte of 0, which is
 * no version, and refuses.
 */
const VERSION = 1;
const HEADER_BYTES = 12;
const BYTES_A_NIGHT = 4 + 2 + 2 + 1 + 1 + 1;

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

export function unpackCalendar(packed: Uint8Array): Calendar {
  if (packed.length < HEADER_BYTES || packed[0] !== VERSION) {
    throw new StorageFailure('unknown_format', `Unknown form of a stored calendar: version ${packed[0]}.`);
  }
  const [, firstDay = 0, nights = 0] = new Int32Array(packed.slice(0, HEADER_BYTES).buffer);
  if (packed.length !== HEADER_BYTES + nights * BYTES_A_NIGHT) {
    throw new StorageFailure('corrupt', 'A stored calendar has lost some of its nights.');
  }
  let offset = HEADER_BYTES;
  // Each column gets memory of its own: a view would keep all of them alive, and might not be aligned.
  const column = (bytesEach: number) => {
    const from = offset;
    offset += nights * bytesEach;
    return packed.slice(from, offset).buffer;
  };
  return {
    firstDay,
    price: new Uint32Array(column(4)),
    minimumStay: new Uint16Array(column(2)),
    maximumStay: new Uint16Array(column(2)),
    available: new Uint8Array(column(1)),
    closedToArrival: new Uint8Array(column(1)),
    closedToDeparture: new Uint8Array(column(1)),
  };
}

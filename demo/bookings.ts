import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closeToOthers, writePrivately } from './private-files.ts';

/** A stay that a guest booked on one of the demo's websites. */
const GuestBooking = Type.Object({
  code: Type.String(),
  source: Type.String(),
  reference: Type.String(),
  check_in: Type.String(),
  check_out: Type.String(),
  guests: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  email: Type.String(),
  total: Type.String(),
  currency: Type.String(),
  came_from: Type.Union([Type.String(), Type.Null()]),
  /** The identifier of the quote that the guest followed. Older files do not have it, nor a time of cancellation. */
  quote: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  booked_at: Type.String(),
  cancelled_at: Type.Optional(Type.String()),
});
export type GuestBooking = Static<typeof GuestBooking>;

const bookingsFile = Compile(Type.Object({ bookings: Type.Array(GuestBooking) }));

export type Bookings = {
  /** Without cancelled bookings. */
  of(source: string, reference: string): readonly GuestBooking[];
  /** With cancelled bookings, in the order in which they were made. */
  ofBrand(source: string): readonly GuestBooking[];
  withCode(source: string, code: string): GuestBooking | undefined;
  /** Stored once this returns; throws, and stores nothing, when the file cannot be written. */
  add(booking: GuestBooking): void;
  /** False when there is no such booking, or it was cancelled before. Stored as `add` stores. */
  cancel(source: string, code: string, at: string): boolean;
};

/** Without a directory, bookings are held in memory. Deleting the file resets the demo. */
export function createBookings(directory: string | null): Bookings {
  if (directory !== null) closeToOthers(directory);
  const file = directory === null ? null : path.join(directory, 'bookings.json');
  let bookings: readonly GuestBooking[] = file === null ? [] : read(file);
  const store = (changed: readonly GuestBooking[]) => {
    if (file !== null) writePrivately(file, { bookings: changed });
    bookings = changed;
  };
  return Object.freeze({
    of: (source: string, reference: string) =>
      bookings.filter(
        (one) => one.source === source && one.reference === reference && one.cancelled_at === undefined,
      ),
    ofBrand: (source: string) => bookings.filter((one) => one.source === source),
    withCode: (source: string, code: string) =>
      bookings.find((one) => one.source === source && one.code === code),
    add(booking: GuestBooking) {
      // Synchronous, so that no other booking happens between check and write.
      store([...bookings, booking]);
    },
    cancel(source: string, code: string, at: string) {
      const isMeant = (one: GuestBooking) =>
        one.source === source && one.code === code && one.cancelled_at === undefined;
      if (!bookings.some(isMeant)) return false;
      store(bookings.map((one) => (isMeant(one) ? { ...one, cancelled_at: at } : one)));
      return true;
    },
  });
}

function read(file: string): GuestBooking[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const content: unknown = JSON.parse(text);
  if (!bookingsFile.Check(content)) {
    throw new Error(`${file} does not hold bookings; delete it to reset the demo`);
  }
  return content.bookings;
}

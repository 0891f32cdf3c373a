import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closeToOthers, writePrivately } from './private-files.ts';

/** A stay that somebody booked on one of the demo's websites. */
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
  booked_at: Type.String(),
});
export type GuestBooking = Static<typeof GuestBooking>;

const bookingsFile = Compile(Type.Object({ bookings: Type.Array(GuestBooking) }));

export type Bookings = {
  of(source: string, reference: string): readonly GuestBooking[];
  withCode(source: string, code: string): GuestBooking | undefined;
  /** Stored once this returns; throws, and stores nothing, when the file cannot be written. */
  add(booking: GuestBooking): void;
};

/** Without a directory, bookings are kept in memory. Deleting the file resets the demo. */
export function createBookings(directory: string | null): Bookings {
  if (directory !== null) closeToOthers(directory);
  const file = directory === null ? null : path.join(directory, 'bookings.json');
  const bookings: GuestBooking[] = file === null ? [] : read(file);
  return Object.freeze({
    of: (source: string, reference: string) =>
      bookings.filter((one) => one.source === source && one.reference === reference),
    withCode: (source: string, code: string) =>
      bookings.find((one) => one.source === source && one.code === code),
    add(booking: GuestBooking) {
      // Synchronous, so that no other booking comes between check and write.
      if (file !== null) writePrivately(file, { bookings: [...bookings, booking] });
      bookings.push(booking);
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

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createBookings, type GuestBooking } from './bookings.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'staywire-bookings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const booking: GuestBooking = {
  code: 'CL-ABCDE-FGHJK',
  source: 'casa-lumeira',
  reference: 'CL-101',
  check_in: '2027-02-02',
  check_out: '2027-02-06',
  guests: 2,
  name: 'Ana',
  email: 'ana@example.com',
  total: '412.50',
  currency: 'EUR',
  came_from: null,
  booked_at: '2026-11-15T12:00:00.000Z',
};

test('bookings outlive the process, in a directory that need not exist yet', () => {
  const home = path.join(directory, 'a/b');
  createBookings(home).add(booking);
  const later = createBookings(home);
  assert.deepEqual(later.of('casa-lumeira', 'CL-101'), [booking]);
  assert.deepEqual(later.of('kumori', 'CL-101'), []);
  assert.deepEqual(later.withCode('casa-lumeira', booking.code), booking);
  assert.equal(later.withCode('kumori', booking.code), undefined);
  assert.deepEqual(readdirSync(home), ['bookings.json'], 'no draft is left behind');
});

test('a file from before quotes were kept is read, and what is cancelled stays so', () => {
  createBookings(directory).add(booking);
  assert.ok(createBookings(directory).cancel(booking.source, booking.code, '2026-11-16T12:00:00.000Z'));
  const later = createBookings(directory);
  assert.deepEqual(later.of('casa-lumeira', 'CL-101'), []);
  assert.equal(later.ofBrand('casa-lumeira')[0]?.cancelled_at, '2026-11-16T12:00:00.000Z');
  assert.equal(later.cancel(booking.source, booking.code, '2026-11-17T12:00:00.000Z'), false);
  assert.equal(later.cancel('kumori', booking.code, '2026-11-17T12:00:00.000Z'), false);
});

test('deleting the file resets the demo', () => {
  createBookings(directory).add(booking);
  rmSync(path.join(directory, 'bookings.json'));
  assert.deepEqual(createBookings(directory).of('casa-lumeira', 'CL-101'), []);
});

test('a file that holds something else is not overwritten', () => {
  writeFileSync(path.join(directory, 'bookings.json'), '{"bookings":[{"code":1}]}');
  assert.throws(() => createBookings(directory), /delete it to reset the demo/);
});

test('a booking that cannot be written is not kept', () => {
  writeFileSync(path.join(directory, 'file'), '');
  const bookings = createBookings(null);
  bookings.add(booking);
  assert.equal(bookings.of('casa-lumeira', 'CL-101').length, 1);
  const blocked = path.join(directory, 'blocked');
  const stuck = createBookings(blocked);
  // A file stands where the directory was.
  rmSync(blocked, { recursive: true });
  writeFileSync(blocked, '');
  assert.throws(() => stuck.add(booking));
  assert.deepEqual(stuck.of('casa-lumeira', 'CL-101'), []);
});

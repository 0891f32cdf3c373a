import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyCalendar } from '../../../catalogue/calendar.ts';
import { createStaysRefusedByCalendar, obstacleOfStay } from './unavailable-reasons.ts';

const NIGHTS = 12;

test('a stay is refused for a reason of its calendar if and only if the calendar refuses it', () => {
  const column = (max: number) => fc.array(fc.nat(max), { minLength: NIGHTS, maxLength: NIGHTS });
  fc.assert(
    fc.property(
      fc.record({ free: column(4), minimum: column(4), arrival: column(1), departure: column(1) }),
      fc.nat(NIGHTS - 2),
      fc.integer({ min: 1, max: NIGHTS }),
      ({ free, minimum, arrival, departure }, checkIn, nights) => {
        fc.pre(checkIn + nights <= NIGHTS);
        const calendar = emptyCalendar(100, NIGHTS);
        calendar.available.set(free.map((value) => (value > 0 ? 1 : 0)));
        calendar.minimumStay.set(minimum);
        calendar.closedToArrival.set(arrival);
        calendar.closedToDeparture.set(departure);
        const refusals = createStaysRefusedByCalendar();
        refusals.keep('a', calendar);
        const stay = { checkIn: 100 + checkIn, checkOut: 100 + checkIn + nights };
        assert.equal(
          refusals.reasonAgainst('a', stay.checkIn, stay.checkOut),
          obstacleOfStay(calendar, stay),
        );
      },
    ),
  );
});

test('nothing is said of a home or of days that no calendar was read for', () => {
  const refusals = createStaysRefusedByCalendar();
  assert.equal(refusals.reasonAgainst('a', 100, 103), undefined);
  refusals.keep('a', emptyCalendar(100, NIGHTS));
  assert.equal(refusals.reasonAgainst('a', 99, 103), undefined);
  assert.equal(refusals.reasonAgainst('a', 110, 113), undefined);
  assert.equal(refusals.reasonAgainst('a', 110, 112), 'booked');
});

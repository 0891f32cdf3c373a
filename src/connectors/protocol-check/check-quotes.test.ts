import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import { firstFreeStay, firstTakenStay } from './check-quotes.ts';

const FIRST_DAY = 20_000;
const night = fc.record({
  isFree: fc.boolean(),
  minimum: fc.integer({ min: 1, max: 4 }),
  maximum: fc.integer({ min: 0, max: 4 }),
  closedToArrival: fc.boolean(),
  closedToDeparture: fc.boolean(),
});

function calendarOf(
  nights: readonly (typeof night extends fc.Arbitrary<infer Night> ? Night : never)[],
): Calendar {
  const calendar = emptyCalendar(FIRST_DAY, nights.length);
  for (const [index, { isFree, minimum, maximum, closedToArrival, closedToDeparture }] of nights.entries()) {
    calendar.available[index] = Number(isFree);
    calendar.minimumStay[index] = minimum;
    calendar.maximumStay[index] = maximum;
    calendar.closedToArrival[index] = Number(closedToArrival);
    calendar.closedToDeparture[index] = Number(closedToDeparture);
  }
  return calendar;
}

describe('a sample stay', () => {
  it('is the first that any rule allows, as a search through all stays finds it', () => {
    fc.assert(
      fc.property(fc.array(night, { maxLength: 20 }), fc.integer({ min: -3, max: 20 }), (nights, ahead) => {
        const allowed: { checkIn: number; checkOut: number }[] = [];
        for (let arrival = Math.max(0, ahead); arrival < nights.length; arrival += 1) {
          for (let departure = arrival + 1; departure <= nights.length; departure += 1) {
            const length = departure - arrival;
            const rules = nights[arrival];
            if (!rules || rules.closedToArrival || nights[departure]?.closedToDeparture) continue;
            if (length !== rules.minimum || (rules.maximum > 0 && length > rules.maximum)) continue;
            if (!nights.slice(arrival, departure).every(({ isFree }) => isFree)) continue;
            allowed.push({ checkIn: FIRST_DAY + arrival, checkOut: FIRST_DAY + departure });
          }
        }
        assert.deepEqual(firstFreeStay(calendarOf(nights), FIRST_DAY + ahead), allowed[0]);
      }),
    );
  });

  it('that must be refused begins with a night that is not available', () => {
    fc.assert(
      fc.property(fc.array(night, { maxLength: 20 }), fc.integer({ min: -3, max: 20 }), (nights, ahead) => {
        const stay = firstTakenStay(calendarOf(nights), FIRST_DAY + ahead);
        const first = nights.findIndex(({ isFree }, index) => index >= ahead && !isFree);
        assert.equal(stay?.checkIn, first < 0 ? undefined : FIRST_DAY + first);
        if (stay) assert.ok(stay.checkOut > stay.checkIn);
      }),
    );
  });
});

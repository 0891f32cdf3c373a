import fc from 'fast-check';
import type { CalendarPeriod } from '../../src/connectors/open/calendar.ts';
import { formatDay } from '../../src/stay/day.ts';
import { property, TODAY } from './network.ts';
import type { ScriptedProperty } from './scripted-operator.ts';

const AMENITIES = ['wifi', 'pool', 'sauna', 'parking', 'kitchen'];

const period = fc.record({
  nights: fc.integer({ min: 1, max: 12 }),
  available: fc.boolean(),
  minimum_stay: fc.integer({ min: 1, max: 5 }),
  maximum_stay: fc.integer({ min: 5, max: 20 }),
  closed_to_arrival: fc.boolean(),
  closed_to_departure: fc.boolean(),
  price: fc.integer({ min: 20, max: 400 }).map((euros) => `${euros}.00`),
});

/** Consecutive periods from yesterday on, with gaps, minimum stays and closed days. */
const periods: fc.Arbitrary<CalendarPeriod[]> = fc
  .array(period, { minLength: 1, maxLength: 8 })
  .map((parts) => {
    let day = TODAY - 1;
    return parts.map(({ nights, ...rules }) => {
      const from = formatDay(day);
      day += nights;
      return { from, to: formatDay(day), ...rules };
    });
  });

/** Properties with random places, calendars, sizes and amenities. The first is always free, so that there is something to book. */
export function randomProperties(places: readonly string[]): fc.Arbitrary<ScriptedProperty[]> {
  const listing = fc.record({
    place: fc.constantFrom(...places),
    max_guests: fc.integer({ min: 1, max: 6 }),
    amenities: fc.option(
      fc.subarray(AMENITIES).map((keys) => Object.fromEntries(keys.map((key) => [key, key.toUpperCase()]))),
      { nil: null, freq: 5 },
    ),
    lead_days: fc.integer({ min: 0, max: 3 }),
  });
  return fc
    .array(fc.record({ listing, periods }), { minLength: 1, maxLength: 12 })
    .map((entries) => [
      property('always', { place: places[0] ?? '' }),
      ...entries.map((entry, position) => property(`p${position}`, entry.listing, entry.periods)),
    ]);
}

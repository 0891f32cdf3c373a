import { toDecimal } from '../../../src/stay/money.ts';
import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { type LodgifyRateSettings, propertyIdOf, rateSettingsOf, roomTypeIdOf } from './catalogue.ts';

const ACCOUNT_ID = 510_120;

type Period = {
  readonly start: string;
  /** Inclusive. */
  end: string;
  readonly available: number;
  readonly closed_period: null;
  readonly bookings: readonly { readonly id: number; readonly status: string }[];
  readonly channel_calendars: readonly never[];
};

/** Days from the first to the last, both included, put together while their availability stays the same. */
export function availabilityOf(
  world: EmulatedWorld,
  home: EmulatedHome,
  range: { readonly start: string; readonly end: string },
  includeDetails: boolean,
) {
  const periods: Period[] = [];
  for (const day of nightsBetween(range.start, addDays(range.end, 1))) {
    const available = world.isTaken(home.id, day) ? 0 : 1;
    const last = periods.at(-1);
    if (last?.available === available) {
      last.end = day;
      continue;
    }
    const bookings = includeDetails && available === 0 ? [{ id: 5_670_000 + home.id, status: 'Booked' }] : [];
    periods.push({
      start: day,
      end: day,
      available,
      closed_period: null,
      bookings,
      channel_calendars: [],
    });
  }
  return {
    user_id: ACCOUNT_ID,
    property_id: propertyIdOf(home),
    room_type_id: roomTypeIdOf(home),
    periods,
  };
}

export function ratesCalendarOf(
  home: EmulatedHome,
  range: { readonly start: string; readonly end: string },
  settings: LodgifyRateSettings,
) {
  const item = (day: string, isDefault: boolean) => ({
    date: isDefault ? null : day,
    is_default: isDefault,
    prices: [
      {
        min_stay: home.minimumStay(day),
        // 0 is open.
        max_stay: home.maximumStay ?? 0,
        price_per_day: toDecimal(home.nightlyPrice(day), home.currency),
      },
    ],
  });
  const days = nightsBetween(range.start, addDays(range.end, 1));
  return {
    calendar_items: [item(range.start, true), ...days.map((day) => item(day, false))],
    rate_settings: rateSettingsOf(home, settings),
  };
}

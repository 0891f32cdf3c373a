import { type Day, parseDay, weekdayOf } from '../../stay/day.ts';
import { type MinorUnits, parseAmount } from '../../stay/money.ts';
import type { Rates } from './rate-card.ts';

export type NightRate = { readonly price: MinorUnits; readonly minimumStay: number };

const FRIDAY = 4;
const SATURDAY = 5;

/** Parses the rates once, and returns the price of a night and the minimum stay for an arrival on it. */
export function nightRates(rates: Rates, currency: string): (night: Day) => NightRate {
  const standard = {
    nightly: exactAmount(rates.nightly, currency),
    weekendNightly: exactAmount(rates.weekend_nightly ?? rates.nightly, currency),
    minimumStay: rates.minimum_stay ?? 1,
  };
  const seasons = rates.seasons.map((season) => ({
    from: realDay(season.from),
    to: realDay(season.to),
    nightly: exactAmount(season.nightly, currency),
    weekendNightly: exactAmount(season.weekend_nightly ?? season.nightly, currency),
    minimumStay: season.minimum_stay ?? standard.minimumStay,
  }));
  return (night) => {
    const rate = seasons.find(({ from, to }) => from <= night && night < to) ?? standard;
    const weekday = weekdayOf(night);
    const isWeekend = weekday === FRIDAY || weekday === SATURDAY;
    return { price: isWeekend ? rate.weekendNightly : rate.nightly, minimumStay: rate.minimumStay };
  };
}

/** Rates are checked when a rate card is accepted (see `rate-faults.ts`), so an amount that is not exact here is a fault. */
export function exactAmount(text: string, currency: string): MinorUnits {
  const amount = parseAmount(text, currency);
  if (amount === undefined) throw new RangeError(`not an exact amount of ${currency}: ${text}`);
  return amount;
}

export function realDay(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`not a day: ${text}`);
  return day;
}

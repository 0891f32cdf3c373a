import type { RateCard, Rates } from '../src/connectors/rate-card/rate-card.ts';
import { formatAmount, type MinorUnits, parseAmount } from '../src/stay/money.ts';
import type { Property } from './properties.ts';
import { KINDS, priceFactorOf } from './properties.ts';
import { seededBy } from './seeded.ts';

const MAX_STAY = 365;

type Weekday = NonNullable<Rates['no_arrival_on']>[number];

/** The price list of a property, with the seasons of the given year, the one before it and the two after it. */
export function ratesOf(property: Property, year: number): Rates {
  const seeded = seededBy(`${property.brand.source} ${property.reference} rates`);
  const { city, bedrooms, kind } = property;
  const quality = 0.82 + 0.5 * ((property.reviewScore ?? 0.85) - 0.7) + seeded.fraction() * 0.42;
  const night = city.baseNightly * priceFactorOf(KINDS[kind], bedrooms) * quality;
  const weekendFactor = seeded.pick([null, 1.08, 1.12, 1.18, 1.25]);
  const price = (units: number) => priceTag(units, city.currency);
  const nightly = (factor: number) => ({
    nightly: price(night * factor),
    ...(weekendFactor !== null && { weekend_nightly: price(night * factor * weekendFactor) }),
  });
  const byTheWeek = kind === 'villa' && seeded.chance(0.5);
  const minimumStay = byTheWeek ? 7 : seeded.pick(bedrooms >= 3 ? [2, 3, 3, 4] : [1, 1, 2, 2, 3]);
  const closedDays = closedWeekdays(byTheWeek, seeded.fraction());
  const includedGuests = Math.max(2, bedrooms * 2 - 1);
  const maximumStay = seeded.pick([28, 60, 90, MAX_STAY, MAX_STAY]);
  return {
    ...nightly(1),
    seasons: [year - 1, year, year + 1, year + 2].flatMap((one) => [
      { ...yearEndOf(one), ...nightly(1.52), minimum_stay: Math.max(minimumStay, 4) },
      { ...highSeasonOf(property, one), ...nightly(1.34), minimum_stay: Math.max(minimumStay, 2) },
      { ...quietWeeksOf(one), ...nightly(0.8) },
    ]),
    minimum_stay: minimumStay,
    maximum_stay: maximumStay,
    ...closedDays,
    ...(includedGuests < property.maxGuests && {
      extra_guest: { above: includedGuests, nightly: price(city.baseNightly * 0.16) },
    }),
    discounts: discountsFor(seeded.fraction()),
    fees: [
      { label: 'Cleaning', amount: price(city.baseNightly * (0.32 + 0.14 * bedrooms)), per: 'stay' },
      ...(seeded.chance(0.3)
        ? [{ label: 'Bed linen and towels', amount: price(city.baseNightly * 0.09), per: 'guest' as const }]
        : []),
    ],
    taxes: city.taxes,
  };
}

type PaidBesides = Pick<RateCard['properties'][number], 'deposit' | 'due_on_site'>;

/** States that nothing is due on site where a deposit is taken. */
export function paidBesidesOf({ brand, city, bedrooms }: Property): PaidBesides {
  if (!brand.takesDeposit) return {};
  const amount = priceTag(city.baseNightly * (1 + 0.5 * bedrooms), city.currency);
  const nothing = formatAmount(0, city.currency);
  return { deposit: { amount, refundable: true }, due_on_site: { amount: nothing, per: 'stay' } };
}

function priceTag(units: number, currency: string): string {
  const step = currency === 'JPY' ? 100 : currency === 'DKK' ? 5 : 1;
  const rounded = Math.max(step, Math.round(units / step) * step);
  return formatAmount(parseAmount(String(rounded), currency) ?? 0, currency);
}

const yearEndOf = (year: number) => ({ from: `${year}-12-21`, to: `${year + 1}-01-03` });

const quietWeeksOf = (year: number) => ({ from: `${year}-01-10`, to: `${year}-03-01` });

/** A high season that begins late in a year ends in the next one. */
function highSeasonOf({ city: { highSeason } }: Property, year: number) {
  const endYear = highSeason.to < highSeason.from ? year + 1 : year;
  return { from: `${year}-${highSeason.from}`, to: `${endYear}-${highSeason.to}` };
}

/** Some villas change guests on Saturdays only; some hosts take no arrivals on Sundays. */
function closedWeekdays(byTheWeek: boolean, dice: number): Pick<Rates, 'no_arrival_on' | 'no_departure_on'> {
  const allButSaturday: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'];
  if (byTheWeek) return { no_arrival_on: allButSaturday, no_departure_on: allButSaturday };
  if (dice < 0.14) return { no_arrival_on: ['sun'] };
  if (dice < 0.22) return { no_arrival_on: ['sun', 'mon'], no_departure_on: ['sun'] };
  if (dice < 0.28) return { no_arrival_on: ['fri'] };
  return {};
}

function discountsFor(dice: number): Rates['discounts'] {
  if (dice < 0.35) return [];
  const week = { nights: 7, percent: 5 + Math.floor(dice * 10), label: 'A week or longer' };
  return dice < 0.6 ? [week] : [week, { nights: 28, percent: 22, label: 'Four weeks or longer' }];
}

/** The cheapest night of the list, before fees and taxes. */
export function lowestNightly(rates: Rates, currency: string): MinorUnits {
  const prices = [rates.nightly, ...rates.seasons.map((season) => season.nightly)];
  return Math.min(...prices.map((price) => parseAmount(price, currency) ?? Number.POSITIVE_INFINITY));
}

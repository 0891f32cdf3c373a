import { decimalsOf } from '../../src/stay/money.ts';
import type { SyntheticCountry } from './countries.ts';
import type { Nights } from './seasons.ts';
import type { SeededRandom } from './seeded-random.ts';

/** From how much demand on a night belongs to the next dearer season. */
const SEASONS_FROM = [0.75, 1, 1.25, 1.6];

/**
 * Of a hundred homes 58 change their price every night, in whole units of the currency; 32 have a few seasons, half of them
 * with a surcharge at weekends; 8 always cost the same and 2 say no price. One in twenty lacks the prices of some nights.
 */
export function writePrices(
  price: Uint32Array,
  random: SeededRandom,
  { demand, weekend }: Nights,
  { currency, level }: SyntheticCountry,
  guests: number,
): void {
  const unit = 10 ** decimalsOf(currency);
  // Between a third and three times the usual, and larger homes cost more.
  const base = (45 + 22 * guests) * level * 3 ** (2 * random.share() - 1);
  const atWeekends = random.percent(65) ? 1.05 + 0.3 * random.share() : 1;
  const policy = random.share() * 100;
  const inUnits = (amount: number) => Math.max(1, Math.round(amount)) * unit;
  if (policy < 58) {
    for (let night = 0; night < price.length; night += 1) {
      const usual = base * (demand[night] ?? 1) * (weekend[night] === 1 ? atWeekends : 1);
      price[night] = inUnits(usual * (0.9 + 0.2 * random.share()));
    }
  } else if (policy < 90) {
    const hasWeekends = random.percent(50);
    const seasons = [0.7, 0.9, 1, 1.3, 1.7].map((factor) => [
      inUnits(base * factor),
      inUnits(base * factor * (hasWeekends ? 1.2 : 1)),
    ]);
    for (let night = 0; night < price.length; night += 1) {
      let season = 0;
      while (season < SEASONS_FROM.length && (demand[night] ?? 1) >= (SEASONS_FROM[season] ?? 0)) season += 1;
      price[night] = seasons[season]?.[weekend[night] ?? 0] ?? 0;
    }
  } else if (policy < 98) price.fill(inUnits(base));
  if (random.percent(5)) leaveOut(price, random);
}

function leaveOut(price: Uint32Array, random: SeededRandom): void {
  for (let hole = random.below(6); hole >= 0; hole -= 1) {
    const from = random.below(price.length);
    price.fill(0, from, from + 1 + random.below(14));
  }
}

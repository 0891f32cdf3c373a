import type { Day } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { exactAmount, nightRates } from './night-rates.ts';
import type { Rates } from './rate-card.ts';

export type PricedStay = {
  readonly total: MinorUnits;
  readonly lines: readonly { readonly label: string; readonly amount: MinorUnits }[];
};

export type StaySize = { readonly nights: number; readonly guests: number };

/**
 * The final price of a stay, line by line in minor units: nights, extra guests, discount, fees, taxes. Only percentages can
 * fall between two minor units: each such line is rounded by itself, half up (a discount of 0.5 cents lowers the price by
 * 1 cent), and the total is the sum of the lines. `canBook` says whether the stay can be booked.
 */
export function priceStay(request: {
  readonly rates: Rates;
  readonly currency: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): PricedStay {
  const { rates, currency, checkIn, checkOut, guests } = request;
  const nights = checkOut - checkIn;
  if (nights < 1 || guests < 1) throw new RangeError('a stay has at least one night and one guest');
  const stay: StaySize = { nights, guests };

  const rateOf = nightRates(rates, currency);
  let nightsPrice = 0;
  for (let night = checkIn; night < checkOut; night += 1) nightsPrice += rateOf(night).price;
  const lines = [{ label: nights === 1 ? '1 night' : `${nights} nights`, amount: nightsPrice }];

  const extraGuests = rates.extra_guest ? Math.max(0, guests - rates.extra_guest.above) : 0;
  if (rates.extra_guest && extraGuests > 0) {
    const amount = exactAmount(rates.extra_guest.nightly, currency) * extraGuests * nights;
    lines.push({ label: 'Extra guests', amount });
  }

  const discount = longestReached(rates.discounts, nights);
  if (discount) lines.push({ label: discount.label, amount: -percentOf(sum(lines), discount.percent) });

  for (const fee of rates.fees) {
    lines.push({ label: fee.label, amount: exactAmount(fee.amount, currency) * timesCharged(fee.per, stay) });
  }

  const taxable = sum(lines);
  for (const tax of rates.taxes) {
    if ('percent' in tax) {
      lines.push({ label: tax.label, amount: percentOf(taxable, tax.percent) });
    } else {
      const taxed = { guests, nights: Math.min(nights, tax.first_nights ?? nights) };
      lines.push({
        label: tax.label,
        amount: exactAmount(tax.amount, currency) * timesCharged(tax.per, taxed),
      });
    }
  }

  const total = sum(lines);
  if (!Number.isSafeInteger(total)) throw new RangeError('the price of the stay is too large to be exact');
  return { total, lines };
}

function longestReached(discounts: Rates['discounts'], nights: number) {
  return discounts
    .filter((discount) => discount.nights <= nights)
    .reduce<Rates['discounts'][number] | undefined>(
      (longest, discount) => (longest && longest.nights >= discount.nights ? longest : discount),
      undefined,
    );
}

export function timesCharged(
  per: 'stay' | 'night' | 'guest' | 'guest_night',
  { nights, guests }: StaySize,
): number {
  return { stay: 1, night: nights, guest: guests, guest_night: guests * nights }[per];
}

/** Half up, in exact arithmetic: a percentage is taken to the millionth. */
function percentOf(amount: MinorUnits, percent: number): MinorUnits {
  const scaled = BigInt(amount) * BigInt(Math.round(percent * 1_000_000));
  return Number((scaled + 50_000_000n) / 100_000_000n);
}

function sum(lines: readonly { readonly amount: MinorUnits }[]): MinorUnits {
  return lines.reduce((total, line) => total + line.amount, 0);
}

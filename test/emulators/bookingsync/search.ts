import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedRequest } from '../exchange.ts';
import type { EmulatedHome } from '../homes.ts';
import type { EmulatedStay, EmulatedWorld } from '../world.ts';
import { compactDay } from './calendars.ts';
import { decimalText, withPoint } from './decimals.ts';
import { type BookingsyncRecord, rentalIdOf } from './record.ts';

const TAX_ID = 1;

/** The live quote: rentals that cannot be booked are left out, without a reason. */
export function searchRentals({ query, host }: EmulatedRequest, world: EmulatedWorld): BookingsyncRecord[] {
  const ids = query.get('rental_id') ?? query.get('id');
  const wanted = ids === null ? undefined : new Set(ids.split(',').map(Number));
  const guests = Number(query.get('guests') ?? 0);
  const from = compactDay(query.get('start_at'));
  const to = compactDay(query.get('end_at'));
  const withUnavailable = query.get('include_not_available') === 'true';
  const suits = (home: EmulatedHome) =>
    (wanted?.has(rentalIdOf(home.id)) ?? true) &&
    home.maxGuests >= guests &&
    home.bedrooms >= Number(query.get('bedrooms_count') ?? 0) &&
    (query.get('city') ?? home.city) === home.city &&
    (query.get('country_code') ?? home.countryCode) === home.countryCode;

  return world.homes.filter(suits).flatMap((home) => {
    // Adults and children only change prices; a party that is too large is refused by `guests`.
    const stay = from && to ? world.stay(home.id, from, to, 0) : null;
    if (stay && !('refused' in stay)) return [foundRental(home, host, stay)];
    return stay === null || withUnavailable ? [foundRental(home, host, null)] : [];
  });
}

function foundRental(home: EmulatedHome, host: string, stay: EmulatedStay | null): BookingsyncRecord {
  const money = (minorUnits: number) => toDecimal(minorUnits, home.currency);
  const tax = {
    name: { en: 'VAT' },
    percentage: withPoint(home.taxPercent),
    amount: decimalText(stay?.tax ?? 0, home.currency),
  };
  const cleaning = {
    name: { en: 'Cleaning' },
    required: true,
    price: decimalText(home.cleaningFee, home.currency),
    quantity: 1,
    id: home.id,
    rentals_fee_id: rentalIdOf(home.id),
  };
  const taxed = {
    ...tax,
    taxable_type: 'Rental',
    taxable_id: rentalIdOf(home.id),
    tax_id: TAX_ID,
    included: false,
  };
  return {
    links: { rentals_fees: `http://${host}/api/v3/rentals_fees/{rentals.rentals_fees}` },
    id: rentalIdOf(home.id),
    currency: home.currency,
    damage_deposit: money(home.deposit),
    initial_price: stay ? money(stay.accommodation) : null,
    final_price: stay ? money(stay.total) : null,
    price_to_pay_now: stay ? money(Math.round(stay.total * 0.3)) : null,
    taxes: stay && stay.tax > 0 ? [tax] : [],
    price_details: {
      taxes: stay && stay.tax > 0 ? [taxed] : [],
      fees: stay && stay.cleaning > 0 ? [cleaning] : [],
    },
  };
}

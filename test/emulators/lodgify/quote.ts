import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedStay, StayRefusal } from '../world.ts';
import { type LodgifyRateSettings, propertyIdOf, roomTypeIdOf } from './catalogue.ts';
import { LODGIFY_CODES, type LodgifyCode } from './errors.ts';

export const REFUSALS: Readonly<Record<StayRefusal, { code: LodgifyCode; message: string }>> = {
  unknown_home: { code: LODGIFY_CODES.notFound, message: 'Property not found' },
  not_a_stay: { code: LODGIFY_CODES.argumentError, message: 'Departure has to be after arrival' },
  past: { code: LODGIFY_CODES.arrivalNotValid, message: 'Arrival date is in the past' },
  taken: { code: LODGIFY_CODES.propertyNotAvailable, message: 'The property is not available' },
  minimum_stay: { code: LODGIFY_CODES.minStayRequired, message: 'A longer stay is required' },
  // Rates end at the longest stay, so nothing is defined beyond it.
  maximum_stay: { code: LODGIFY_CODES.noRateDefined, message: 'No rate is defined for this stay' },
  closed_to_arrival: { code: LODGIFY_CODES.arrivalNotValid, message: 'Arrival is not possible on this day' },
  closed_to_departure: {
    code: LODGIFY_CODES.departureNotValid,
    message: 'Departure is not possible on this day',
  },
  too_many_guests: { code: LODGIFY_CODES.validationError, message: 'Too many people for this room type' },
};

type QuotePrice = {
  readonly uid: string;
  readonly description: string;
  readonly amount: number;
  readonly fee_type: number | null;
  readonly room_rate_type: number | null;
};

export function quoteOf(
  stay: EmulatedStay,
  dates: { readonly arrival: string; readonly departure: string },
  people: number,
  settings: LodgifyRateSettings,
) {
  const { home } = stay;
  const room = roomTypeIdOf(home);
  const decimal = (minor: number) => toDecimal(minor, home.currency);
  const total = decimal(stay.total);
  const vat = Math.round(stay.total - stay.total / (1 + settings.vatPercent / 100));
  const priceType = (type: number, description: string, minor: number, price: Partial<QuotePrice>) => ({
    type,
    is_negative: false,
    description,
    prices: [
      { uid: '', description, amount: decimal(minor), fee_type: null, room_rate_type: null, ...price },
    ],
    subtotal: decimal(minor),
  });
  return {
    total_including_vat: settings.isVatExclusive ? null : total,
    total_excluding_vat: settings.isVatExclusive ? decimal(stay.total - vat) : null,
    total_vat: settings.isVatExclusive ? decimal(vat) : null,
    property_id: propertyIdOf(home),
    date_arrival: `${dates.arrival}T00:00:00`,
    date_departure: `${dates.departure}T00:00:00`,
    currency_code: home.currency,
    room_types: [
      {
        room_type_id: room,
        name: home.name,
        people,
        price_types: [
          priceType(0, 'Room Rate', stay.accommodation, {
            uid: `RoomRate-RoomType-${room}-Stay`,
            description: 'RoomType',
            room_rate_type: 0,
          }),
          ...(stay.cleaning === 0
            ? []
            : [
                priceType(2, 'Fees', stay.cleaning, {
                  uid: `Fee-RoomType-${room}-Cleaning-79548`,
                  description: 'Cleaning',
                  fee_type: 0,
                }),
              ]),
          ...(stay.tax === 0
            ? []
            : [
                priceType(4, 'Taxes', stay.tax, {
                  uid: `Tax-RoomRate-RoomType-${room}-Stay-26918`,
                  description: 'Local Tax',
                }),
              ]),
        ],
        subtotal: total,
      },
    ],
    add_ons: [],
    other_items: [],
    add_ons_subtotal: 0,
    rate_policy_user_id: null,
    scheduled_payments: [{ type: 'Payment', date_due: 'On agreement', amount: total, is_current: true }],
    scheduled_damage_protection: [],
    security_deposit: decimal(home.deposit),
    total_scheduled_payments: total,
    total_to_collect_manually: 0,
    amount_gross: total,
    rental_agreement: 'd5958e3f-0000-4000-8000-8b16136860ab',
    cancellation_policy_text: home.cancellation,
    security_deposit_text:
      home.deposit === 0 ? 'No damage deposit is due.' : 'A damage deposit is due before arrival.',
    is_verification: false,
  };
}

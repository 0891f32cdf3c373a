import { decimalsOf, toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedHome } from '../homes.ts';
import type { RoomPlan } from './rooms.ts';

const ROOM_TYPES_FROM = 20;
const STORED_AT = '2026-10-02 17:05:21';

/** The homes of a city are the room types of one hotel, which has the place, hours and policies of the first. */
export type QloHotel = { readonly id: number; readonly homes: readonly [EmulatedHome, ...EmulatedHome[]] };

type QloRecord = Readonly<Record<string, unknown>> & { readonly id: number };

type QloResource = {
  /** What a record and a list of them are called in an answer; a list is called like its resource unless told. */
  readonly one: string;
  readonly many?: string;
  readonly records: readonly QloRecord[];
};

export function roomTypeIdOf(home: EmulatedHome): number {
  return ROOM_TYPES_FROM + home.id;
}

export function hotelsOf(homes: readonly EmulatedHome[]): readonly QloHotel[] {
  const byCity = Map.groupBy(homes, ({ city, countryCode }) => `${countryCode} ${city}`);
  return [...byCity.values()].flatMap(([first, ...others], index) =>
    first ? [{ id: index + 1, homes: [first, ...others] }] : [],
  );
}

export function imageIdsOf(home: EmulatedHome): readonly number[] {
  return home.images.map((_, index) => home.id * 10 + index + 1);
}

/** Everything that can be listed, in the shapes and types that the running system answers with. */
export function resourcesOf(
  hotels: readonly QloHotel[],
  plan: RoomPlan,
  preparationDays: number | null,
): Readonly<Record<string, QloResource>> {
  const homes = hotels.flatMap((hotel) => hotel.homes);
  const features = [...new Set(homes.flatMap(({ amenities }) => amenities))];
  const countries = [...new Set(homes.map(({ countryCode }) => countryCode))];
  const currency = homes[0]?.currency ?? 'EUR';
  const featureIds = (home: EmulatedHome) => home.amenities.map((key) => ({ id: features.indexOf(key) + 1 }));
  return {
    hotels: { one: 'hotel', records: hotels.map((hotel) => hotelRecord(hotel, countries, preparationDays)) },
    room_types: {
      one: 'room_type',
      records: hotels.flatMap((hotel) =>
        hotel.homes.map((home) => roomTypeRecord(home, hotel.id, plan, featureIds(home))),
      ),
    },
    hotel_rooms: {
      one: 'room',
      many: 'rooms',
      records: hotels.flatMap((hotel) =>
        hotel.homes.flatMap((home) =>
          plan.roomsOf(home.id).map((room) => ({
            id: room.id,
            id_product: roomTypeIdOf(home),
            id_hotel: hotel.id,
            room_num: room.number,
            id_status: 1,
            floor: 'First',
            comment: '',
            date_add: STORED_AT,
            date_upd: STORED_AT,
          })),
        ),
      ),
    },
    room_type_features: {
      one: 'room_type_feature',
      records: features.map((key, index) => ({
        id: index + 1,
        id_default_image: index + 1,
        position: index,
        name: FEATURE_NAMES[key] ?? key.split('_').join(' '),
      })),
    },
    hotel_features: { one: 'hotel_feature', records: [] },
    hotel_refund_rules: {
      one: 'hotel_refund_rule',
      records: hotels.flatMap(({ id, homes: [{ freeCancellationDays: days, cancellation }] }) =>
        days === null
          ? []
          : [
              {
                id,
                payment_type: 1,
                days: String(days),
                deduction_value_full_pay: '0.000000',
                deduction_value_adv_pay: '0.000000',
                date_add: STORED_AT,
                date_upd: STORED_AT,
                name: `${days} days`,
                description: cancellation,
              },
            ],
      ),
    },
    currencies: {
      one: 'currency',
      records: [
        {
          id: 1,
          name: currency,
          iso_code: currency,
          blank: 0,
          sign: currency,
          format: 1,
          decimals: decimalsOf(currency) === 0 ? 0 : 1,
          conversion_rate: '1.000000',
          deleted: 0,
          active: 1,
        },
      ],
    },
    countries: {
      one: 'country',
      records: countries.map((code, index) => ({
        id: countryId(index),
        id_zone: 1,
        id_currency: 0,
        call_prefix: 351,
        iso_code: code,
        active: 1,
        contains_states: 0,
        name: new Intl.DisplayNames(['en'], { type: 'region' }).of(code),
      })),
    },
    states: { one: 'state', records: [] },
  };
}

const FEATURE_NAMES: Readonly<Record<string, string>> = {
  wifi: 'Wi-Fi',
  tv: 'TV',
  kitchen: 'Kitchen',
  washing_machine: 'Washing machine',
  air_conditioning: 'Air conditioning',
  pool: 'Swimming pool',
  parking: 'Parking',
  pets_allowed: 'Pets allowed',
};

function hotelRecord(
  { id, homes }: QloHotel,
  countries: readonly string[],
  preparationDays: number | null,
): QloRecord {
  const [first] = homes;
  const refunds = first.freeCancellationDays !== null;
  return {
    id,
    phone: '0987654321',
    address: 'Rua do Cais 7',
    id_country: countryId(countries.indexOf(first.countryCode)),
    id_state: 0,
    city: first.city,
    zipcode: '1100-148',
    id_default_image: false,
    use_global_max_order_date: 1,
    max_order_date: '0000-00-00',
    use_global_preparation_time: preparationDays === null ? 1 : 0,
    // A hotel that follows the website has a day of zeros here.
    preparation_time: preparationDays ?? '0000-00-00',
    email: 'hotel-private@example.com',
    // Stars of the house, not what guests say.
    rating: 3,
    check_in: hour(first.checkInHour),
    check_out: hour(first.checkOutHour),
    active: 1,
    latitude: first.latitude.toFixed(8),
    longitude: first.longitude.toFixed(8),
    map_formated_address: '',
    map_input_text: '',
    active_refund: refunds ? 1 : 0,
    date_add: STORED_AT,
    date_upd: STORED_AT,
    policies: `<div>\n  <div>- ${escapeHtml(first.cancellation)}</div></div>`,
    hotel_name: `${first.city} Residences`,
    description: `<div><strong>${first.city} Residences</strong></div>`,
    short_description: `${first.city} Residences`,
    associations: {
      room_types: homes.map((home) => ({ id: roomTypeIdOf(home) })),
      ...(refunds ? { hotel_refund_rules: [{ id }] } : {}),
    },
  };
}

function roomTypeRecord(
  home: EmulatedHome,
  hotelId: number,
  plan: RoomPlan,
  features: readonly { readonly id: number }[],
): QloRecord {
  return {
    id: roomTypeIdOf(home),
    id_hotel: hotelId,
    adults: home.maxGuests,
    children: maxChildrenOf(home),
    id_category_default: 8,
    new: null,
    id_default_image: imageIdsOf(home)[0] ?? false,
    id_tax_rules_group: 1,
    type: 'virtual',
    reference: '',
    is_virtual: 1,
    on_sale: 0,
    minimal_quantity: 1,
    // Without tax, and without what is added to every booking.
    price: toDecimal(home.nightlyPrice('2026-01-01'), home.currency).toFixed(6),
    active: 1,
    available_for_order: 1,
    available_date: '0000-00-00',
    condition: 'new',
    show_at_front: 1,
    show_price: 1,
    visibility: 'both',
    date_add: STORED_AT,
    date_upd: STORED_AT,
    meta_description: '',
    link_rewrite: home.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    name: home.name,
    description: `<p>${escapeHtml(home.description)}</p>`,
    description_short: '',
    associations: {
      advance_payments: [
        { id: 1, payment_type: 0, tax_include: 0, value: '0.000000', active: 0, calculate_from: 0 },
      ],
      categories: [{ id: 2 }],
      images: imageIdsOf(home).map((id) => ({ id })),
      room_type_features: features,
      hotel_rooms: plan.roomsOf(home.id).map(({ id }) => ({ id })),
      services: [],
    },
  };
}

export function maxChildrenOf(home: EmulatedHome): number {
  return home.maxGuests - 1;
}

function countryId(index: number): number {
  return 15 + index;
}

function hour(value: number): string {
  return `${String(value).padStart(2, '0')}:00`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

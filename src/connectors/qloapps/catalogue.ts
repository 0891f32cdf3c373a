import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { ConnectTools } from '../connector.ts';
import { createGatherListings } from '../shared/listings/gather-listings.ts';
import type { CallPass } from '../shared/vendors/vendor-calls.ts';
import { readPages } from '../shared/vendors/vendor-calls.ts';
import type { QloappsCalls } from './api.ts';
import { QLOAPPS_PAGE, type QloappsHotel } from './payloads.ts';
import type { QloappsRefunds, QloappsRoomType, QloappsRoomTypesParameters } from './room-types.ts';

export type QloappsCatalogueTerms = Pick<
  QloappsRoomTypesParameters,
  'picturesUrl' | 'bookingMode' | 'cancellationText' | 'leadDays'
> & {
  /** Whether the refund rules of the hotels apply; null when the entry does not state it. */
  readonly refundRulesApply: boolean | null;
};

const MAX_PAGES = 100;
/** A thousand hotels with short policies. They are copied for each page of room types, which must not block the event loop. */
const MAX_HOTEL_BYTES = 2 * 1024 * 1024;
/** The largest number of room types. */
const MAX_CAPACITIES = MAX_PAGES * QLOAPPS_PAGE;
const MS_PER_DAY = 86_400_000;
/** Sample stays that show the size of rooms: a short and a longer one, because restrictions can exclude either. */
const SAMPLE_STAYS = [
  { inDays: 30, nights: 1 },
  { inDays: 90, nights: 7 },
] as const;

/** Reads the hotels, then their room types. The currency and the number of adults come from sample prices. */
export function createQloappsCatalogue({
  calls,
  terms,
  tools: { context, clock, intake, budget },
}: {
  readonly calls: QloappsCalls;
  readonly terms: QloappsCatalogueTerms;
  readonly tools: Pick<ConnectTools, 'context' | 'clock' | 'intake' | 'budget'>;
}): (pass: CallPass) => Promise<{
  readonly reading: CatalogueReading;
  readonly roomTypes: ReadonlyMap<string, QloappsRoomType>;
}> {
  const { picturesUrl, bookingMode, cancellationText, leadDays } = terms;

  async function readHotels(sent: (bytes: number) => void, pass: CallPass) {
    const hotels = new Map<string, QloappsHotel>();
    let hotelBytes = 0;
    await readPages({ of: 'hotels', max: MAX_PAGES }, async (page) => {
      const before = hotels.size;
      const { summary } = await calls.list('hotels', partOf(page), {
        task: 'qloapps_hotels',
        parameters: null,
        ...pass,
        sent,
        take(some, weight) {
          hotelBytes += weight;
          if (hotelBytes > MAX_HOTEL_BYTES) {
            throw new BookingSystemFailure('too_large', `the hotels take more than ${MAX_HOTEL_BYTES} bytes`);
          }
          for (const hotel of some) hotels.set(hotel.id, hotel);
        },
      });
      // A server that ignores `limit` would send the same page endlessly.
      return { isLast: hotels.size === before || summary.onPage < QLOAPPS_PAGE };
    });
    return hotels;
  }

  async function readFeatures(name: 'hotel_features' | 'room_type_features', pass: CallPass) {
    const answer = await calls.listIfAllowed(name, {
      task: 'qloapps_features',
      parameters: { name },
      ...pass,
    });
    return answer ? new Map(answer.items) : null;
  }

  async function readRefunds(pass: CallPass): Promise<QloappsRefunds> {
    if (terms.refundRulesApply === null) return { kind: 'not_said' };
    if (!terms.refundRulesApply) return { kind: 'none' };
    const resource = 'hotel_refund_rules';
    const call = { task: 'qloapps_refund_rules', parameters: null, ...pass } as const;
    const { items } = await calls.list(resource, {}, call);
    return { kind: 'by_rules', rules: new Map(items) };
  }

  /** Leaves out room types without a free room in any of the sample stays. */
  async function readCapacities(hotels: Iterable<QloappsHotel>, pass: CallPass) {
    const capacities = new Map<string, number>();
    let currency: string | null = null;
    const today = todayOf(clock);
    for (const { id: hotel } of hotels) {
      for (const { inDays, nights } of SAMPLE_STAYS) {
        const from = today + inDays;
        const call = { task: 'qloapps_capacities', parameters: null, ...pass } as const;
        const { items, summary } = await calls.ari({ hotel, from, to: from + nights }, call);
        for (const [roomType, adults] of items) {
          if (capacities.size < MAX_CAPACITIES) capacities.set(roomType, adults);
        }
        currency ??= summary.currency;
      }
    }
    return { capacities, currency: currency ?? '' };
  }

  return async (pass) => {
    const gather = createGatherListings({ intake, context, budget });
    const roomTypes = new Map<string, QloappsRoomType>();
    const hotels = await readHotels(gather.sent, pass);
    const parameters = {
      ...gather.parameters,
      hotels,
      hotelFeatures: await readFeatures('hotel_features', pass),
      roomTypeFeatures: await readFeatures('room_type_features', pass),
      refunds: await readRefunds(pass),
      ...(await readCapacities(hotels.values(), pass)),
      picturesUrl,
      bookingMode,
      cancellationText,
      leadDays,
    } satisfies QloappsRoomTypesParameters;
    const seen = new Set<string>();
    await readPages({ of: 'room_types', max: MAX_PAGES }, async (page) => {
      const before = seen.size;
      let found = 0;
      const { summary } = await calls.list('room_types', partOf(page), {
        task: 'qloapps_room_types',
        parameters,
        ...pass,
        sent: gather.sent,
        take(some, weight) {
          gather.take(
            some.filter(({ reference }) => !seen.has(reference)),
            weight,
          );
          found += some.length;
          for (const { reference, property, known } of some) {
            seen.add(reference);
            if (property && known && !roomTypes.has(reference)) roomTypes.set(reference, known);
          }
        },
      });
      if (found > 0 && seen.size === before) return { isLast: true };
      gather.ended(summary);
      return { isLast: summary.onPage < QLOAPPS_PAGE };
    });
    return { reading: gather.reading(), roomTypes };
  };
}

function partOf(page: number) {
  return { limit: `${page * QLOAPPS_PAGE},${QLOAPPS_PAGE}`, sort: '[id_ASC]' };
}

function todayOf(clock: Clock): number {
  return Math.floor(clock.now() / MS_PER_DAY);
}

import type { Clock } from '../../clock.ts';
import { BookingSystemFailure, type CatalogueReading } from '../../quotes/booking-system.ts';
import type { OwnedBytes } from '../../worker-thread.ts';
import type { ConnectTools } from '../connector.ts';
import { createGatherListings } from '../listings/gather-listings.ts';
import type { AriQuestion } from './ari-request.ts';
import { QLOAPPS_PAGE, type QloappsHotel } from './read-qloapps-hotels.ts';
import type { QloappsRefundRule } from './read-qloapps-refund-rules.ts';
import type { QloappsRoomType, QloappsRoomTypesParameters } from './read-qloapps-room-types.ts';
import type { QloappsRefunds } from './refund-policy.ts';

/** The calls that a catalogue needs. */
export type QloappsCatalogueCalls = {
  /** Null when the key may not read the resource. */
  list(
    resource: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OwnedBytes | null>;
  ari(question: AriQuestion, signal: AbortSignal): Promise<OwnedBytes>;
};

export type QloappsCatalogueTerms = Pick<
  QloappsRoomTypesParameters,
  'picturesUrl' | 'bookingMode' | 'cancellationText' | 'leadDays'
> & {
  /** Whether the refund rules of the hotels apply; null when the owner does not say. */
  readonly refundRulesApply: boolean | null;
};

const MAX_PAGES = 100;
/** They are copied for each page of room types, which must not take the event loop long: a thousand hotels with a short policy. */
const MAX_HOTEL_BYTES = 2 * 1024 * 1024;
/** As many as there can be room types. */
const MAX_CAPACITIES = MAX_PAGES * QLOAPPS_PAGE;
const MS_PER_DAY = 86_400_000;
/** Stays for which rooms are asked how large they are: a short and a longer one, because both can be forbidden. */
const SAMPLE_STAYS = [
  { inDays: 30, nights: 1 },
  { inDays: 90, nights: 7 },
] as const;

/** Hotels, then their room types, with what only a price tells: the currency and how many adults a room takes. */
export function createQloappsCatalogue({
  calls,
  terms,
  refusal,
  tools: { context, clock, intake, budget },
}: {
  readonly calls: QloappsCatalogueCalls;
  readonly terms: QloappsCatalogueTerms;
  /** What to say when the key is not accepted, or may not read the resource. */
  readonly refusal: (resource: string) => BookingSystemFailure;
  readonly tools: Pick<ConnectTools, 'context' | 'clock' | 'intake' | 'budget'>;
}): (signal: AbortSignal) => Promise<{
  readonly reading: CatalogueReading;
  readonly roomTypes: ReadonlyMap<string, QloappsRoomType>;
}> {
  const { brand } = context;
  const { picturesUrl, bookingMode, cancellationText, leadDays } = terms;

  async function readPages(
    resource: 'hotels' | 'room_types',
    readPage: (document: OwnedBytes) => Promise<{ readonly onPage: number }>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { limit: `${page * QLOAPPS_PAGE},${QLOAPPS_PAGE}`, sort: '[id_ASC]' };
      const document = await calls.list(resource, query, signal);
      if (document === null) throw refusal(resource);
      const { onPage } = await readPage(document);
      if (onPage < QLOAPPS_PAGE) return;
    }
    throw new BookingSystemFailure('too_large', `there are more than ${MAX_PAGES} pages of ${resource}`);
  }

  async function readHotels(sent: (bytes: number) => void, signal: AbortSignal) {
    const hotels = new Map<string, QloappsHotel>();
    let hotelBytes = 0;
    await readPages(
      'hotels',
      async (document) => {
        sent(document.byteLength);
        const before = hotels.size;
        const { summary } = await intake.run({
          task: 'qloapps_hotels',
          lane: 'background',
          brand,
          document,
          parameters: null,
          signal,
          take(some, weight) {
            hotelBytes += weight;
            if (hotelBytes > MAX_HOTEL_BYTES) {
              throw new BookingSystemFailure(
                'too_large',
                `the hotels take more than ${MAX_HOTEL_BYTES} bytes`,
              );
            }
            for (const hotel of some) hotels.set(hotel.id, hotel);
          },
        });
        // A server that ignores `limit` would send the same page without end.
        return hotels.size === before ? { onPage: 0 } : summary;
      },
      signal,
    );
    return hotels;
  }

  async function readFeatures(
    name: 'hotel_features' | 'room_type_features',
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string> | null> {
    const document = await calls.list(name, {}, signal);
    if (document === null) return null;
    const names = new Map<string, string>();
    await intake.run({
      task: 'qloapps_features',
      lane: 'background',
      brand,
      document,
      parameters: { name },
      signal,
      take(some) {
        for (const [id, word] of some) names.set(id, word);
      },
    });
    return names;
  }

  async function readRefunds(signal: AbortSignal): Promise<QloappsRefunds> {
    if (terms.refundRulesApply === null) return { kind: 'not_said' };
    if (!terms.refundRulesApply) return { kind: 'none' };
    const document = await calls.list('hotel_refund_rules', {}, signal);
    if (document === null) throw refusal('hotel_refund_rules');
    const rules = new Map<string, QloappsRefundRule>();
    await intake.run({
      task: 'qloapps_refund_rules',
      lane: 'background',
      brand,
      document,
      parameters: null,
      signal,
      take(some) {
        for (const [id, rule] of some) rules.set(id, rule);
      },
    });
    return { kind: 'by_rules', rules };
  }

  /** Room types without a free room in any of the stays are missing. */
  async function readCapacities(hotels: Iterable<QloappsHotel>, signal: AbortSignal) {
    const capacities = new Map<string, number>();
    let currency: string | null = null;
    const today = todayOf(clock);
    for (const { id: hotel } of hotels) {
      for (const { inDays, nights } of SAMPLE_STAYS) {
        const from = today + inDays;
        const { summary } = await intake.run({
          task: 'qloapps_capacities',
          lane: 'background',
          brand,
          document: await calls.ari({ hotel, from, to: from + nights }, signal),
          parameters: null,
          signal,
          take(some) {
            for (const [roomType, adults] of some) {
              if (capacities.size < MAX_CAPACITIES) capacities.set(roomType, adults);
            }
          },
        });
        currency ??= summary.currency;
      }
    }
    return { capacities, currency: currency ?? '' };
  }

  return async (signal) => {
    const gather = createGatherListings({ intake, context, budget });
    const roomTypes = new Map<string, QloappsRoomType>();
    const hotels = await readHotels(gather.sent, signal);
    const parameters = {
      ...gather.parameters,
      hotels,
      hotelFeatures: await readFeatures('hotel_features', signal),
      roomTypeFeatures: await readFeatures('room_type_features', signal),
      refunds: await readRefunds(signal),
      ...(await readCapacities(hotels.values(), signal)),
      picturesUrl,
      bookingMode,
      cancellationText,
      leadDays,
    } satisfies QloappsRoomTypesParameters;
    const seen = new Set<string>();
    await readPages(
      'room_types',
      async (document) => {
        gather.sent(document.byteLength);
        const before = seen.size;
        let found = 0;
        const { summary } = await intake.run({
          task: 'qloapps_room_types',
          lane: 'background',
          brand,
          document,
          parameters,
          signal,
          take(some, weight) {
            gather.take(
              some.filter(({ reference }) => !seen.has(reference)).map(({ property }) => property),
              weight,
            );
            found += some.length;
            for (const { reference, property, known } of some) {
              seen.add(reference);
              if (property && known && !roomTypes.has(reference)) roomTypes.set(reference, known);
            }
          },
        });
        if (found > 0 && seen.size === before) return { onPage: 0 };
        gather.ended(summary);
        return summary;
      },
      signal,
    );
    return { reading: gather.reading(), roomTypes };
  };
}

function todayOf(clock: Clock): number {
  return Math.floor(clock.now() / MS_PER_DAY);
}

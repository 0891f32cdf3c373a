import type { MinorUnits } from '../../stay/money.ts';
import { checkedListings } from '../shared/listings/checked-listings.ts';
import { roundedAmountOf } from '../shared/prices/amount.ts';
import {
  isLooseRecord,
  looseIdentifier,
  looseInteger,
  looseList,
  looseRecord,
} from '../shared/vendors/loose-values.ts';
import { readBeds24Token } from './auth.ts';
import { readBeds24Calendars } from './calendar.ts';
import { readBeds24Page, readBeds24Properties } from './catalogue.ts';

export type Beds24OffersParameters = {
  readonly asked: readonly string[];
  /** The rooms' currency: the answer states none. */
  readonly currency: string;
  /** The only offer that counts; null when all do. */
  readonly offerId: string | null;
};

export type Beds24OfferReading =
  | {
      readonly kind: 'priced';
      readonly reference: string;
      readonly total: MinorUnits;
      /** The room has other offers, whose terms may differ, and the entry names no offer. */
      readonly isOneOfSeveral: boolean;
    }
  | { readonly kind: 'refused' | 'garbled'; readonly reference: string };

const MAX_OFFERS = 100;

/** Intake task: reads one page of `GET /inventory/rooms/offers`. The lowest offer is the price of a room. */
export function* readBeds24Offers(
  document: Uint8Array,
  { asked, currency, offerId }: Beds24OffersParameters,
): Generator<Beds24OfferReading, { readonly hasNextPage: boolean }> {
  const { data, hasNextPage } = readBeds24Page(document);
  const expected = new Set(asked);
  for (const published of data) {
    const { roomId, offers } = looseRecord(published);
    const reference = looseIdentifier(roomId) ?? '';
    if (!expected.delete(reference)) continue;
    yield readOffers(reference, looseList(offers).slice(0, MAX_OFFERS), currency, offerId);
  }
  return { hasNextPage };
}

function readOffers(
  reference: string,
  offers: readonly unknown[],
  currency: string,
  offerId: string | null,
): Beds24OfferReading {
  const prices: MinorUnits[] = [];
  let isGarbled = false;
  for (const offer of offers) {
    if (!isLooseRecord(offer)) {
      isGarbled = true;
      continue;
    }
    if (offerId !== null && looseIdentifier(offer.offerId) !== offerId) continue;
    const units = looseInteger(offer.unitsAvailable);
    if (units !== undefined && units <= 0) continue;
    const price = roundedAmountOf(offer.price, currency);
    if (price === undefined || price <= 0) isGarbled = true;
    else prices.push(price);
  }
  if (prices.length > 0) {
    const isOneOfSeveral = offerId === null && offers.length > 1;
    return { kind: 'priced', reference, total: Math.min(...prices), isOneOfSeveral };
  }
  return { kind: isGarbled ? 'garbled' : 'refused', reference };
}

/** How the intake reads each document of this booking system. */
export const beds24Tasks = {
  beds24_token: readBeds24Token,
  beds24_properties: checkedListings(readBeds24Properties),
  beds24_calendars: readBeds24Calendars,
  beds24_offers: readBeds24Offers,
} as const;

import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Property } from '../../inventory/catalogue.ts';
import { BookingSystemFailure, type CatalogueReading, type HeldBack } from '../../quotes/booking-system.ts';
import { type ListingContext, readListing } from '../listing-reader.ts';
import { EntryTerms, MAX_RATE_CARD_PROPERTIES, type Rates, type TakenNights } from './rate-card.ts';
import { rateFault } from './rate-faults.ts';

export type CardEntry = {
  readonly property: Property;
  readonly rates: Rates;
  readonly booked: readonly TakenNights[];
};

/** A rate card that was accepted: its entries by reference, and what is reported about it. */
export type AcceptedCard = {
  readonly entries: ReadonlyMap<string, CardEntry>;
  readonly reading: CatalogueReading;
};

/** Entries are checked one by one, so that a bad one does not affect the others. */
const cardShape = Compile(
  Type.Object({
    properties: Type.Array(Type.Object({ listing: Type.Unknown() }), { maxItems: MAX_RATE_CARD_PROPERTIES }),
  }),
);
const entryTerms = Compile(EntryTerms);

/** Throws a `BookingSystemFailure` when the document as a whole is no rate card. */
export function readRateCard(json: string, context: ListingContext): AcceptedCard {
  const document = parsed(json);
  if (!cardShape.Check(document)) {
    const [first] = cardShape.Errors(document);
    throw new BookingSystemFailure('garbled', `rate card: ${first?.instancePath} ${first?.message}`);
  }
  const entries = new Map<string, CardEntry>();
  const heldBack: HeldBack[] = [];
  for (const entry of document.properties) {
    const { property, heldBack: parts } = readListing(entry.listing, context);
    heldBack.push(...parts);
    if (!property) continue;
    const { reference } = property;
    const fault = entries.has(reference)
      ? { field: 'reference', reason: 'was listed before; the first listing counts' }
      : termsFault(entry, property.currency);
    if (fault) heldBack.push({ reference, ...fault });
    else if (entryTerms.Check(entry))
      entries.set(reference, { property, rates: entry.rates, booked: entry.booked });
  }
  const properties = [...entries.values()].map(({ property }) => property);
  return { entries, reading: { properties, heldBack } };
}

function termsFault(entry: unknown, currency: string): { field: string; reason: string } | undefined {
  if (entryTerms.Check(entry)) return rateFault(entry.rates, entry.booked, currency);
  const [first] = entryTerms.Errors(entry);
  return {
    field: first?.instancePath.slice(1) ?? '',
    reason: first?.message ?? 'does not follow the schema',
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the rate card is not JSON', { cause });
  }
}

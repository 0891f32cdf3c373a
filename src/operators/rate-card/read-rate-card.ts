import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Property } from '../../inventory/catalogue.ts';
import {
  BookingSystemFailure,
  type CatalogueReading,
  type Deposit,
  type HeldBack,
} from '../../quotes/booking-system.ts';
import { parseAmount } from '../../stay/money.ts';
import { readDeposit } from '../deposit-terms.ts';
import { type ListingContext, readListing } from '../listing-reader.ts';
import {
  DueOnSite,
  EntryTerms,
  MAX_RATE_CARD_PROPERTIES,
  type Rates,
  type TakenNights,
} from './rate-card.ts';
import { rateFault } from './rate-faults.ts';

export type CardEntry = {
  readonly property: Property;
  readonly rates: Rates;
  readonly booked: readonly TakenNights[];
  readonly deposit: Deposit | null;
  readonly dueOnSite: DueOnSite | null;
};

/** A rate card that was accepted: its entries by reference, and what is reported about it. */
export type AcceptedCard = {
  readonly entries: ReadonlyMap<string, CardEntry>;
  readonly reading: CatalogueReading;
};

/** Entries are checked one by one, so that a bad one does not affect the others. */
const cardShape = Compile(
  Type.Object({
    properties: Type.Array(
      Type.Object({
        listing: Type.Unknown(),
        deposit: Type.Optional(Type.Unknown()),
        due_on_site: Type.Optional(Type.Unknown()),
      }),
      { maxItems: MAX_RATE_CARD_PROPERTIES },
    ),
  }),
);
const entryTerms = Compile(EntryTerms);
const dueOnSiteSchema = Compile(DueOnSite);

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
    else if (entryTerms.Check(entry)) {
      const { rates, booked } = entry;
      const deposit = readDeposit(entry.deposit, property.currency);
      const dueOnSite = readDueOnSite(entry.due_on_site, property.currency);
      const report = (field: string) =>
        heldBack.push({ reference, field, reason: 'does not follow the schema, or is not an exact amount' });
      if (deposit === undefined) report('deposit');
      if (dueOnSite === undefined) report('due_on_site');
      entries.set(reference, {
        property,
        rates,
        booked,
        deposit: deposit ?? null,
        dueOnSite: dueOnSite ?? null,
      });
    }
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

/** Undefined when it cannot be understood; null when there is none. */
function readDueOnSite(published: unknown, currency: string): DueOnSite | null | undefined {
  if (published === undefined || published === null) return null;
  if (!dueOnSiteSchema.Check(published)) return undefined;
  return parseAmount(published.amount, currency) === undefined ? undefined : published;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the rate card is not JSON', { cause });
  }
}

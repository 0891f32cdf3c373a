import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceId, Property } from '../../inventory/catalogue.ts';
import { BookingSystemFailure, type Deposit, type HeldBack } from '../../quotes/booking-system.ts';
import { createHeldBackReport } from '../../quotes/held-back-report.ts';
import { parseAmount } from '../../stay/money.ts';
import { readDeposit } from '../deposit-terms.ts';
import { firstFault } from '../first-fault.ts';
import type { AvailabilityFeed } from '../icalendar/availability-feeds.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { createLabelCleaner, type LabelCleaner } from '../label-cleaner.ts';
import { type ListingContext, listedBefore, readListing } from '../listing-reader.ts';
import { DueOnSite, EntryTerms, MAX_RATE_CARD_PROPERTIES, Rates, type TakenNights } from './rate-card.ts';
import { rateFault } from './rate-faults.ts';
import { readFeedAddresses } from './read-feed-addresses.ts';

export type CardEntry = {
  readonly property: Property;
  /** Its labels are clean; one that cannot be shown is empty. */
  readonly rates: Rates;
  readonly booked: readonly TakenNights[];
  /** Take nights besides those that are booked. */
  readonly feeds: readonly AvailabilityFeed[];
  readonly deposit: Deposit | null;
  readonly dueOnSite: DueOnSite | null;
};

/** Apart and before the entries: those of too long a list are not looked at. */
const listShape = Compile(
  Type.Object({ properties: Type.Array(Type.Unknown(), { maxItems: MAX_RATE_CARD_PROPERTIES }) }),
);
/** Entries are checked one by one, so that a bad one does not affect the others. */
const cardShape = Compile(
  Type.Object({
    properties: Type.Array(
      Type.Object({
        listing: Type.Unknown(),
        deposit: Type.Optional(Type.Unknown()),
        due_on_site: Type.Optional(Type.Unknown()),
        availability_feed: Type.Optional(Type.Unknown()),
        availability_feeds: Type.Optional(Type.Unknown()),
      }),
    ),
  }),
);
const entryTerms = Compile(EntryTerms);
const dueOnSiteSchema = Compile(DueOnSite);
const ratesSchema = Compile(Rates);

type CardSummary = { readonly heldBack: readonly HeldBack[]; readonly notListed: number };

/** A task of the intake: the entries of a rate card. Of each only what the schema names is kept. */
export function* readRateCard(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<CardEntry, CardSummary> {
  const card = parseDocument(document);
  if (!listShape.Check(card)) throw garbledCard(listShape, card);
  if (!cardShape.Check(card)) throw garbledCard(cardShape, card);
  const accepted = new Set<string>();
  const report = createHeldBackReport();
  const labels = createLabelCleaner();
  for (const entry of card.properties) {
    const { property, heldBack } = readListing(entry.listing, { ...context, places });
    report.add(heldBack);
    if (!property) continue;
    const { reference, currency } = property;
    if (accepted.has(reference)) {
      report.add([listedBefore(reference)]);
      continue;
    }
    const feeds = readFeedAddresses(entry);
    const fault = termsFault(entry, currency) ?? (feeds.kind === 'invalid' ? feeds.faults[0] : undefined);
    if (fault) report.add([{ reference, ...fault }]);
    else if (entryTerms.Check(entry) && feeds.kind === 'valid') {
      const { rates, booked } = entry;
      const deposit = readDeposit(entry.deposit, currency);
      const dueOnSite = readDueOnSite(entry.due_on_site, currency);
      const reportMember = (field: string) => {
        const reason = 'does not follow the schema, or is not an exact amount';
        report.add([{ reference, field, reason, repaired: true }]);
      };
      if (deposit === undefined) reportMember('deposit');
      if (dueOnSite === undefined) reportMember('due_on_site');
      const shown = withCleanLabels(rates, labels);
      if ([shown.discounts, shown.fees, shown.taxes].flat().some(({ label }) => label === '')) {
        const reason = 'has a label that cannot be shown, so prices with it have no breakdown';
        report.add([{ reference, field: 'rates', reason, repaired: true }]);
      }
      accepted.add(reference);
      yield {
        property,
        rates: shown,
        booked: booked.map(({ from, to }) => ({ from, to })),
        feeds: feeds.value.map((url) => ({ url, timeZone: timeZoneOf(property, places) })),
        deposit: deposit ?? null,
        dueOnSite: dueOnSite ?? null,
      };
    }
  }
  return report.all();
}

/** A property that was accepted is in a city of the network. */
function timeZoneOf({ place }: Property, places: ReadonlyMap<PlaceId, Place>): string {
  return places.get(place)?.timeZone ?? 'UTC';
}

function garbledCard(schema: typeof listShape | typeof cardShape, card: unknown): BookingSystemFailure {
  const [first] = schema.Errors(card);
  return new BookingSystemFailure('garbled', `rate card: ${first?.instancePath} ${first?.message}`);
}

function termsFault(entry: unknown, currency: string): { field: string; reason: string } | undefined {
  if (entryTerms.Check(entry)) return rateFault(entry.rates, entry.booked, currency);
  return firstFault(entryTerms, entry);
}

/** Undefined when it cannot be understood; null when there is none. */
function readDueOnSite(published: unknown, currency: string): DueOnSite | null | undefined {
  if (published === undefined || published === null) return null;
  if (!dueOnSiteSchema.Check(published)) return undefined;
  const { amount, per } = published;
  return parseAmount(amount, currency) === undefined ? undefined : { amount, per };
}

/** Without the members that the schema does not name. Labels are cleaned here, once, and not whenever a stay is priced. */
function withCleanLabels(rates: Rates, labels: LabelCleaner): Rates {
  const known = ratesSchema.Clean(rates);
  if (!ratesSchema.Check(known)) throw new Error('accepted rates are no rates without their other members');
  const { discounts, fees, taxes } = known;
  // A stay has one discount at most, but to judge each beside all the others would take ten times as long.
  const all = [...discounts, ...fees, ...taxes].map(({ label }) => labels.clean(label));
  const canBeShown = labels.canStandTogether(all);
  const labelled = <Part extends { readonly label: string }>(part: Part): Part => ({
    ...part,
    label: canBeShown ? labels.clean(part.label) : '',
  });
  return {
    ...known,
    discounts: discounts.map(labelled),
    fees: fees.map(labelled),
    taxes: taxes.map(labelled),
  };
}

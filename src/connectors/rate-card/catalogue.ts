import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import { createRejectionReport, type RejectionReport } from '../../catalogue/rejections/rejection.ts';
import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { documentAddress } from '../../parsing/web-address.ts';
import type { Deposit } from '../../quotes/booking-system.ts';
import { type AvailabilityFeed, availabilityFeed } from '../icalendar/stored-nights.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { firstFault, type PlacedFault } from '../shared/listings/first-fault.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { RULE_OF_ADDRESS_FAULT } from '../shared/listings/operator-address.ts';
import { readDeposit } from '../shared/prices/quote-parts.ts';
import { looseRecord } from '../shared/vendors/loose-values.ts';
import {
  amountFault,
  type DueOnSite,
  EntryTerms,
  MAX_FEEDS_OF_A_HOME,
  MAX_RATE_CARD_PROPERTIES,
  type Rates,
  rateFault,
  type TakenNights,
} from './rate-card.ts';

export type CardEntry = {
  readonly property: Property;
  /** With clean labels; a label that cannot be shown is empty. */
  readonly rates: Rates;
  readonly booked: readonly TakenNights[];
  /** Feeds that take nights in addition to `booked`. */
  readonly feeds: readonly AvailabilityFeed[];
  readonly deposit: Deposit | null;
  readonly dueOnSite: DueOnSite | null;
};

/** Each entry is checked separately, so that an invalid one does not affect the others. */
const cardShape = Compile(
  Type.Object({ properties: Type.Array(Type.Unknown(), { maxItems: MAX_RATE_CARD_PROPERTIES }) }),
);
const entryTerms = Compile(EntryTerms);

/** Intake task: reads the entries of a rate card, and drops all members that the schema does not name. */
export function* readRateCard(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<CardEntry, ReturnType<RejectionReport['all']>> {
  const card = parseDocument(document);
  if (!cardShape.Check(card)) {
    const [first] = cardShape.Errors(card);
    throw new BookingSystemFailure('garbled', `rate card: ${first?.instancePath} ${first?.message}`);
  }
  const accepted = new Set<string>();
  const report = createRejectionReport();
  for (const published of card.properties) {
    const { listing, ...members } = looseRecord(published);
    const { property, rejections } = readListing(listing, { ...context, places });
    report.add(rejections);
    if (!property) continue;
    const { reference, currency, place } = property;
    const terms = readTerms(members, currency);
    if (accepted.has(reference)) report.add([listedBefore(reference)]);
    else if (terms.kind === 'invalid') report.add(terms.faults.map((fault) => ({ reference, ...fault })));
    else {
      const { booked, deposit, due_on_site: dueOnSite = null, feeds } = terms.value;
      const rates = withCleanLabels(terms.value.rates);
      const unshown = unshownLabel(terms.value.rates, rates);
      if (unshown) report.add([{ reference, ...unshown, repaired: true }]);
      accepted.add(reference);
      // The place of an accepted property is a city of the network.
      const timeZone = places.get(place)?.timeZone ?? 'UTC';
      yield {
        property,
        rates,
        booked,
        feeds: feeds.map((url) => availabilityFeed(url, timeZone)),
        deposit: readDeposit(deposit, currency) ?? null,
        dueOnSite,
      };
    }
  }
  return report.all();
}

type ReadTerms = EntryTerms & { readonly feeds: readonly string[] };

function readTerms(members: unknown, currency: string): Reading<ReadTerms, PlacedFault> {
  const terms = entryTerms.Clean(members);
  if (!entryTerms.Check(terms)) return invalid(withoutAddress(firstFault(entryTerms, members)));
  const { rates, booked, deposit, due_on_site: dueOnSite } = terms;
  const fault =
    rateFault(rates, booked, currency) ??
    amountFault('deposit/amount', deposit?.amount, currency) ??
    amountFault('due_on_site/amount', dueOnSite?.amount, currency);
  if (fault) return invalid(fault);
  const feeds = readFeedAddresses(terms);
  return feeds.kind === 'valid' ? valid({ ...terms, feeds: feeds.value }) : feeds;
}

/** Faults never repeat the address of a feed, because it alone gives access to the feed. */
function withoutAddress({ value, ...fault }: PlacedFault): PlacedFault {
  return value === undefined || fault.field.startsWith('availability_feed') ? fault : { ...fault, value };
}

/** The distinct addresses of a home's feeds. An invalid address rejects the home, because its nights may be taken. */
function readFeedAddresses({
  availability_feed: one,
  availability_feeds: several = [],
}: EntryTerms): Reading<readonly string[], PlacedFault> {
  const named = several.map((address, index) => [`availability_feeds/${index}`, address] as const);
  const all = one == null ? named : [['availability_feed', one] as const, ...named];
  if (all.length > MAX_FEEDS_OF_A_HOME) {
    const reason = `names ${all.length} feeds, must name at most ${MAX_FEEDS_OF_A_HOME}`;
    return invalid({ field: 'availability_feeds', rule: 'too_many_entries', reason });
  }
  const addresses = new Set<string>();
  for (const [field, address] of all) {
    const reading = documentAddress(address);
    if (reading.kind === 'invalid') {
      const [reason = 'is not a whole address'] = reading.faults;
      return invalid({ field, rule: RULE_OF_ADDRESS_FAULT[reason], reason });
    }
    addresses.add(reading.value);
  }
  return valid([...addresses]);
}

/** Cleans the labels here once, not for every price. */
function withCleanLabels(rates: Rates): Rates {
  const { discounts, fees, taxes } = rates;
  // Judge all discounts together, although a stay has at most one: judging each separately takes ten times as long.
  const all = [...discounts, ...fees, ...taxes].map(({ label }) => labelCleaner.clean(label));
  const canBeShown = labelCleaner.canStandTogether(all);
  const labelled = <Part extends { readonly label: string }>(part: Part): Part => ({
    ...part,
    label: canBeShown ? labelCleaner.clean(part.label) : '',
  });
  return {
    ...rates,
    discounts: discounts.map(labelled),
    fees: fees.map(labelled),
    taxes: taxes.map(labelled),
  };
}

/** The first label that cannot be shown. */
function unshownLabel(rates: Rates, shown: Rates): PlacedFault | undefined {
  for (const kind of ['discounts', 'fees', 'taxes'] as const) {
    const index = shown[kind].findIndex(({ label }) => label === '');
    const label = rates[kind][index]?.label;
    if (label === undefined) continue;
    const reason = 'cannot be shown, alone or beside the others, so prices with it have no breakdown';
    const field = `rates/${kind}/${index}/label`;
    return { field, rule: 'label_not_shown', reason, value: shownText(label) };
  }
  return undefined;
}

import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import {
  createRejectionReport,
  type RejectionFault,
  type RejectionReport,
} from '../../catalogue/rejections/rejection.ts';
import { cleanText, labelCleaner } from '../../catalogue/text/operator-text.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { documentAddress } from '../../parsing/web-address.ts';
import type { Deposit } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import { parseAmount } from '../../stay/money.ts';
import { type AvailabilityFeed, availabilityFeed } from '../icalendar/stored-nights.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { type FaultFinder, firstFault, type PlacedFault } from '../shared/listings/first-fault.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { RULE_OF_ADDRESS_FAULT } from '../shared/listings/operator-address.ts';
import { DepositTerms, readDeposit } from '../shared/prices/quote-parts.ts';
import {
  DueOnSite,
  EntryTerms,
  MAX_FEEDS_OF_A_HOME,
  MAX_RATE_CARD_PROPERTIES,
  Rates,
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

/** Checked before the entries, so that the entries of too long a list are not read. */
const listShape = Compile(
  Type.Object({ properties: Type.Array(Type.Unknown(), { maxItems: MAX_RATE_CARD_PROPERTIES }) }),
);
/** Accepts any entry: each is checked separately, so that an invalid one does not affect the others. */
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
const depositSchema = Compile(DepositTerms);
const ratesSchema = Compile(Rates);

type CardSummary = ReturnType<RejectionReport['all']>;

/** Intake task: reads the entries of a rate card, and drops all members that the schema does not name. */
export function* readRateCard(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<CardEntry, CardSummary> {
  const card = parseDocument(document);
  if (!listShape.Check(card)) throw garbledCard(listShape, card);
  if (!cardShape.Check(card)) throw garbledCard(cardShape, card);
  const accepted = new Set<string>();
  const report = createRejectionReport();
  for (const entry of card.properties) {
    const { property, rejections } = readListing(entry.listing, { ...context, places });
    report.add(rejections);
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
      if (deposit === undefined) {
        const broken = amountFault('deposit', depositSchema, entry.deposit, currency);
        report.add([{ reference, ...broken, repaired: true }]);
      }
      if (dueOnSite === undefined) {
        const broken = amountFault('due_on_site', dueOnSiteSchema, entry.due_on_site, currency);
        report.add([{ reference, ...broken, repaired: true }]);
      }
      const shown = withCleanLabels(rates);
      const unshown = unshownLabel(rates, shown);
      if (unshown) report.add([{ reference, ...unshown, repaired: true }]);
      accepted.add(reference);
      yield {
        property,
        rates: shown,
        booked: booked.map(({ from, to }) => ({ from, to })),
        feeds: feeds.value.map((url) => availabilityFeed(url, timeZoneOf(property, places))),
        deposit: deposit ?? null,
        dueOnSite: dueOnSite ?? null,
      };
    }
  }
  return report.all();
}

/** The place of an accepted property is a city of the network, so it has a time zone. */
function timeZoneOf({ place }: Property, places: ReadonlyMap<PlaceId, Place>): string {
  return places.get(place)?.timeZone ?? 'UTC';
}

function garbledCard(schema: typeof listShape | typeof cardShape, card: unknown): BookingSystemFailure {
  const [first] = schema.Errors(card);
  return new BookingSystemFailure('garbled', `rate card: ${first?.instancePath} ${first?.message}`);
}

function termsFault(entry: unknown, currency: string): PlacedFault | undefined {
  if (entryTerms.Check(entry)) return rateFault(entry.rates, entry.booked, currency);
  return firstFault(entryTerms, entry);
}

/** The fault of a deposit or of an amount due on site: its first schema fault, or an inexact amount. */
function amountFault(
  field: string,
  schema: FaultFinder<{ readonly amount: string }>,
  published: unknown,
  currency: string,
): PlacedFault {
  if (schema.Check(published)) {
    return { field: `${field}/amount`, ...inexactAmount(published.amount, currency) };
  }
  const { field: member, ...fault } = firstFault(schema, published);
  return { field: member === '' ? field : `${field}/${member}`, ...fault };
}

/** The first label that cannot be shown, with the fault of its text or that of all labels together. */
function unshownLabel(rates: Rates, shown: Rates): PlacedFault | undefined {
  for (const kind of ['discounts', 'fees', 'taxes'] as const) {
    const index = shown[kind].findIndex(({ label }) => label === '');
    const label = rates[kind][index]?.label;
    if (label === undefined) continue;
    const text = cleanText(label, label.length);
    const [fault] = text.kind === 'invalid' ? text.faults : [];
    const why =
      fault?.reason ?? (label.trim() === '' ? 'is empty' : 'cannot be shown, alone or beside the others');
    return {
      field: `rates/${kind}/${index}/label`,
      rule: 'label_not_shown',
      reason: `${why}, so prices with it have no breakdown`,
      value: fault?.value ?? shownText(label),
    };
  }
  return undefined;
}

/** Undefined when it is invalid; null when there is none. */
function readDueOnSite(published: unknown, currency: string): DueOnSite | null | undefined {
  if (published === undefined || published === null) return null;
  if (!dueOnSiteSchema.Check(published)) return undefined;
  const { amount, per } = published;
  return parseAmount(amount, currency) === undefined ? undefined : { amount, per };
}

/** Drops members that the schema does not name. Cleans the labels here once, not for every price. */
function withCleanLabels(rates: Rates): Rates {
  const known = ratesSchema.Clean(rates);
  if (!ratesSchema.Check(known)) throw new Error('accepted rates are no rates without their other members');
  const { discounts, fees, taxes } = known;
  // Judge all discounts together, although a stay has at most one: judging each separately takes ten times as long.
  const all = [...discounts, ...fees, ...taxes].map(({ label }) => labelCleaner.clean(label));
  const canBeShown = labelCleaner.canStandTogether(all);
  const labelled = <Part extends { readonly label: string }>(part: Part): Part => ({
    ...part,
    label: canBeShown ? labelCleaner.clean(part.label) : '',
  });
  return {
    ...known,
    discounts: discounts.map(labelled),
    fees: fees.map(labelled),
    taxes: taxes.map(labelled),
  };
}

const MAX_ADDRESS_LENGTH = 2048;

/**
 * The distinct addresses of a home's feeds. An invalid address rejects the home, because its nights may be taken. Reasons never repeat
 * an address, because it alone gives access to the feed.
 */
function readFeedAddresses(entry: {
  readonly availability_feed?: unknown;
  readonly availability_feeds?: unknown;
}): Reading<readonly string[], PlacedFault> {
  const { availability_feed: one = null, availability_feeds: several = null } = entry;
  if (several !== null && !Array.isArray(several)) {
    return invalid({
      field: 'availability_feeds',
      rule: 'wrong_type',
      reason: 'must be a list of addresses',
    });
  }
  const named: (readonly [field: string, address: unknown])[] = (several ?? []).map(
    (address: unknown, index) => [`availability_feeds/${index}`, address],
  );
  if (one !== null) named.unshift(['availability_feed', one]);
  if (named.length > MAX_FEEDS_OF_A_HOME) {
    const reason = `names ${named.length} feeds, must name at most ${MAX_FEEDS_OF_A_HOME}`;
    return invalid({ field: 'availability_feeds', rule: 'too_many_entries', reason });
  }
  const addresses = new Set<string>();
  for (const [field, address] of named) {
    if (typeof address !== 'string')
      return invalid({ field, rule: 'wrong_type', reason: 'must be an address' });
    if (address.length > MAX_ADDRESS_LENGTH) {
      const reason = `has ${address.length} characters, may have at most ${MAX_ADDRESS_LENGTH}`;
      return invalid({ field, rule: 'address_too_long', reason });
    }
    const reading = documentAddress(address);
    if (reading.kind === 'valid') {
      addresses.add(reading.value);
      continue;
    }
    const [reason = 'is not a whole address'] = reading.faults;
    return invalid({ field, rule: RULE_OF_ADDRESS_FAULT[reason], reason });
  }
  return valid([...addresses]);
}

/**
 * Faults beyond the schema: days that do not exist, seasons that end before they begin, amounts finer than the currency.
 * Rates without such a fault can be priced, so `priceStay`, `canBook` and `calendarOf` do not check them again.
 */
export function rateFault(
  rates: Rates,
  booked: readonly TakenNights[],
  currency: string,
): PlacedFault | undefined {
  return (
    ratesAmountFault(rates, currency) ??
    periodFault('rates/seasons', rates.seasons) ??
    periodFault('booked', booked)
  );
}

function ratesAmountFault(rates: Rates, currency: string): PlacedFault | undefined {
  const amounts = [
    ['rates/nightly', rates.nightly],
    ['rates/weekend_nightly', rates.weekend_nightly],
    ['rates/extra_guest/nightly', rates.extra_guest?.nightly],
    ...rates.seasons.flatMap((season, index) => [
      [`rates/seasons/${index}/nightly`, season.nightly],
      [`rates/seasons/${index}/weekend_nightly`, season.weekend_nightly],
    ]),
    ...rates.fees.map((fee, index) => [`rates/fees/${index}/amount`, fee.amount]),
    ...rates.taxes.map((tax, index) => [
      `rates/taxes/${index}/amount`,
      'amount' in tax ? tax.amount : undefined,
    ]),
  ] as const;
  for (const [field = '', amount] of amounts) {
    if (amount !== undefined && parseAmount(amount, currency) === undefined) {
      return { field, ...inexactAmount(amount, currency) };
    }
  }
  return undefined;
}

/** The schema has checked the pattern of the amount, so the reason can repeat it. */
function inexactAmount(amount: string, currency: string): RejectionFault {
  const reason = `is ${amount}, finer than ${currency} or too large to be exact`;
  return { rule: 'price_too_fine', reason, value: shownText(amount) };
}

function periodFault(
  field: string,
  periods: readonly { readonly from: string; readonly to: string }[],
): PlacedFault | undefined {
  for (const [index, period] of periods.entries()) {
    const [from, to] = [parseDay(period.from), parseDay(period.to)];
    if (from === undefined || to === undefined) {
      const [member, text] = from === undefined ? ['from', period.from] : ['to', period.to];
      const reason = `is ${text}, a day that does not exist`;
      return { field: `${field}/${index}/${member}`, rule: 'no_such_day', reason, value: shownText(text) };
    }
    if (from >= to) {
      const reason = `runs from ${period.from} to ${period.to}: it ends before its first night`;
      const value = shownText(`${period.from} to ${period.to}`);
      return { field: `${field}/${index}`, rule: 'period_backwards', reason, value };
    }
  }
  return undefined;
}

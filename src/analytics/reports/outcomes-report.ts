import type { Network } from '../../catalogue/catalogue.ts';
import type { BookingOutcome, QuotedThen } from '../../quotes/booking.ts';
import { parseDay } from '../../stay/day.ts';
import { isCurrency, toDecimal } from '../../stay/money.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { bucketOf } from '../count.ts';
import {
  bandCell,
  bandLabels,
  type Counts,
  LEAD_BANDS,
  shareOf,
  type Total,
  totalsBy,
  WAIT_BANDS,
} from './counts.ts';
import {
  type Cell,
  columns,
  type Labelled,
  type NamedCell,
  type Report,
  type ReportNames,
  type ReportTable,
  type Tile,
  tileWith,
} from './report.ts';
import { sharesTable } from './shared-tables.ts';

export type OutcomesFacts = {
  readonly names: ReportNames;
  /** Limits the report to bookings of its homes. */
  readonly brand: string | null;
  /** The brands of the report. */
  readonly brands: readonly string[];
  readonly places: Network['places'];
  readonly counts: Counts<'lead_times'>;
  /** All bookings made in the range. */
  readonly bookings: readonly BookingOutcome[];
};

const MS_PER_HOUR = 3_600_000;
/** In thousandths, so that one absurd amount does not dominate the mean. */
const MAX_DIFFERENCE = 1000;

type QuotedBooking = BookingOutcome & { readonly quote: QuotedThen };

/** The bookings that operators have reported: whether prices were accurate, and which searches led to bookings. */
export function outcomesReport(facts: OutcomesFacts): Report {
  const { brand, names, bookings } = facts;
  const standing = bookings.filter(({ status }) => status === 'booked');
  const known = onePerQuote(standing.filter((one): one is QuotedBooking => one.quote !== null));
  return {
    id: 'outcomes',
    title: brand === null ? 'Outcomes' : `Outcomes: ${names.brand(brand).text}`,
    about:
      'Bookings that operators report, whether travellers paid what was quoted, and which searches led to them.',
    tiles: [...bookingTiles(bookings), ...accuracyTiles(known)],
    sections: [
      brandsTable(facts),
      amountsTable(facts),
      accuracyTable(known, names),
      ...conversionTables(facts, known),
      waitTable(known),
    ],
  };
}

/** A quote is for one stay, so several reports of it are one sale. */
function onePerQuote(bookings: readonly QuotedBooking[]): readonly QuotedBooking[] {
  const seen = new Set<string | null>();
  return bookings.filter(({ nxq }) => nxq === null || (!seen.has(nxq) && seen.add(nxq)));
}

/** Stays are counted by the brand through which a session came, bookings by the brand of the home, so one brand has no meaningful share. */
function conversionTables(
  { brand, counts, names, places }: OutcomesFacts,
  booked: readonly QuotedBooking[],
): readonly ReportTable[] {
  const hasStays = brand === null;
  const stays = hasStays ? counts('lead_times') : null;
  return [
    conversionTable(
      { id: 'by_assistant', title: 'Bookings by assistant', hasStays },
      { assistant: 'Assistant' },
      mostBooked(
        conversionsOf(
          booked,
          ({ quote }) => quote.assistant,
          stays && totalsBy(stays, ({ assistant }) => assistant),
        ),
      ),
      names.assistant,
    ),
    conversionTable(
      { id: 'by_place', title: 'Bookings by place', hasStays },
      { place: 'Place' },
      mostBooked(
        conversionsOf(booked, ({ quote }) => quote.place, stays && totalsBy(stays, ({ place }) => place)),
      ),
      (place) => (place === '' ? { id: null, text: 'not known' } : names.place(place)),
    ),
    conversionTable(
      { id: 'by_lead_time', title: 'Bookings by time before the arrival', hasStays },
      { lead_time: 'Before the arrival' },
      inBuckets(
        conversionsOf(booked, (one) => leadOf(one, places), stays && totalsBy(stays, ({ facet }) => facet)),
        hasStays,
      ),
      (label) => bandCell(label, LEAD_BANDS),
    ),
  ];
}

/** The meaning of each figure, shown with it. */
const tile = tileWith({
  bookings: 'By the time of booking; cancelled ones are among them.',
  known: 'The operator named a quote that was given for one of its homes.',
  unknown: 'They came from here, and nobody knows from which quote.',
  cancelled:
    'As the operator reported last. They are in the numbers before this one, in the bookings by brand and in columns of their own by currency, and count in nothing else.',
  share_equal:
    'Bookings whose amount is exactly the quoted one, of all with a known quote in the same currency.',
  mean_difference:
    'How much more (+) or less (-) than quoted was charged, in the mean; more than twice the quote counts as twice.',
  mean_wait: 'From the time at which the price was asked for to the booking.',
});

function bookingTiles(bookings: readonly BookingOutcome[]): readonly Tile[] {
  const known = bookings.filter(({ quote }) => quote !== null).length;
  return [
    tile('bookings', 'Bookings reported', bookings.length),
    tile('known', 'With a known quote', known),
    tile('unknown', 'Without one', bookings.length - known),
    tile('cancelled', 'Cancelled', bookings.filter(({ status }) => status === 'cancelled').length),
  ];
}

function accuracyTiles(known: readonly QuotedBooking[]): readonly Tile[] {
  const { compared, equal, mean } = accuracyOf(known);
  const waits = known.map(waitOf);
  return [
    tile('share_equal', 'Booked as quoted', shareOf(equal, compared)),
    tile('mean_difference', 'Booked against quoted', mean),
    tile(
      'mean_wait',
      'From quote to booking, mean',
      waits.length === 0 ? null : waits.reduce((sum, one) => sum + one, 0) / waits.length,
    ),
  ];
}

/** At least 0, because the clocks of two companies differ. */
function waitOf({ bookedAt, quote }: QuotedBooking): number {
  return Math.max(0, bookedAt - quote.retrievedAt);
}

/** Every brand, so that the owner sees which ones report none. */
function brandsTable({ bookings, brands, names }: OutcomesFacts): ReportTable {
  const byBrand = Map.groupBy(bookings, ({ brand }) => brand);
  const rows = [...new Set([...brands, ...byBrand.keys()])].map((brand) => {
    const some = byBrand.get(brand) ?? [];
    const known = some.filter(({ quote }) => quote !== null).length;
    const cancelled = some.filter(({ status }) => status === 'cancelled').length;
    return [names.brand(brand), some.length, known, some.length - known, cancelled] as const;
  });
  return {
    id: 'brands',
    title: 'Bookings by brand',
    note: 'By the time of booking; cancelled ones are among those with and without a quote. A brand with zeros has reported none in this time.',
    columns: columns({
      brand: 'Brand',
      bookings: 'Bookings',
      known: 'With a quote',
      unknown: 'Without',
      cancelled: 'Cancelled',
    }),
    rows: rows.toSorted(
      ([oneBrand, one], [otherBrand, other]) => other - one || (oneBrand.text < otherBrand.text ? -1 : 1),
    ),
    whenEmpty: 'There is no brand on this network yet. Connect one with: staywire connect BRAND',
  };
}

function amountsTable({ bookings, brand }: OutcomesFacts): ReportTable {
  const rows = [...Map.groupBy(bookings, ({ currency }) => currency)].map(([currency, some]): Cell[] => {
    const [booked, cancelled] = (['booked', 'cancelled'] as const).map((status) =>
      some.filter((one) => one.status === status),
    );
    const amountOf = (these: readonly BookingOutcome[] = []) =>
      inWholeUnits(
        these.reduce((sum, { amount }) => sum + amount, 0),
        currency,
      );
    return [currency, booked?.length ?? 0, amountOf(booked), cancelled?.length ?? 0, amountOf(cancelled)];
  });
  return {
    id: 'amounts',
    title: 'What was booked, by currency',
    note: 'What travellers were charged; of a cancelled booking that is what was reported last.',
    columns: columns({
      currency: 'Currency',
      bookings: 'Booked',
      amount: 'Amount',
      cancelled: 'Cancelled',
      cancelled_amount: 'Amount cancelled',
    }),
    rows: rows.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    whenEmpty: `No operator has reported a booking in this time. Bring a list in with: staywire outcomes import FILE --brand ${brand ?? 'BRAND'}`,
  };
}

function inWholeUnits(amount: number, currency: string): number {
  return isCurrency(currency) ? toDecimal(amount, currency) : amount / 100;
}

type Accuracy = {
  readonly compared: number;
  readonly equal: number;
  readonly more: number;
  readonly less: number;
  readonly otherCurrency: number;
  /** In thousandths of the quoted amount. */
  readonly mean: number | null;
};

function accuracyOf(known: readonly QuotedBooking[]): Accuracy {
  const same = known.filter(({ currency, quote }) => currency === quote.currency);
  const differences = same
    .filter(({ quote }) => quote.amount > 0)
    .map(({ amount, quote }) => Math.min(MAX_DIFFERENCE, ((amount - quote.amount) * 1000) / quote.amount));
  return {
    compared: same.length,
    equal: same.filter(({ amount, quote }) => amount === quote.amount).length,
    more: same.filter(({ amount, quote }) => amount > quote.amount).length,
    less: same.filter(({ amount, quote }) => amount < quote.amount).length,
    otherCurrency: known.length - same.length,
    mean:
      differences.length === 0 ? null : differences.reduce((sum, one) => sum + one, 0) / differences.length,
  };
}

function accuracyTable(known: readonly QuotedBooking[], names: ReportNames): ReportTable {
  const rows = [...Map.groupBy(known, ({ brand }) => brand)].map(([brand, some]) => {
    const { compared, equal, more, less, otherCurrency, mean } = accuracyOf(some);
    return [
      names.brand(brand),
      compared,
      equal,
      shareOf(equal, compared),
      more,
      less,
      mean,
      otherCurrency,
    ] as const;
  });
  return {
    id: 'accuracy',
    title: 'Booked against quoted, by brand',
    note: 'Bookings that stand and whose quote is known, one for each quote; those in another currency than their quote are not compared.',
    columns: columns({
      brand: 'Brand',
      compared: 'Compared',
      equal: 'As quoted',
      share_equal: 'Share as quoted',
      more: 'Dearer',
      less: 'Cheaper',
      mean_difference: 'Mean difference',
      other_currency: 'Other currency',
    }),
    rows: rows.toSorted(
      ([oneBrand, one], [otherBrand, other]) => other - one || (oneBrand.text < otherBrand.text ? -1 : 1),
    ),
    whenEmpty: 'No booking with a known quote was reported in this time.',
  };
}

type Conversion = {
  readonly key: string;
  /** Null if unknown. */
  readonly stays: number | null;
  readonly bookings: number;
};

function conversionsOf(
  booked: readonly QuotedBooking[],
  keyOf: (booking: QuotedBooking) => string,
  stays: ReadonlyMap<string, Total> | null,
): readonly Conversion[] {
  const byKey = Map.groupBy(booked, keyOf);
  return [...new Set([...(stays?.keys() ?? []), ...byKey.keys()])].map((key) => ({
    key,
    stays: stays && (stays.get(key)?.count ?? 0),
    bookings: byKey.get(key)?.length ?? 0,
  }));
}

function mostBooked(conversions: readonly Conversion[]): readonly Conversion[] {
  return conversions.toSorted(
    (one, other) =>
      other.bookings - one.bookings ||
      (other.stays ?? 0) - (one.stays ?? 0) ||
      (one.key < other.key ? -1 : 1),
  );
}

function inBuckets(conversions: readonly Conversion[], hasStays: boolean): readonly Conversion[] {
  if (conversions.length === 0) return [];
  const none = { stays: hasStays ? 0 : null, bookings: 0 };
  return bandLabels(LEAD_BANDS).map((key) => conversions.find((one) => one.key === key) ?? { key, ...none });
}

function conversionTable(
  { hasStays, ...table }: Pick<ReportTable, 'id' | 'title'> & { readonly hasStays: boolean },
  head: Labelled,
  conversions: readonly Conversion[],
  cellOf: (key: string) => NamedCell,
): ReportTable {
  return {
    ...table,
    note: hasStays
      ? 'Bookings that stand and whose quote is known, of stays for which prices were asked, once for each session and stay; a stay of the last days may be booked later. Stays at operators that report no bookings count among the stays, so a share can be too low; “Bookings by brand” shows who reports none.'
      : 'Bookings that stand and whose quote is known.',
    columns: [
      ...columns(head),
      ...(hasStays ? columns({ stays: 'Stays asked' }) : []),
      ...columns({ bookings: 'Bookings' }),
      ...(hasStays ? columns({ share: 'Share booked' }) : []),
    ],
    rows: conversions.map(({ key, stays, bookings }): Cell[] =>
      stays === null ? [cellOf(key), bookings] : [cellOf(key), stays, bookings, shareOf(bookings, stays)],
    ),
    whenEmpty: 'No price was asked for and no booking reported in this time.',
  };
}

/** Days from the quote to the arrival, by the place's calendar, as for counted stays. */
function leadOf({ quote }: QuotedBooking, places: Network['places']): string {
  const zone = places.get(quote.place)?.timeZone ?? 'UTC';
  const arrival = parseDay(quote.checkIn);
  const days = arrival === undefined ? 0 : Math.max(0, arrival - todayIn(zone, quote.retrievedAt));
  return bucketOf(days, LEAD_BANDS.bounds);
}

function waitTable(known: readonly QuotedBooking[]): ReportTable {
  const byBucket = Map.groupBy(known, (one) => bucketOf(waitOf(one) / MS_PER_HOUR, WAIT_BANDS.bounds));
  const labels = known.length === 0 ? [] : bandLabels(WAIT_BANDS);
  return sharesTable(
    {
      id: 'waits',
      title: 'From the quote to the booking',
      note: 'Bookings that stand and whose quote is known, by the time since the price was asked for.',
      whenEmpty: 'No booking with a known quote was reported in this time.',
    },
    { time: 'Time' },
    { bookings: 'Bookings' },
    labels.map((label) => [bandCell(label, WAIT_BANDS), byBucket.get(label)?.length ?? 0]),
  );
}

import type { ComparisonBody, StayOption } from '../../client/client.ts';
import { printable } from '../../parsing/printable.ts';
import { dateText, dayText, parseDay } from '../../stay/day.ts';
import { decimalsOf, isCurrency } from '../../stay/money.ts';
import {
  counted,
  cutToWidth,
  displayWidth,
  padToWidth,
  paragraph,
  type Terminal,
  table,
} from '../terminal.ts';

/** The search, the table of options, and the brands that did not answer. */
export function comparisonText(
  body: ComparisonBody,
  /** The name of its destination. */
  place: string,
  terminal: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const { styled } = terminal;
  const lost = unansweredBrands(body);
  return [
    styled('strong', paragraph(queryText(body, place))),
    paragraph(countText(body)),
    ...(body.results.length > 0
      ? ['', comparisonTable(body.results, terminal)]
      : ['', paragraph(oneLine(body.notes))]),
    ...(lost.length > 0
      ? ['', ...lost.map((text) => paragraph(`${styled('warning', '!')} ${text}`, '  '))]
      : []),
  ].join('\n');
}

/** An operator's word for an amenity; the key itself when no option has it. */
export function amenityLabel(amenity: string, { results }: Pick<ComparisonBody, 'results'>): string {
  const having = results.find(({ amenities }) => amenities !== null && Object.hasOwn(amenities, amenity));
  return oneLine(having?.amenities?.[amenity] ?? amenity.replaceAll('_', ' '));
}

/** `No answer from Driftlark for 2 homes.` */
export function unansweredBrands({
  comparison_set: { coverage },
}: Pick<ComparisonBody, 'comparison_set'>): readonly string[] {
  return coverage
    .filter(({ failed }) => failed > 0)
    .map(({ brand, failed }) => `No usable answer from ${oneLine(brand)} for ${counted(failed, 'home')}.`);
}

function queryText({ query }: ComparisonBody, place: string): string {
  const day = (text: string) => dayText(parseDay(text) ?? 0);
  return [
    place,
    `${day(query.check_in)} to ${day(query.check_out)}`,
    counted(query.nights, 'night'),
    counted(query.guests, 'guest'),
  ].join(' · ');
}

function countText(body: ComparisonBody): string {
  const { comparison_set: set, applied_filters, cleared_amenities = [] } = body;
  const labels = (amenities: readonly string[]) =>
    amenities.map((amenity) => amenityLabel(amenity, body)).join(', ');
  const shown = set.truncated
    ? `${set.options_count} of ${counted(set.total_matches, 'home')}, cheapest first.`
    : `${counted(set.options_count, 'home')}, cheapest first.`;
  return [
    shown,
    ...(set.selection.complete ? [] : ['Not every home could be priced, so one may be cheaper.']),
    ...(set.totals_include_taxes_and_fees ? ['Totals include all taxes and fees.'] : []),
    ...(applied_filters.amenities.length > 0 ? [`Only with: ${labels(applied_filters.amenities)}.`] : []),
    ...(cleared_amenities.length > 0
      ? [`No home has all of it, so these filters went: ${labels(cleared_amenities)}.`]
      : []),
  ].join(' ');
}

type ComparisonColumn = { readonly of: keyof Row; readonly align: 'left' | 'right'; readonly max?: number };

const HEADINGS = {
  rank: '#',
  name: 'Home',
  brand: 'Brand',
  total: 'Total',
  night: 'A night',
  guests: 'Sleeps',
  rating: 'Rating',
  cancellation: 'Cancellation',
};
type Row = Readonly<typeof HEADINGS>;
const GAP = '  ';
const MAX_BRAND_COLUMNS = 18;
/** With less width for a name or a policy, each option gets more lines. */
const MIN_NAME_COLUMNS = 20;
const MIN_CANCELLATION_COLUMNS = 28;
/** The heading of the column says this already. */
const SAID_BY_HEADING = /^free cancellation/;

/** The options by rank, in lines of at most `columns`: one line for each home where it fits, otherwise two or four. */
export function comparisonTable(
  options: readonly StayOption[],
  { columns, styled }: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const rows = options.map(rowOf);
  return (
    inOneLine(rows, columns, styled) ?? inTwoLines(rows, columns, styled) ?? asList(rows, columns, styled)
  );
}

function rowOf(option: StayOption): Row {
  const { currency, amount, nightly_average } = option.quote;
  return {
    rank: String(option.rank),
    name: oneLine(option.name),
    brand: oneLine(option.brand),
    total: priceText(amount, oneLine(currency)),
    night: amountText(nightly_average, currency),
    guests: String(option.capacity.max_guests),
    rating: ratingText(option.rating),
    cancellation: cancellationText(option),
  };
}

const RANK: ComparisonColumn = { of: 'rank', align: 'right' };
const BRAND: ComparisonColumn = { of: 'brand', align: 'left', max: MAX_BRAND_COLUMNS };
const NUMBERS: readonly ComparisonColumn[] = [
  { of: 'total', align: 'right' },
  { of: 'night', align: 'right' },
  { of: 'guests', align: 'right' },
  { of: 'rating', align: 'left' },
];

function inOneLine(all: readonly Row[], columns: number, styled: Terminal['styled']): string | null {
  const rows = all.map((row) => ({
    ...row,
    cancellation: row.cancellation.replace(SAID_BY_HEADING, 'free'),
  }));
  const rest = columns - widthWithGaps([RANK, BRAND, ...NUMBERS], rows) - GAP.length;
  const name = Math.min(rest - MIN_CANCELLATION_COLUMNS, widthOf({ of: 'name', align: 'left' }, rows));
  if (rest - MIN_CANCELLATION_COLUMNS < MIN_NAME_COLUMNS) return null;
  const lineOf = lineWith(
    [
      RANK,
      { of: 'name', align: 'left', max: name },
      BRAND,
      ...NUMBERS,
      { of: 'cancellation', align: 'left', max: rest - name },
    ],
    rows,
  );
  return [styled('faint', lineOf(HEADINGS)), ...rows.map(lineOf)].join('\n');
}

/** Brand and cancellation go below the name. */
function inTwoLines(rows: readonly Row[], columns: number, styled: Terminal['styled']): string | null {
  const name = columns - widthWithGaps([RANK, ...NUMBERS], rows);
  if (name < MIN_NAME_COLUMNS) return null;
  const indent = widthWithGaps([RANK], rows);
  const lineOf = lineWith([RANK, { of: 'name', align: 'left', max: name }, ...NUMBERS], rows);
  const below = ({ brand, cancellation }: Row) =>
    ' '.repeat(indent) + styled('faint', cutToWidth(joined(brand, cancellation), columns - indent));
  return [styled('faint', lineOf(HEADINGS)), ...rows.flatMap((row) => [lineOf(row), below(row)])].join('\n');
}

function asList(rows: readonly Row[], columns: number, styled: Terminal['styled']): string {
  return rows
    .flatMap(({ rank, name, brand, total, night, guests, rating, cancellation }) => [
      cutToWidth(`${rank} ${name}`, columns),
      cutToWidth(`  ${joined(total, `${night} a night`)}`, columns),
      cutToWidth(`  ${joined(`sleeps ${guests}`, rating)}`, columns),
      styled('faint', cutToWidth(`  ${joined(brand, cancellation)}`, columns)),
    ])
    .join('\n');
}

function lineWith(layout: readonly ComparisonColumn[], rows: readonly Row[]): (row: Row) => string {
  const widths = layout.map((column) => widthOf(column, rows));
  return (row) =>
    layout
      .map(({ of, align }, at) => padToWidth(cutToWidth(row[of], widths[at] ?? 0), widths[at] ?? 0, align))
      .join(GAP)
      .trimEnd();
}

function widthWithGaps(columns: readonly ComparisonColumn[], rows: readonly Row[]): number {
  return columns.reduce((sum, column) => sum + widthOf(column, rows) + GAP.length, 0);
}

function widthOf({ of, max = Number.POSITIVE_INFINITY }: ComparisonColumn, rows: readonly Row[]): number {
  return Math.min(max, Math.max(...[HEADINGS, ...rows].map((row) => displayWidth(row[of]))));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** Everything about one option: price lines, policy, times, pictures. Addresses have separate lines, to be copied. */
export function optionText(option: StayOption, { styled }: Pick<Terminal, 'styled'>): string {
  const { capacity, amenities, availability, url } = option;
  const facts: readonly (readonly [string, string])[] = [
    ['where', oneLine(option.location)],
    ['brand', oneLine(option.brand)],
    ['home', oneLine(capacity.summary)],
    ['sleeps', roomsText(capacity)],
    ['rating', ratingText(option.rating) + reviewsText(option.rating)],
    ['amenities', amenities === null ? 'not published' : Object.values(amenities).map(oneLine).join(', ')],
    ['times', timesText(option)],
    ['booking', bookingText(availability)],
    ['policy', policyText(option)],
  ];
  return [
    styled('strong', `${option.rank}. ${oneLine(option.name)}`),
    table(facts.filter(([, text]) => text !== '').map(([name, text]) => [styled('faint', name), text])),
    '',
    priceLines(option),
    '',
    ...picturesOf(option),
    '',
    styled('faint', 'To book, on the operator’s website:'),
    printable(url, { hasStyles: false }),
  ].join('\n');
}

function roomsText({ max_guests, bedrooms, bathrooms }: StayOption['capacity']): string {
  return [
    counted(max_guests, 'guest'),
    ...(bedrooms === null ? [] : [counted(bedrooms, 'bedroom')]),
    ...(bathrooms === null ? [] : [counted(bathrooms, 'bathroom')]),
  ].join(', ');
}

function reviewsText({ review_count }: StayOption['rating']): string {
  return review_count ? `, ${counted(review_count, 'review')}` : '';
}

function timesText({ check_in_time, check_out_time }: StayOption): string {
  return [
    ...(check_in_time === null ? [] : [`arrival from ${check_in_time}`]),
    ...(check_out_time === null ? [] : [`departure until ${check_out_time}`]),
  ].join(', ');
}

function bookingText({ booking_mode, confirmation_hours }: StayOption['availability']): string {
  if (booking_mode === 'instant') return 'at once';
  const within = confirmation_hours ? `, answered within ${counted(confirmation_hours, 'hour')}` : '';
  return `on request${within}`;
}

function policyText({ cancellation }: StayOption): string {
  const { refundable, free_cancellation_until: until, free_cancellation_until_local: local } = cancellation;
  const free = momentText(local ?? until);
  return [
    ...(free === null ? [] : [`free cancellation until ${free}`]),
    ...(cancellation.free_cancellation === 'over' ? ['free cancellation is over'] : []),
    ...(refundable === false ? ['not refundable'] : []),
    oneLine(cancellation.summary),
  ].join('\n');
}

function priceLines({ quote }: StayOption): string {
  const { currency, amount, nightly_average, nights, line_items, deposit, due_on_site } = quote;
  const price = (value: number) => priceText(value, oneLine(currency));
  const held = momentText(quote.price_valid_until);
  const rows: readonly (readonly [string, string])[] = [
    ...line_items.map(({ label, amount: part }) => [oneLine(label), price(part)] as const),
    [`total for ${counted(nights, 'night')}`, price(amount)],
    ['a night', price(nightly_average)],
    ...(deposit
      ? [[deposit.refundable ? 'deposit, given back' : 'deposit', price(deposit.amount)] as const]
      : []),
    ...(due_on_site ? [['paid there besides', price(due_on_site)] as const] : []),
  ];
  const width = Math.max(...rows.map(([, text]) => text.length));
  return [
    table(rows.map(([label, text]) => [text.padStart(width), label])),
    ...(line_items.length > 0 ? [] : ['The operator gives no breakdown.']),
    quote.price_guarantee === 'held' && held !== null
      ? `The operator holds this price until ${held}.`
      : paragraph('The price was true when it was asked for, and is confirmed on the operator’s website.'),
  ].join('\n');
}

function picturesOf({ images: { primary, gallery } }: StayOption): readonly string[] {
  const pictures = [primary, ...gallery.filter(({ url }) => url !== primary.url)];
  return pictures.flatMap(({ url, alt }) => [oneLine(alt), `  ${printable(url, { hasStyles: false })}`]);
}

/** A text of an operator or a service in one line, without control characters for the terminal. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim(), { hasStyles: false });
}

/** `4.8 of 5`; homes without reviews get no score. */
export function ratingText({ score, scale, review_count }: StayOption['rating']): string {
  if (score === 0 && !review_count) return review_count === 0 ? 'not rated yet' : '';
  return `${score} of ${scale}`;
}

/** A structured policy in our words, any other in the operator's words. */
function cancellationText({ cancellation }: Pick<StayOption, 'cancellation'>): string {
  const { refundable, free_cancellation_until: until, free_cancellation_until_local: local } = cancellation;
  const free = momentText(local ?? until);
  if (free !== null) return `free cancellation until ${free}`;
  if (cancellation.free_cancellation === 'over') return 'free cancellation is over';
  if (refundable === false) return 'not refundable';
  return oneLine(cancellation.summary);
}

/** `8 May 2027, 18:00`, as the timestamp has it; `UTC` is added where it is not the property's local time. */
export function momentText(timestamp: string | null): string | null {
  const found = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*?(Z?)$/.exec(timestamp ?? '');
  const day = found ? parseDay(found[1] ?? '') : undefined;
  return found && day !== undefined ? `${dateText(day)}, ${found[2]}${found[3] === 'Z' ? ' UTC' : ''}` : null;
}

/** `1,234.50`, with the decimals of the currency. */
export function amountText(amount: number, currency: string): string {
  // Another implementation of the service may name an unknown currency.
  const decimals = isCurrency(currency) ? decimalsOf(currency) : 2;
  return amount.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `EUR 1,234.50` */
export function priceText(amount: number, currency: string): string {
  return `${currency} ${amountText(amount, currency)}`;
}

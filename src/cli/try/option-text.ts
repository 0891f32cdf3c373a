import type { StayOption } from '../../client/client.ts';
import { printable } from '../../parsing/printable.ts';
import { dateText, parseDay } from '../../stay/day.ts';

import { decimalsOf, isCurrency } from '../../stay/money.ts';
import type { Terminal } from '../terminal.ts';
import { counted, paragraph, table } from '../text-layout.ts';

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
export function cancellationText({ cancellation }: Pick<StayOption, 'cancellation'>): string {
  const {
    refundable,
    free_cancellation_until: until,
    free_cancellation_until_local: local,
    summary,
  } = cancellation;
  const free = momentText(local ?? until);
  if (free !== null) return `free cancellation until ${free}`;
  if (cancellation.free_cancellation === 'over') return 'free cancellation is over';
  if (refundable === false) return 'not refundable';
  return oneLine(summary);
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

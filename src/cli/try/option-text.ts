import type { StayOption } from '../../client/client.ts';
import { printable } from '../../parsing/printable.ts';
import { counted } from '../counted.ts';
import { paragraph, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { priceText } from './amount-text.ts';
import { momentText, oneLine, ratingText } from './option-facts.ts';

/** Everything about one option: price lines, policy, times, pictures. Addresses are on lines of their own, so that they can be copied. */
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

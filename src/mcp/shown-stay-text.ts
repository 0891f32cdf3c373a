import type { Option } from '../contract/option.ts';
import type { ShownStay } from '../contract/tools/stay-answer.ts';
import { ratingOf } from './rating-of.ts';
import { problemText } from './stay-answer-text.ts';
import { freeCancellationAt } from './view-of-options.ts';
import {
  amountIn,
  andMore,
  countText,
  linesOf,
  quoted,
  ratingWords,
  roomsText,
  sessionLine,
} from './words.ts';

/** More are in the structured content. */
const MAX_PICTURES = 5;

/** One option in full, as lines. */
export function shownStayText({ session, option, problem, ...set }: ShownStay, now: number): string {
  if (problem) return linesOf([problemText(problem), sessionLine(session)]);
  if (!option) return '';
  const { quote, capacity, availability } = option;
  const money = (amount: number) => `${amountIn(amount, quote.currency)} ${quote.currency}`;
  return linesOf([
    `${option.brand}: ${quoted(option.name)}, ${quoted(option.location)}, rank ${option.rank}, property_id ${option.property_id}`,
    `Total ${money(quote.amount)} for ${countText(quote.nights, 'night')} and ${countText(quote.guests, 'guest')}, ${quote.check_in} to ${quote.check_out}${set.totals_include_taxes_and_fees ? ', with all taxes and fees' : ''}; ${money(quote.nightly_average)} a night on average.`,
    quote.price_guarantee === 'held'
      ? `The operator holds this price until ${quote.price_valid_until}.`
      : `The price was true at ${quote.retrieved_at}; the operator’s website confirms it.`,
    quote.line_items.length > 0 &&
      `Made up of: ${quote.line_items.map(({ label, amount }) => `${quoted(label)} ${money(amount)}`).join('; ')}.`,
    quote.deposit &&
      `Deposit ${money(quote.deposit.amount)}${quote.deposit.refundable ? ', refundable' : ''}, besides the total.`,
    quote.due_on_site ? `Due at the home besides the total: ${money(quote.due_on_site)}.` : null,
    `Sleeps ${capacity.max_guests}${roomsText(capacity)}; ${quoted(capacity.summary)}`,
    `Rating: ${ratingWords(ratingOf(option))}`,
    `Cancellation, in the operator’s words: ${quoted(option.cancellation.summary)}`,
    freeCancellationText(option, now),
    option.amenities && `Amenities: ${Object.values(option.amenities).map(quoted).join(', ')}.`,
    timesText(option),
    availability.booking_mode === 'request'
      ? `Booked on request${availability.confirmation_hours ? `; the operator answers within ${countText(availability.confirmation_hours, 'hour')}` : ''}.`
      : 'Booked at once.',
    picturesText(option),
    `Book here: ${option.url}`,
    sessionLine(session),
  ]);
}

function freeCancellationText(option: Option, now: number): string {
  const { free_cancellation_until, free_cancellation_until_local } = option.cancellation;
  switch (freeCancellationAt(option, now)) {
    case 'until':
      return `Free cancellation until ${free_cancellation_until_local ?? free_cancellation_until}.`;
    case 'over':
      return 'The time of free cancellation is over.';
    case 'never':
      return 'Not refundable.';
    case 'unpublished':
      return 'Whether and until when cancelling is free is not published.';
  }
}

function timesText({ check_in_time, check_out_time }: Option): string | false {
  const times = [
    check_in_time && `arrival from ${check_in_time}`,
    check_out_time && `departure until ${check_out_time}`,
  ].filter(Boolean);
  return times.length > 0 && `Times: ${times.join(', ')}.`;
}

function picturesText({ images }: Option): string {
  const all = [images.primary, ...images.gallery];
  const shown = all.slice(0, MAX_PICTURES).map(({ url, alt }) => `${url} ${quoted(alt)}`);
  return `Pictures: ${shown.join(', ')}${andMore(shown.length, all.length)}.`;
}

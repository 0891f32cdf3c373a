import type { StayOption } from '../../client/client.ts';
import { printable } from '../../parsing/printable.ts';
import { dateText } from '../../stay/date-text.ts';
import { parseDay } from '../../stay/day.ts';

/** What others wrote, in one line that a terminal does not obey. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim(), { hasStyles: false });
}

/** `4.8 of 5`; nothing is made up for homes that nobody has rated. */
export function ratingText({ score, scale, review_count }: StayOption['rating']): string {
  if (score === 0 && !review_count) return review_count === 0 ? 'not rated yet' : '';
  return `${score} of ${scale}`;
}

/** In the traveller's terms where the policy is structured, in the operator's words elsewhere. */
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

/** `8 May 2027, 18:00`, as the text has it; `UTC` is said where it is not the property's clock. */
export function momentText(timestamp: string | null): string | null {
  const found = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*?(Z?)$/.exec(timestamp ?? '');
  const day = found ? parseDay(found[1] ?? '') : undefined;
  return found && day !== undefined ? `${dateText(day)}, ${found[2]}${found[3] === 'Z' ? ' UTC' : ''}` : null;
}

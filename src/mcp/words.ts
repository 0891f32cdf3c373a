import { isSharedAmenity } from '../catalogue/amenities.ts';
import type { ToolOption } from '../contract/tools/stay-answer.ts';
import { decimalsOf } from '../stay/money.ts';

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const QUOTES = /[\p{Pi}\p{Pf}"＂‚„⹂〝〞〟〃「」『』《》״ˮʺ˝˵˶″‴‶‷⁗❛-❠🙶-🙸]+|['`´ʼ՚ꞌ′]{2,}/gu;

/**
 * An operator's words between quotes that they cannot close, on one line: whatever they say, they do not read as a fact of the
 * service or as another line of the answer.
 */
export function quoted(text: string): string {
  return `“${text.replace(/\s+/g, ' ').replace(QUOTES, '’')}”`;
}

/** The key of an amenity, which outside the shared vocabulary is in an operator's words. */
export function amenityText(key: string): string {
  return isSharedAmenity(key) ? key : quoted(key);
}

/** What a list leaves out. */
export function andMore(shown: number, all: number): string {
  return all > shown ? ` and ${all - shown} more` : '';
}

/** What there is nothing to say about is left out. */
export function linesOf(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}

export function sessionLine(session: string | null): string | false {
  return session !== null && `session: ${session}`;
}

export function roomsText({ bedrooms, bathrooms }: Pick<ToolOption, 'bedrooms' | 'bathrooms'>): string {
  return [
    bedrooms === null ? '' : `, ${countText(bedrooms, 'bedroom')}`,
    bathrooms === null ? '' : `, ${countText(bathrooms, 'bathroom')}`,
  ].join('');
}

export function ratingWords(rating: ToolOption['rating']): string {
  if (rating === null) return 'no rating';
  const { score, scale, review_count } = rating;
  return `${score}/${scale}${review_count === null ? '' : ` (${review_count})`}`;
}

/** With all decimals of its currency, so that a price is repeated exactly. */
export function amountIn(amount: number, currency: string): string {
  return amount.toFixed(decimalsOf(currency));
}

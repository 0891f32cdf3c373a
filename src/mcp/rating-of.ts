import type { Option } from '../contract/option.ts';
import type { ToolOption } from '../contract/tools/stay-answer.ts';

/** A score of 0 without reviews is none: not yet rated, or not published. A rating can be published without their number. */
export function ratingOf({ rating }: Pick<Option, 'rating'>): ToolOption['rating'] {
  return rating.score === 0 && !rating.review_count ? null : { ...rating };
}

import type { Property } from './catalogue.ts';

type Rating = Property['rating'];

/** A score is always a number. Without a review it is 0, and says nothing about the home. */
export function hasScore({ score, reviewCount }: Rating): boolean {
  return score > 0 || (reviewCount ?? 0) > 0;
}

export function isNotYetRated(rating: Rating): boolean {
  return !hasScore(rating) && rating.reviewCount === 0;
}

export function isRatingUnpublished(rating: Rating): boolean {
  return !hasScore(rating) && rating.reviewCount === null;
}

import { LRUCache } from 'lru-cache';
import { ownText } from '../../../parsing/owned-memory.ts';

/** Longer than any name of an amenity, and short enough to be looked up thousands of times. */
const MAX_WORD_LENGTH = 100;
const ASCII = /^[ -~]*$/;

/**
 * A booking system's word for an amenity as far as it is looked at. One sign can become eighteen when it is normalised, so this is done
 * where a document is read, and doing it again costs nothing.
 */
export function amenityWord(published: string): string {
  const cut = published.slice(0, MAX_WORD_LENGTH);
  return ASCII.test(cut) ? cut : cut.normalize('NFKC').slice(0, MAX_WORD_LENGTH);
}

/** The words of a page come again with each of its listings, and folding one takes a hundred times as long as finding it. */
const MAX_FOLDED = 4096;
const folded = new LRUCache<string, string>({ max: MAX_FOLDED });

/** The form in which two spellings of a word are the same. */
export function foldedAmenity(word: string): string {
  const cut = word.slice(0, MAX_WORD_LENGTH);
  const known = folded.get(cut);
  if (known !== undefined) return known;
  const form = amenityWord(cut).trim().replace(/\s+/g, ' ').toLowerCase();
  folded.set(ownText(cut), ownText(form));
  return form;
}

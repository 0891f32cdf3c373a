import {
  AMENITY_LABELS,
  AMENITY_WORDS,
  type AmenityKey,
  BROADER_AMENITIES,
  NEXT_BEST_AMENITIES,
  WORDS_FOR_MORE,
} from '../../catalogue/amenities.ts';
import { foldIntoOneWord } from './fold-text.ts';

/** Folding is slow, and the vocabulary does not change. A key comes before a label, and a label before a word. */
const CALLED: ReadonlyMap<string, AmenityKey> = new Map(
  [
    ...Object.entries(AMENITY_WORDS).flatMap(([key, words]) => words.map((word) => [word, key] as const)),
    ...Object.entries(AMENITY_LABELS).map(([key, label]) => [label, key] as const),
    ...Object.keys(AMENITY_LABELS).map((key) => [key, key] as const),
  ].map(([name, key]) => [foldIntoOneWord(name), key as AmenityKey]),
);

/** The amenity of the common vocabulary that people call so. A listing may have others, and call them as it likes. */
export function amenityCalled(text: string): AmenityKey | undefined {
  return CALLED.get(foldIntoOneWord(text));
}

const MORE_THAN: ReadonlyMap<string, AmenityKey> = new Map(
  Object.entries(WORDS_FOR_MORE).flatMap(([key, words]) =>
    words.map((word) => [foldIntoOneWord(word), key as AmenityKey] as const),
  ),
);

/** What comes next to what people call so, nearest first. */
export function nextBestFor(text: string): readonly AmenityKey[] {
  const key = amenityCalled(text);
  if (key !== undefined) return [...(NEXT_BEST_AMENITIES[key] ?? []), BROADER_AMENITIES[key] ?? []].flat();
  const less = MORE_THAN.get(foldIntoOneWord(text));
  return less === undefined ? [] : [less];
}

import { type Matches, NO_CANDIDATES } from '../../availability/availability-index.ts';
import {
  AMENITY_LABELS,
  AMENITY_WORDS,
  type AmenityKey,
  BROADER_AMENITIES,
  NEXT_BEST_AMENITIES,
  WORDS_FOR_MORE,
} from '../../catalogue/amenities.ts';
import { isComplete } from '../../catalogue/stay-criteria.ts';
import { MAX_SUGGESTIONS } from '../../contract/vocabulary.ts';
import type { Session } from '../../sessions/session.ts';
import { criteriaOf, type SearchFacts } from '../payload.ts';
import { foldIntoOneWord, foldText, nearestWord } from './spelling.ts';

/** Folded once, because folding is slow and the vocabulary does not change. Later entries win: keys over labels over words. */
const CALLED: ReadonlyMap<string, AmenityKey> = new Map(
  [
    ...Object.entries(AMENITY_WORDS).flatMap(([key, words]) => words.map((word) => [word, key] as const)),
    ...Object.entries(AMENITY_LABELS).map(([key, label]) => [label, key] as const),
    ...Object.keys(AMENITY_LABELS).map((key) => [key, key] as const),
  ].map(([name, key]) => [foldIntoOneWord(name), key as AmenityKey]),
);

/** The amenity of the common vocabulary with this name. Listings may have other amenities under any name. */
export function amenityCalled(text: string): AmenityKey | undefined {
  return CALLED.get(foldIntoOneWord(text));
}

const MORE_THAN: ReadonlyMap<string, AmenityKey> = new Map(
  Object.entries(WORDS_FOR_MORE).flatMap(([key, words]) =>
    words.map((word) => [foldIntoOneWord(word), key as AmenityKey] as const),
  ),
);

/** The amenities that come nearest to the named one, nearest first. */
export function nextBestFor(text: string): readonly AmenityKey[] {
  const key = amenityCalled(text);
  if (key !== undefined) return [...(NEXT_BEST_AMENITIES[key] ?? []), BROADER_AMENITIES[key] ?? []].flat();
  const less = MORE_THAN.get(foldIntoOneWord(text));
  return less === undefined ? [] : [less];
}

const ALIKE_LETTERS = 4;

/** The next best amenities, then the nearest spelling, then those with a word that begins alike: "washer" may mean washing_machine. */
export function nearAmenities(text: string, choosable: readonly string[]): readonly string[] {
  const near = nearestWord(text, choosable);
  const beginnings = foldText(text)
    .split(' ')
    .filter((word) => word.length >= ALIKE_LETTERS)
    .map((word) => word.slice(0, ALIKE_LETTERS));
  const alike = choosable.filter((key) =>
    key.split(/[_-]/).some((word) => beginnings.some((beginning) => word.startsWith(beginning))),
  );
  const nextBest = nextBestFor(text).filter((key) => choosable.includes(key));
  return [...new Set([...nextBest, ...(near === undefined ? [] : [near]), ...alike])].slice(
    0,
    MAX_SUGGESTIONS,
  );
}

export type KnownMatches = {
  readonly matches: Matches;
  /**
   * The amenity of the matches that a text names; several when it is ambiguous. A common key, an everyday word, and the name of an amenity
   * that brands share come first, so that no operator can claim them by a label. Labels follow, then keys that only one brand uses.
   */
  keysOf(text: string): readonly string[];
};

const MAX_NAMES_FOLDED = 1000;
const MAX_FOLDED_KNOWN = 20_000;

export function knownMatches(session: Session, facts: SearchFacts): KnownMatches {
  const matches = matchesOf(session, facts);
  const keys = matches.amenities.map(({ amenity }) => amenity);
  const isCommon = (key: string) => facts.index.isCommonAmenity(key);
  let byName: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return {
    matches,
    keysOf(text) {
      const offered = isCommon(text) ? text : undefined;
      const key = [offered, amenityCalled(text)].find((known) => known !== undefined && keys.includes(known));
      if (key !== undefined) return [key];
      byName ??= keysByName([...keys.filter(isCommon), ...keys.filter((known) => !isCommon(known))], facts);
      const name = foldIntoOneWord(text);
      const named = [...(byName.get(name) ?? [])];
      const common = named.filter(isCommon);
      const own = common.find((known) => foldedName(known) === name);
      if (own !== undefined) return [own];
      if (common.length > 0) return common;
      return keys.includes(text) ? [text] : named;
    },
  };
}

const NO_MATCHES: Matches = { total: 0, unpublishedAmenities: 0, amenities: [], candidates: [] };

function matchesOf(session: Session, { index, now }: SearchFacts): Matches {
  const criteria = criteriaOf(session, session.payload, session.amenities);
  return isComplete(criteria) ? index.matches(criteria, now, { ...NO_CANDIDATES, without: [] }) : NO_MATCHES;
}

/** The keys by their folded names and labels. */
function keysByName(
  all: readonly string[],
  { index }: SearchFacts,
): ReadonlyMap<string, ReadonlySet<string>> {
  // Limited, so that one operator's names cannot slow down all searches.
  const keys = all.slice(0, MAX_NAMES_FOLDED);
  const byName = new Map<string, Set<string>>();
  const add = (name: string, key: string) =>
    byName.set(foldedName(name), (byName.get(foldedName(name)) ?? new Set()).add(key));
  for (const key of keys) add(key, key);
  let left = MAX_NAMES_FOLDED;
  for (const key of keys) {
    if (left <= 0) break;
    const labels = index.amenityLabels(key).slice(0, left);
    for (const label of labels) add(label, key);
    left -= labels.length;
  }
  return byName;
}

/** Folded names are cached: some characters take long to fold, and operators choose the names. */
const foldedNames = new Map<string, string>();

function foldedName(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  if (foldedNames.size >= MAX_FOLDED_KNOWN) foldedNames.clear();
  const folded = foldIntoOneWord(name);
  foldedNames.set(name, folded);
  return folded;
}

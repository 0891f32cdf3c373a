import { type Matches, NO_CANDIDATES } from '../availability/availability-index.ts';
import { ANY_STAY, isComplete } from '../catalogue/stay-criteria.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import { withoutCurrentResult } from './changed-session.ts';
import { amenityConflictsWith } from './conflicting-fields.ts';
import { criteriaOf } from './criteria.ts';
import { amenityCalled, nextBestFor } from './names/amenity-called.ts';
import { foldIntoOneWord, foldText } from './names/fold-text.ts';
import { nearestWord } from './names/nearest-word.ts';
import type { SearchFacts } from './search-facts.ts';

/** What a request says about amenities. */
export type AmenityRequest =
  | {
      readonly kind: 'named';
      readonly texts: readonly string[];
      /** An empty text before the names takes the other filters off. */
      readonly isAfresh: boolean;
    }
  /** An empty list takes all filters off. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'unread' };

export type NamedAmenities = Extract<AmenityRequest, { kind: 'named' }>;

/** What several amenities of one request come to. */
export type JudgedAmenities = {
  /** The filters from now on; the same array when none was added. */
  readonly amenities: readonly string[];
  /** Every match has these without a filter. */
  readonly fulfilled: readonly string[];
  readonly refused: readonly RefusedAmenity[];
  /** At least one is applied or fulfilled. */
  readonly isTaken: boolean;
};

export type RefusedAmenity = {
  readonly reason: RefusalReason;
  readonly suggestions: readonly string[];
  /** Which of several it is, counted from 1. */
  readonly position?: number;
};

export type AmenityVerdict =
  /** Also one that is among the filters. */
  | { readonly kind: 'taken'; readonly amenity: string }
  | { readonly kind: 'fulfilled'; readonly amenity: string }
  | ({ readonly kind: 'refused' } & RefusedAmenity);

/** Judges one amenity after the other by the same matches. */
type AmenityJudge = {
  verdictOn(text: string): AmenityVerdict;
  /** The names in a text: several where it is a list. */
  namesIn(text: string): readonly string[];
};

const MAX_AMENITY_LENGTH = 120;
const MAX_AMENITIES_READ = 10;
const MAX_NAMES_FOLDED = 1000;
const MAX_FOLDED_KNOWN = 20_000;
const ALIKE_LETTERS = 4;

/** A text, or an array of texts. */
export function readAmenities(raw: unknown): AmenityRequest {
  const listed: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const isAfresh = listed[0] === '';
  const named = isAfresh ? listed.slice(1) : listed;
  if (named.length === 0) return { kind: 'clear' };
  const isReadable = (text: unknown) => typeof text === 'string' && text.length <= MAX_AMENITY_LENGTH;
  return named.every((text) => isReadable(text))
    ? { kind: 'named', texts: named.slice(0, MAX_AMENITIES_READ) as readonly string[], isAfresh }
    : { kind: 'unread' };
}

/** The filters that a match can have all at once, in the order in which they were applied. */
export function keepAmenities(
  amenities: readonly string[],
  session: Session,
  payload: Payload,
  { index, now }: SearchFacts,
): readonly string[] {
  if (amenities.length === 0) return amenities;
  if (index.hasMatch(criteriaOf(session, payload, amenities), now)) return amenities;
  const kept: string[] = [];
  for (const amenity of amenities) {
    if (index.hasMatch(criteriaOf(session, payload, [...kept, amenity]), now)) kept.push(amenity);
  }
  return kept;
}

/** By its key or as people call it. The labels of the matches need a complete payload. */
export function isNamed(key: string, { texts }: NamedAmenities): boolean {
  return texts
    .flatMap((text) => text.split(',', MAX_AMENITIES_READ))
    .some((name) => foldIntoOneWord(key) === foldIntoOneWord(name) || amenityCalled(name) === key);
}

/**
 * Judges amenities for a complete payload in the order of the request: the first is what matters most. Each is judged by the
 * matches that those before it leave. Unless all are applied at once, only the first that narrows the matches is.
 */
export function judgeAmenities(
  { texts }: NamedAmenities,
  session: Session,
  facts: SearchFacts,
  { atOnce = false }: { readonly atOnce?: boolean | undefined } = {},
): JudgedAmenities {
  let judge = createJudge(session, facts);
  let { amenities } = session;
  const fulfilled = new Set<string>();
  const refused: RefusedAmenity[] = [];
  const [text = ''] = texts;
  const names = texts.length === 1 ? judge.namesIn(text) : texts;
  for (const [before, name] of names.entries()) {
    const verdict = judge.verdictOn(name);
    const place = names.length === 1 ? {} : { position: before + 1 };
    if (verdict.kind === 'refused') {
      refused.push({ reason: verdict.reason, suggestions: verdict.suggestions, ...place });
      continue;
    }
    const { amenity } = verdict;
    if (verdict.kind === 'fulfilled') fulfilled.add(amenity);
    else if (amenities.includes(amenity)) continue;
    else if (atOnce || amenities === session.amenities) {
      amenities = [...amenities, amenity];
      judge = createJudge(withoutCurrentResult({ ...session, amenities }), facts);
    } else {
      refused.push({
        reason: { code: 'one_amenity_per_request', amenity },
        suggestions: [amenity],
        ...place,
      });
    }
  }
  return { amenities, fulfilled: [...fulfilled], refused, isTaken: refused.length < names.length };
}

/** By what the result offers, or before there is one by what matches. */
function createJudge(session: Session, facts: SearchFacts): AmenityJudge {
  const { result, amenities } = session;
  const offers = result?.answersPayload ? result.amenityOffers.map(({ value }) => value) : null;
  let known: KnownMatches | undefined;
  const matchesNow = () => {
    known ??= knownMatches(session, facts);
    return known;
  };
  return {
    namesIn(text) {
      if (!text.includes(',') || offers?.includes(text)) return [text];
      const { keysOf } = matchesNow();
      const names = text.split(',', MAX_AMENITIES_READ).map((name) => name.trim());
      // Operators could label an amenity with any list of words, so the words count first.
      const isList = amenityCalled(text) === undefined && names.some((name) => keysOf(name).length > 0);
      return isList ? names : [text];
    },
    verdictOn(text) {
      if (offers?.includes(text)) return { kind: 'taken', amenity: text };
      const { matches, keysOf } = matchesNow();
      const named = keysOf(text);
      if (named.length > 1) {
        const suggestions = named.filter(facts.index.isCommonAmenity).slice(0, MAX_SUGGESTIONS);
        return { kind: 'refused', reason: { code: 'ambiguous' }, suggestions };
      }
      const [amenity] = named;
      const havingOf = (key: string) =>
        matches.amenities.find((count) => count.amenity === key)?.properties ?? matches.total;
      if (amenity !== undefined) {
        // The matches may have changed since the result was made: what it offers is taken all the same.
        const isOffered = amenities.includes(amenity) || offers?.includes(amenity);
        return { kind: !isOffered && havingOf(amenity) === matches.total ? 'fulfilled' : 'taken', amenity };
      }
      // What narrows the matches can still be applied to their result.
      const known = matches.amenities.map((count) => count.amenity);
      const narrowing = (offers ?? known.filter((key) => facts.index.isCommonAmenity(key))).filter(
        (key) => !amenities.includes(key) && havingOf(key) < matches.total,
      );
      const reason = conflictOf(text, session, facts) ?? { code: 'not_on_network' };
      const unpublished = matches.unpublishedAmenities;
      const nextBest = nextBestFor(text).filter((key) => keysOf(key)[0] === key);
      return {
        kind: 'refused',
        reason: {
          ...reason,
          ...(nextBest.length > 0 ? { next_best: nextBest } : {}),
          ...(unpublished > 0 ? { unpublished } : {}),
        },
        suggestions: nearAmenities(text, narrowing),
      };
    },
  };
}

/** What comes next to it, then by spelling, then those of which a word begins alike: "washer" may mean washing_machine. */
function nearAmenities(text: string, choosable: readonly string[]): readonly string[] {
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

/** What stands in the way of an amenity that other homes have. Labels are known of the matches alone. */
function conflictOf(text: string, session: Session, facts: SearchFacts): RefusalReason | undefined {
  const { index, now } = facts;
  const amenity = [text, foldText(text).replaceAll(' ', '_'), amenityCalled(text)].find(
    (key) => key !== undefined && index.hasMatch({ ...ANY_STAY, amenities: [key] }, now),
  );
  return amenity === undefined
    ? undefined
    : amenityConflictsWith(amenity, { session, payload: session.payload, facts });
}

const NO_MATCHES: Matches = { total: 0, unpublishedAmenities: 0, amenities: [], candidates: [] };

function matchesOf(session: Session, { index, now }: SearchFacts): Matches {
  const criteria = criteriaOf(session, session.payload, session.amenities);
  return isComplete(criteria) ? index.matches(criteria, now, { ...NO_CANDIDATES, without: [] }) : NO_MATCHES;
}

type KnownMatches = {
  readonly matches: Matches;
  /**
   * The amenity of the matches that a text names; several where there is doubt. A key that is on offer, an everyday word, and the name of an
   * amenity that brands share cannot be taken by any operator. Labels come after them, and what one brand calls its own comes last.
   */
  keysOf(text: string): readonly string[];
};

function knownMatches(session: Session, facts: SearchFacts): KnownMatches {
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

/** By the folded names and labels of the keys. */
function keysByName(
  all: readonly string[],
  { index }: SearchFacts,
): ReadonlyMap<string, ReadonlySet<string>> {
  // The names of one operator must not hold up everyone.
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

/** Some characters take long to fold, and operators choose them, so a name is folded once. */
const foldedNames = new Map<string, string>();

function foldedName(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  if (foldedNames.size >= MAX_FOLDED_KNOWN) foldedNames.clear();
  const folded = foldIntoOneWord(name);
  foldedNames.set(name, folded);
  return folded;
}

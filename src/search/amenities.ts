import { ANY_STAY } from '../catalogue/stay-criteria.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import { amenityConflictsWith } from './conflicting-fields.ts';
import {
  amenityCalled,
  type KnownMatches,
  knownMatches,
  nearAmenities,
  nextBestFor,
} from './names/amenity-names.ts';
import { foldIntoOneWord, foldText } from './names/spelling.ts';
import { askedFields, criteriaOf, missingFields, type SearchFacts, withoutCurrentResult } from './payload.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import {
  MAX_AMENITIES_READ,
  type NamedAmenities,
  readAmenities,
  type SuppliedValue,
} from './supplied-values.ts';

export type TakenFilters = {
  /** The same array when nothing changed. */
  readonly amenities: readonly string[];
  readonly isTaken: boolean;
  /** Named amenities that every match has without a filter. */
  readonly fulfilled: readonly string[];
  readonly cleared: readonly string[];
  readonly faults: readonly FieldFault[];
};

const REFINE_NOT_AVAILABLE: FieldFault = { ...NO_DETAILS, code: 'refine_not_available', field: 'amenities' };

/**
 * Filters stay while a match fulfils them all; another may come with the fields that complete the search. A new search has only the filters
 * that its request names.
 */
export function takeAmenities(
  supplied: readonly SuppliedValue[],
  session: Session,
  facts: SearchFacts,
  { isNewSearch = false }: { readonly isNewSearch?: boolean } = {},
): TakenFilters {
  let asked: SuppliedValue | undefined;
  for (const one of supplied) if (one.field === 'amenities') asked = one;
  const request = asked && readAmenities(asked.raw);
  if (request?.kind === 'clear') {
    const amenities = session.amenities.length === 0 ? session.amenities : [];
    return { amenities, isTaken: true, fulfilled: [], cleared: [], faults: [] };
  }
  const named = request?.kind === 'named' ? request : null;
  const isNamedHere = (key: string) => named !== null && isNamed(key, named);
  const isAfresh = isNewSearch || named?.isAfresh === true;
  const standing = isAfresh ? allOrSome(session.amenities, isNamedHere) : session.amenities;
  const isReduced = standing !== session.amenities;
  const base = isReduced ? withoutCurrentResult({ ...session, amenities: standing }) : session;
  const kept = base.result?.answersPayload ? standing : keepAmenities(standing, base, base.payload, facts);
  // Filters that the request itself removes are not reported as cleared.
  const cleared = (isNewSearch ? session.amenities : standing).filter((amenity) => !kept.includes(amenity));
  const unchanged = { amenities: kept, isTaken: false, fulfilled: [], cleared };
  if (!request) return { ...unchanged, faults: [] };
  const isIncomplete = missingFields(askedFields(session), session.payload).length > 0;
  if (isIncomplete) {
    // A filter can outlast the answers with which it was accepted; naming it again is not a refinement.
    const isStanding = named?.texts.every((text) =>
      kept.some((key) => isNamed(key, { ...named, texts: [text] })),
    );
    return isStanding
      ? { ...unchanged, isTaken: true, faults: [] }
      : { ...unchanged, faults: [REFINE_NOT_AVAILABLE] };
  }
  if (named === null)
    return { ...unchanged, faults: [faultOf({ reason: { code: 'wrong_type' }, suggestions: [] })] };
  const judged = judgeAmenities(named, { ...base, amenities: kept }, facts, { atOnce: asked?.atOnce });
  const { fulfilled, refused, isTaken } = judged;
  // An amenity that the result offers may be gone by now: then the search is quoted again without it.
  const having =
    judged.amenities === kept ? kept : keepAmenities(judged.amenities, session, session.payload, facts);
  // A new search may name just the filters that are on.
  const isSame = having.length === judged.amenities.length && isSameList(having, session.amenities);
  return {
    amenities: isSame ? session.amenities : having,
    isTaken,
    fulfilled,
    cleared: [...new Set([...cleared, ...judged.amenities])].filter((amenity) => !having.includes(amenity)),
    faults: refused.map(faultOf),
  };
}

function faultOf({ reason, suggestions, position }: RefusedAmenity): FieldFault {
  return {
    ...NO_DETAILS,
    code: 'invalid_value',
    field: 'amenities',
    reason,
    suggestions,
    ...(position === undefined ? {} : { position }),
  };
}

/** The same array when all of them stay. */
function allOrSome(amenities: readonly string[], stays: (key: string) => boolean): readonly string[] {
  return amenities.every(stays) ? amenities : amenities.filter(stays);
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, position) => one === others[position]);
}

/** The verdict on all amenities of one request. */
type JudgedAmenities = {
  /** The new filters; the same array when none was added. */
  readonly amenities: readonly string[];
  /** Every match has these, so no filter is needed. */
  readonly fulfilled: readonly string[];
  readonly refused: readonly RefusedAmenity[];
  /** At least one is applied or fulfilled. */
  readonly isTaken: boolean;
};

type RefusedAmenity = {
  readonly reason: RefusalReason;
  readonly suggestions: readonly string[];
  /** Which of several it is, counted from 1. */
  readonly position?: number;
};

type AmenityVerdict =
  /** Also for one that is already a filter. */
  | { readonly kind: 'taken'; readonly amenity: string }
  | { readonly kind: 'fulfilled'; readonly amenity: string }
  | ({ readonly kind: 'refused' } & RefusedAmenity);

/** Judges amenities one by one by the same matches. */
type AmenityJudge = {
  verdictOn(text: string): AmenityVerdict;
  /** The names in a text: several where it is a list. */
  namesIn(text: string): readonly string[];
};

/** The filters that some match fulfils together, in the order in which they were applied. */
function keepAmenities(
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

/** The filters that no match fulfils together with these answers. */
export function lostFilters(session: Session, payload: Payload, facts: SearchFacts): readonly string[] {
  const { amenities } = session;
  const kept = keepAmenities(amenities, session, payload, facts);
  return kept === amenities ? [] : amenities.filter((amenity) => !kept.includes(amenity));
}

/** Whether the request names the amenity by its key or by a common name. Labels of the matches need a complete payload. */
export function isNamed(key: string, { texts }: NamedAmenities): boolean {
  return texts
    .flatMap((text) => text.split(',', MAX_AMENITIES_READ))
    .some((name) => foldIntoOneWord(key) === foldIntoOneWord(name) || amenityCalled(name) === key);
}

/**
 * Judges amenities for a complete payload in the order of the request, most important first. Each is judged by the matches that remain
 * after those before it. Without `atOnce`, only the first that narrows the matches is applied.
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

/** Judges by the offers of the current result, or else by the matches. */
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
        // The matches may have changed since the result was made: its offers are accepted anyway.
        const isOffered = amenities.includes(amenity) || offers?.includes(amenity);
        return { kind: !isOffered && havingOf(amenity) === matches.total ? 'fulfilled' : 'taken', amenity };
      }
      // Suggest amenities that still narrow the result.
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

/** The answers that exclude an amenity that other homes have. Labels are known only for the matches. */
function conflictOf(text: string, session: Session, facts: SearchFacts): RefusalReason | undefined {
  const { index, now } = facts;
  const amenity = [text, foldText(text).replaceAll(' ', '_'), amenityCalled(text)].find(
    (key) => key !== undefined && index.hasMatch({ ...ANY_STAY, amenities: [key] }, now),
  );
  return amenity === undefined
    ? undefined
    : amenityConflictsWith(amenity, { session, payload: session.payload, facts });
}

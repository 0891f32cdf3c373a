import type { Payload } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import { type Matches, NO_CANDIDATES } from '../inventory/availability-index/availability-index.ts';
import { ANY_STAY, isComplete } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { amenityConflictsWith } from './conflicting-fields.ts';
import { criteriaOf } from './criteria.ts';
import { amenityCalled, nextBestFor } from './names/amenity-called.ts';
import { foldIntoOneWord, foldText } from './names/fold-text.ts';
import { nearestWord } from './names/nearest-word.ts';
import type { SearchFacts } from './search-facts.ts';

/** What a request says about amenities. */
export type AmenityRequest =
  | { readonly kind: 'named'; readonly texts: readonly string[] }
  /** An empty list takes all filters off. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'unread' };

export type AmenityVerdict =
  | { readonly kind: 'taken'; readonly amenities: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly suggestions: readonly string[] };

const MAX_AMENITY_LENGTH = 120;
const MAX_AMENITIES_READ = 10;
const MAX_NAMES_FOLDED = 1000;
const ALIKE_LETTERS = 4;

/** A text, or an array of texts. Only one of them can be taken in a request. */
export function readAmenities(raw: unknown): AmenityRequest {
  const listed: readonly unknown[] = Array.isArray(raw) ? raw : raw === '' ? [] : [raw];
  if (listed.length === 0) return { kind: 'clear' };
  const isReadable = (text: unknown) => typeof text === 'string' && text.length <= MAX_AMENITY_LENGTH;
  return listed.every((text) => isReadable(text))
    ? { kind: 'named', texts: listed.slice(0, MAX_AMENITIES_READ) as readonly string[] }
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

/** Names exactly one, by its key or as people call it. The labels of the matches need a complete payload. */
export function isOneOf(amenities: readonly string[], request: AmenityRequest): boolean {
  if (request.kind !== 'named') return false;
  const [text = '', ...others] = request.texts;
  const name = foldIntoOneWord(text);
  const isNamed = (key: string) => foldIntoOneWord(key) === name || amenityCalled(text) === key;
  return others.length === 0 && amenities.some(isNamed);
}

/** Judges amenities for a complete payload: by what the result offers, or before there is one by what matches. */
export function judgeAmenities(
  { texts: [text = '', ...others] }: AmenityRequest & { kind: 'named' },
  session: Session,
  facts: SearchFacts,
): AmenityVerdict {
  const { result, amenities } = session;
  const offers = result?.answersPayload ? result.amenityOffers.map(({ value }) => value) : null;
  const isOne = others.length === 0;
  if (isOne && offers?.includes(text)) return { kind: 'taken', amenities: [...amenities, text] };
  const matches = matchesOf(session, facts);
  const counts = matches.amenities;
  const keyOf = keysByName(matches, facts);
  const choosable = (offers ?? counts.map((count) => count.amenity)).filter(
    (key) => !amenities.includes(key),
  );
  // What narrows the matches can still be applied to their result.
  const narrowing = choosable.filter((key) =>
    counts.some(({ amenity: one, properties }) => one === key && properties < matches.total),
  );
  const isOfMatch = (key: string) => counts.some((count) => count.amenity === key);
  const listed = (isOne ? text.split(',') : [text, ...others])
    .flatMap((name) => keyOf(name) ?? amenityCalled(name) ?? [])
    .filter(isOfMatch);
  const amenity = isOfMatch(text) ? text : keyOf(text);
  const isList = isOne && amenity === undefined && text.includes(',') && listed.length > 0;
  if (!isOne || isList) {
    // In the order of the request: the first is what matters most.
    const suggestions = [...new Set(listed)].filter((key) => narrowing.includes(key));
    return {
      kind: 'refused',
      reason: { code: 'one_amenity_per_request' },
      suggestions: suggestions.slice(0, MAX_SUGGESTIONS),
    };
  }
  if (amenity !== undefined && amenities.includes(amenity)) return { kind: 'taken', amenities };
  const meant = amenity ?? amenityCalled(text);
  const having = counts.find((count) => count.amenity === meant)?.properties ?? 0;
  // The matches may have changed since the result was made: an amenity that narrows them by now is no reason to refuse.
  // Together with the last fields one that every match has is taken too: the caller could not know.
  const isTaken = choosable.some((key) => key === amenity) || (having > 0 && having < matches.total);
  if (amenity !== undefined && isTaken) return { kind: 'taken', amenities: [...amenities, amenity] };
  if (meant !== undefined && amenities.includes(meant)) {
    return { kind: 'refused', reason: { code: 'already_applied' }, suggestions: [] };
  }
  const isOfAll = having > 0 && having === matches.total;
  const reason: RefusalReason =
    amenity !== undefined || isOfAll
      ? { code: 'not_discriminating', having, of: matches.total }
      : ((having === 0 ? conflictOf(text, session, facts) : undefined) ?? { code: 'not_on_network' });
  const unpublished = matches.unpublishedAmenities;
  const nextBest = having > 0 ? [] : nextBestFor(text).filter(isOfMatch);
  // What every match has is had already: nothing that is spelt like it was meant.
  const near = isOfAll
    ? []
    : [...narrowing.filter((key) => key === meant), ...nearAmenities(text, narrowing)];
  return {
    kind: 'refused',
    reason: {
      ...reason,
      ...(nextBest.length > 0 ? { next_best: nextBest } : {}),
      ...(unpublished > 0 ? { unpublished } : {}),
    },
    suggestions: [...new Set(near)].slice(0, MAX_SUGGESTIONS),
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

/** The one amenity of the matches that a text names, by its key or by a label that operators give it, whatever its case. */
function keysByName({ amenities }: Matches, { index }: SearchFacts): (text: string) => string | undefined {
  // Folding is slow. The names of one operator must not hold up everyone.
  const keys = amenities.slice(0, MAX_NAMES_FOLDED).map(({ amenity }) => amenity);
  const ownNames = new Map(keys.map((key) => [foldIntoOneWord(key), key]));
  const labelled = new Map<string, Set<string>>();
  let left = MAX_NAMES_FOLDED;
  for (const key of keys) {
    if (left <= 0) break;
    for (const label of index.amenityLabels(key).slice(0, left)) {
      const name = foldIntoOneWord(label);
      labelled.set(name, (labelled.get(name) ?? new Set()).add(key));
      left -= 1;
    }
  }
  return (text) => {
    const name = foldIntoOneWord(text);
    const keys = labelled.get(name);
    // No label takes a key away from another operator, and a label of two keys says neither.
    return ownNames.get(name) ?? (keys?.size === 1 ? [...keys][0] : undefined);
  };
}

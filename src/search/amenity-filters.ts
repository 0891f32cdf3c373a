import type { Payload } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import type { PropertyId } from '../inventory/catalogue.ts';
import { ANY_STAY, isComplete } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { amenityConflictsWith } from './conflicting-fields.ts';
import { criteriaOf } from './criteria.ts';
import { foldIntoOneWord, foldText } from './names/fold-text.ts';
import { nearestWord } from './names/nearest-word.ts';
import type { SearchFacts } from './search-facts.ts';

/** What a request says about amenities. */
export type AmenityRequest =
  | { readonly kind: 'one'; readonly text: string }
  /** An empty list takes all filters off. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'unread'; readonly reason: RefusalReason };

export type AmenityVerdict =
  | { readonly kind: 'taken'; readonly amenities: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly suggestions: readonly string[] };

const MAX_AMENITY_LENGTH = 120;

/** One amenity per request: a text, or an array with one. */
export function readAmenities(raw: unknown): AmenityRequest {
  const listed = Array.isArray(raw) ? raw : raw === '' ? [] : [raw];
  const [text, ...others] = listed;
  if (others.length > 0) return { kind: 'unread', reason: { code: 'one_amenity_per_request' } };
  if (listed.length === 0) return { kind: 'clear' };
  return typeof text === 'string' && text.length <= MAX_AMENITY_LENGTH
    ? { kind: 'one', text }
    : { kind: 'unread', reason: { code: 'wrong_type' } };
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

/** Judges an amenity for a complete payload: by what the result offers, or before there is one by what matches. */
export function judgeAmenity(text: string, session: Session, facts: SearchFacts): AmenityVerdict {
  const { result, amenities } = session;
  const offers = result?.answersPayload ? result.amenityOffers.map(({ value }) => value) : null;
  if (offers?.includes(text)) return { kind: 'taken', amenities: [...amenities, text] };
  const matches = matchesOf(session, facts);
  const counts = facts.index.amenityCounts(matches);
  const amenity = keyFor(text, matches, facts) ?? text;
  if (amenities.includes(amenity)) return { kind: 'taken', amenities };
  // Together with the last fields an amenity that every match has is taken too: the caller could not know.
  const choosable = offers ?? counts.map((count) => count.amenity);
  if (choosable.includes(amenity)) return { kind: 'taken', amenities: [...amenities, amenity] };
  // A suggestion is followed after the result, where one that every match has is not on offer.
  const narrowing =
    offers ?? counts.filter(({ properties }) => properties < matches.length).map((count) => count.amenity);
  const listed = text.split(',').map((part) => keyFor(part, matches, facts));
  if (listed.length > 1 && listed.some((key) => key !== undefined)) {
    const suggestions = narrowing.filter((key) => listed.includes(key));
    return { kind: 'refused', reason: { code: 'one_amenity_per_request' }, suggestions };
  }
  const near = nearestWord(text, narrowing);
  const having = counts.find((count) => count.amenity === amenity)?.properties ?? 0;
  const elsewhere = having === 0 ? amenityElsewhere(text, facts) : undefined;
  const conflict =
    elsewhere === undefined
      ? undefined
      : amenityConflictsWith(elsewhere, { session, payload: session.payload, facts });
  const reason: RefusalReason = conflict ?? { code: 'not_discriminating', having, of: matches.length };
  const unpublished = matches.filter((id) => facts.index.property(id)?.amenities === null).length;
  return {
    kind: 'refused',
    reason: unpublished === 0 ? reason : { ...reason, unpublished },
    suggestions: near === undefined ? [] : [near],
  };
}

/** Labels are known of the matches alone; elsewhere a text is most likely the key in other letters. */
function amenityElsewhere(text: string, { index, now }: SearchFacts): string | undefined {
  return [text, foldText(text).replaceAll(' ', '_')].find((amenity) =>
    index.hasMatch({ ...ANY_STAY, amenities: [amenity] }, now),
  );
}

function matchesOf(session: Session, { index, now }: SearchFacts): readonly PropertyId[] {
  const criteria = criteriaOf(session, session.payload, session.amenities);
  return isComplete(criteria) ? index.candidates(criteria, now).map(({ property }) => property) : [];
}

/** The one key that the matches know by this text, as a key or as its label, whatever its case. */
function keyFor(text: string, matches: readonly PropertyId[], { index }: SearchFacts): string | undefined {
  const wanted = foldIntoOneWord(text);
  const keys = new Set<string>();
  for (const id of matches) {
    for (const [key, label] of Object.entries(index.property(id)?.amenities ?? {})) {
      if (key === text) return key;
      if ([key, label].some((name) => foldIntoOneWord(name) === wanted)) keys.add(key);
    }
  }
  return keys.size === 1 ? [...keys][0] : undefined;
}

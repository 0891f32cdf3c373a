import type { Payload } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import type { PropertyId } from '../inventory/catalogue.ts';
import { isComplete } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { amenityConflictsWith } from './conflicting-fields.ts';
import { criteriaOf } from './criteria.ts';
import { nearestWord } from './nearest-word.ts';
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
  const isTaken = (offers ?? counts.map((count) => count.amenity)).includes(amenity);
  if (isTaken) return { kind: 'taken', amenities: [...amenities, amenity] };
  const near = nearestWord(text, offers ?? counts.map((count) => count.amenity));
  const reason: RefusalReason = counts.some((count) => count.amenity === amenity)
    ? { code: 'not_discriminating' }
    : (conflictOf(amenity, session, facts) ??
      conflictOf(asKey(text), session, facts) ?? { code: 'not_on_network' });
  return { kind: 'refused', reason, suggestions: near === undefined ? [] : [near] };
}

function conflictOf(amenity: string, session: Session, facts: SearchFacts): RefusalReason | undefined {
  return amenityConflictsWith(amenity, { session, payload: session.payload, facts });
}

function matchesOf(session: Session, { index, now }: SearchFacts): readonly PropertyId[] {
  const criteria = criteriaOf(session, session.payload, session.amenities);
  return isComplete(criteria) ? index.candidates(criteria, now).map(({ property }) => property) : [];
}

/** The one key that the matches know by this text, as a key or as its label, whatever its case. */
function keyFor(text: string, matches: readonly PropertyId[], { index }: SearchFacts): string | undefined {
  const wanted = folded(text);
  const keys = new Set<string>();
  for (const id of matches) {
    for (const [key, label] of Object.entries(index.property(id)?.amenities ?? {})) {
      if (key === text) return key;
      if (folded(label) === wanted || folded(key) === wanted) keys.add(key);
    }
  }
  return keys.size === 1 ? [...keys][0] : undefined;
}

/** Labels are known of the matches alone; elsewhere a text is most likely the key in other letters. */
function asKey(text: string): string {
  return folded(text).replaceAll(' ', '_');
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

import type { Session } from '../sessions/session.ts';
import {
  isNamed,
  judgeAmenities,
  keepAmenities,
  type RefusedAmenity,
  readAmenities,
} from './amenity-filters.ts';
import { askedFields, missingFields } from './asked-fields.ts';
import { withoutCurrentResult } from './changed-session.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';

const REFINE_NOT_AVAILABLE: FieldFault = { ...NO_DETAILS, code: 'refine_not_available', field: 'amenities' };

export type TakenFilters = {
  /** The same array when nothing changed. */
  readonly amenities: readonly string[];
  readonly isTaken: boolean;
  /** Named amenities that every match has without a filter. */
  readonly fulfilled: readonly string[];
  readonly cleared: readonly string[];
  readonly faults: readonly FieldFault[];
};

/**
 * Filters stay while a match has them all; one more may come with the fields that complete the search. A new search has only
 * those that its request names.
 */
export function takeAmenities(
  supplied: readonly SuppliedValue[],
  session: Session,
  facts: SearchFacts,
  { isNewSearch = false }: { readonly isNewSearch?: boolean } = {},
): TakenFilters {
  const asked = supplied.find(({ field }) => field === 'amenities');
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
  // What the request itself takes off is not reported as lost.
  const cleared = (isNewSearch ? session.amenities : standing).filter((amenity) => !kept.includes(amenity));
  const unchanged = { amenities: kept, isTaken: false, fulfilled: [], cleared };
  if (!request) return { ...unchanged, faults: [] };
  const isIncomplete = missingFields(askedFields(session), session.payload).length > 0;
  if (isIncomplete) {
    // A filter can outlast the answers it was taken with; to name it once more is no refinement.
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
  // What the result offers may be gone by now: the search is quoted anew without it, which offers what there is.
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

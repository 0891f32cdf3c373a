import type { Session } from '../sessions/session.ts';
import {
  type AmenityVerdict,
  isOneOf,
  judgeAmenities,
  keepAmenities,
  readAmenities,
} from './amenity-filters.ts';
import { askedFields, missingFields } from './asked-fields.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';

const REFINE_NOT_AVAILABLE: FieldFault = { ...NO_DETAILS, code: 'refine_not_available', field: 'amenities' };

export type TakenFilters = {
  /** The same array when nothing changed. */
  readonly amenities: readonly string[];
  readonly isTaken: boolean;
  readonly cleared: readonly string[];
  readonly faults: readonly FieldFault[];
};

/** Filters stay while a match has them all; one more may come with the fields that complete the search. */
export function takeAmenities(
  supplied: readonly SuppliedValue[],
  session: Session,
  facts: SearchFacts,
): TakenFilters {
  const asked = supplied.find(({ field }) => field === 'amenities');
  const request = asked && readAmenities(asked.raw);
  if (request?.kind === 'clear') {
    const amenities = session.amenities.length === 0 ? session.amenities : [];
    return { amenities, isTaken: true, cleared: [], faults: [] };
  }
  const kept = session.result?.answersPayload
    ? session.amenities
    : keepAmenities(session.amenities, session, session.payload, facts);
  const cleared = session.amenities.filter((amenity) => !kept.includes(amenity));
  const unchanged = { amenities: kept, isTaken: false, cleared };
  if (!request) return { ...unchanged, faults: [] };
  const isIncomplete = missingFields(askedFields(session), session.payload).length > 0;
  if (isIncomplete) {
    // A filter can outlast the answers it was taken with; to name it once more is no refinement.
    const isStanding = isOneOf(kept, request);
    return isStanding
      ? { ...unchanged, isTaken: true, faults: [] }
      : { ...unchanged, faults: [REFINE_NOT_AVAILABLE] };
  }
  const verdict: AmenityVerdict =
    request.kind === 'unread'
      ? { kind: 'refused', reason: { code: 'wrong_type' }, suggestions: [] }
      : judgeAmenities(request, { ...session, amenities: kept }, facts);
  if (verdict.kind === 'taken') {
    if (verdict.amenities === kept) return { ...unchanged, isTaken: true, faults: [] };
    // What the result offers may be gone by now: the search is quoted anew without it, which offers what there is.
    const having = keepAmenities(verdict.amenities, session, session.payload, facts);
    const gone = verdict.amenities.filter((amenity) => !having.includes(amenity));
    return { amenities: having, isTaken: true, cleared: [...cleared, ...gone], faults: [] };
  }
  const { reason, suggestions } = verdict;
  const fault: FieldFault = { ...NO_DETAILS, code: 'invalid_value', field: 'amenities', reason, suggestions };
  return { ...unchanged, faults: [fault] };
}

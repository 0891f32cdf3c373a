import {
  isPayloadField,
  PAYLOAD_FIELDS,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import { type CompleteCriteria, isComplete } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { type AmenityVerdict, judgeAmenities, keepAmenities, readAmenities } from './amenity-filters.ts';
import { askedFields, missingFields } from './asked-fields.ts';
import { criteriaOf } from './criteria.ts';
import { type Correction, type FieldFault, NO_DETAILS, type Refusal } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { dropStaleValues, type JudgedValues, takeValues } from './take-values.ts';
import { unknownFields } from './unknown-fields.ts';

/** `session` is the state after the request; it is the same object when nothing changed. */
export type Decision =
  | ({ readonly kind: 'incomplete' } & Change)
  | ({ readonly kind: 'refused'; readonly refusal: Refusal } & Change)
  /** The payload is complete: ask the operators. */
  | ({
      readonly kind: 'quote';
      readonly criteria: CompleteCriteria;
      readonly refusal: Refusal | null;
    } & Change)
  /** The stored result is the answer. */
  | { readonly kind: 'answered'; readonly session: Session };

type Change = { readonly session: Session; readonly cleared: Cleared };

/** What a request, or a change of the inventory, made impossible. */
export type Cleared = {
  readonly fields: readonly SearchField[];
  readonly amenities: readonly string[];
};

export const NOTHING_CLEARED: Cleared = { fields: [], amenities: [] };

const REFINE_NOT_AVAILABLE: FieldFault = { ...NO_DETAILS, code: 'refine_not_available', field: 'amenities' };

/** All transitions of the guided cycle. Pure, so that they can be tested without a server. */
export function decideStep(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): Decision {
  if (supplied.length === 0) return decideReading(session, facts);
  const unknown = unknownFields(supplied, session, facts);
  const { taken, filters, isTaken, isChanged } = takeAll(session, supplied, unknown, facts);
  const next = isChanged
    ? withoutCurrentResult({ ...session, payload: taken.payload, amenities: filters.amenities })
    : session;
  const faults = [
    ...taken.refusals.map((refusal): FieldFault => ({ ...NO_DETAILS, ...refusal })),
    ...filters.faults,
    ...unknown,
  ];
  const cleared = clearedOf(lostFields(session.payload, taken.payload), isTaken ? filters.cleared : []);
  const [first, ...others] = faults;
  if (first) {
    const accepted = [...taken.accepted, ...(filters.isTaken ? (['amenities'] as const) : [])];
    const corrections = correctionsOf(first, taken);
    const isOfValues = corrections === taken.corrections;
    const clearing = isOfValues ? lostFields(taken.payload, taken.corrected) : [];
    const carried =
      isOfValues && corrections.length > 0 && !filters.isTaken
        ? amenityAfter(withPayload(next, taken.corrected), supplied, facts)
        : [];
    const refusal: Refusal = {
      faults: [first, ...others],
      accepted,
      corrections: [...corrections, ...carried],
      clearing,
    };
    // What was taken may complete the search: then its result is the answer, and says what was refused. The same values
    // once more are a retry if the operators were silent.
    const isRetry = isTaken && session.operatorsSilent === true && taken.undisputed === taken.payload;
    const onward = isChanged || isRetry ? continueSearch(next, cleared) : null;
    return onward?.kind === 'quote'
      ? { ...onward, refusal }
      : { kind: 'refused', session: next, cleared, refusal };
  }
  const { result } = session;
  // Supplying an answer again is how a caller asks once more when a brand was silent.
  const isSettled = result?.answersPayload && !(result.isPartial && taken.accepted.length > 0);
  if (!isChanged && isSettled) return { kind: 'answered', session };
  return continueSearch(next, cleared);
}

type TakenRequest = {
  readonly taken: JudgedValues;
  readonly filters: TakenFilters;
  readonly isTaken: boolean;
  readonly isChanged: boolean;
};

/** Values first, then filters. When only the filters change, the disputed values go after all, and the others are judged again. */
function takeAll(
  session: Session,
  supplied: readonly SuppliedValue[],
  unknown: readonly FieldFault[],
  facts: SearchFacts,
): TakenRequest {
  const taken = takeDroppingStale(session, supplied, unknown, facts);
  const isMoved = taken.payload !== session.payload;
  const moved = isMoved ? withoutCurrentResult({ ...session, payload: taken.payload }) : session;
  const filters = takeAmenities(supplied, moved, facts);
  const isTaken = taken.accepted.length > 0 || filters.isTaken;
  const isChanged = isTaken && (isMoved || filters.amenities !== session.amenities);
  if (!isChanged || taken.undisputed === taken.payload) return { taken, filters, isTaken, isChanged };
  const again = takeValues({ ...session, payload: taken.undisputed }, supplied, facts);
  // What only repeats an answer may stand on a disputed one, and fall with it: then nothing is left to change the search.
  if (again.accepted.length === 0 && !filters.isTaken) {
    return { taken, filters, isTaken: false, isChanged: false };
  }
  const isMovedOn = again.payload !== taken.undisputed;
  const rest = withoutCurrentResult({ ...session, payload: again.payload });
  return {
    taken: again,
    filters: isMovedOn ? takeAmenities(supplied, rest, facts) : filters,
    isTaken,
    isChanged,
  };
}

/**
 * Received values become stale when the inventory changes during a search. If new values are refused or change nothing,
 * stale values are dropped and the new ones are tried again.
 */
function takeDroppingStale(
  session: Session,
  values: readonly SuppliedValue[],
  unknown: readonly FieldFault[],
  facts: SearchFacts,
): JudgedValues {
  const misnamed = unknown.flatMap(({ didYouMean }) =>
    didYouMean !== null && isPayloadField(didYouMean) ? [didYouMean] : [],
  );
  const taken = takeValues(session, values, facts, misnamed);
  const isNews = taken.payload !== session.payload || session.result?.answersPayload === true;
  if (taken.refusals.length === 0 && isNews) return taken;
  const { payload, cleared } = dropStaleValues(session, facts);
  if (cleared.length === 0) return taken;
  const again = takeValues({ ...session, payload }, values, facts, misnamed);
  // A result that answers the search stands until a request changes something.
  const isSettled = session.result?.answersPayload === true && again.payload === payload;
  if (!isSettled) return again;
  const undisputed = again.undisputed === payload ? session.payload : again.undisputed;
  return { ...again, payload: session.payload, undisputed };
}

/** An amenity is corrected alone, and only on the search that the caller wants. */
function correctionsOf(
  { field, suggestions }: FieldFault,
  { corrections, payload, undisputed }: JudgedValues,
): readonly Correction[] {
  const [value] = suggestions;
  if (field !== 'amenities' || value === undefined) return corrections;
  return undisputed === payload ? [{ field, value }] : [];
}

/** An amenity that came along is sent again with what completes the search, if it can be applied then. */
function amenityAfter(
  corrected: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): readonly Correction[] {
  const { amenities, isTaken } = takeAmenities(supplied, corrected, facts);
  const value = amenities.at(-1);
  const isAdded = isTaken && value !== undefined && !corrected.amenities.includes(value);
  return isAdded ? [{ field: 'amenities', value }] : [];
}

/** A result goes on answering the search when the values are those that it has. */
function withPayload(session: Session, payload: Payload): Session {
  const isSame = PAYLOAD_FIELDS.every((field) => session.payload[field] === payload[field]);
  return isSame ? session : withoutCurrentResult({ ...session, payload });
}

type TakenFilters = {
  /** The same array when nothing changed. */
  readonly amenities: readonly string[];
  readonly isTaken: boolean;
  readonly cleared: readonly string[];
  readonly faults: readonly FieldFault[];
};

/** Filters stay while a match has them all; one more may come with the fields that complete the search. */
function takeAmenities(
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
  if (isIncomplete) return { ...unchanged, faults: [REFINE_NOT_AVAILABLE] };
  const verdict: AmenityVerdict =
    request.kind === 'unread'
      ? { kind: 'refused', reason: { code: 'wrong_type' }, suggestions: [] }
      : judgeAmenities(request, { ...session, amenities: kept }, facts);
  if (verdict.kind === 'taken') return { amenities: verdict.amenities, isTaken: true, cleared, faults: [] };
  const { reason, suggestions } = verdict;
  const fault: FieldFault = { ...NO_DETAILS, code: 'invalid_value', field: 'amenities', reason, suggestions };
  return { ...unchanged, faults: [fault] };
}

function decideReading(session: Session, facts: SearchFacts): Decision {
  if (session.result?.answersPayload) {
    return session.result.amenityOffers.length === 0
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, cleared: NOTHING_CLEARED };
  }
  const { payload, cleared } = dropStaleValues(session, facts);
  const kept = keepAmenities(session.amenities, session, payload, facts);
  const lost = session.amenities.filter((amenity) => !kept.includes(amenity));
  const isChanged = cleared.length > 0 || lost.length > 0;
  const next = isChanged ? { ...session, payload, amenities: kept } : session;
  return continueSearch(next, clearedOf(cleared, lost));
}

function lostFields(before: Payload, after: Payload): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter((field) => before[field] !== undefined && after[field] === undefined);
}

function clearedOf(fields: readonly PayloadField[], amenities: readonly string[]): Cleared {
  return { fields: amenities.length > 0 ? [...fields, 'amenities'] : fields, amenities };
}

function continueSearch(session: Session, cleared: Cleared): Decision {
  if (missingFields(askedFields(session), session.payload).length === 0) {
    const criteria = criteriaOf(session, session.payload, session.amenities);
    if (isComplete(criteria)) return { kind: 'quote', session, criteria, cleared, refusal: null };
  }
  return { kind: 'incomplete', session, cleared };
}

/** After a change the old result can still be read, but it no longer answers the search. */
function withoutCurrentResult(session: Session): Session {
  const { result } = session;
  return {
    ...session,
    result: result && { answersPayload: false, amenityOffers: [] },
    operatorsSilent: false,
  };
}

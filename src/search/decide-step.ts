import { type CompleteCriteria, isComplete } from '../catalogue/stay-criteria.ts';
import {
  isPayloadField,
  PAYLOAD_FIELDS,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import { isUnreadable } from '../contract/refusal-reasons.ts';
import { fieldsToGive } from '../contract/whole-stay.ts';
import type { Session } from '../sessions/session.ts';
import { amenityAfter, carriedValues, renamedRequest } from './amended-request.ts';
import { keepAmenities, type TakenFilters, takeAmenities } from './amenities.ts';
import { staysOfThatLength, withDeparture } from './intended-stay.ts';
import {
  askedFields,
  criteriaOf,
  missingFields,
  type SearchFacts,
  withoutCurrentResult,
  withPayload,
} from './payload.ts';
import { type Correction, type FieldFault, NO_DETAILS, type Refusal } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { dropStaleValues, type JudgedValues, takeValues } from './take-values.ts';
import { renamedValues, unknownFields } from './unknown-fields.ts';
import { type Unsearchable, unsearchableScope } from './unsearchable.ts';

/** `session` is the state after the request, the same object when nothing changed. */
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
  | ({ readonly kind: 'answered'; readonly session: Session } & Fulfilled)
  | Unsearchable;

type Change = { readonly session: Session; readonly cleared: Cleared } & Fulfilled;

/** Amenities of the request that every match has without a filter; left out when there are none. */
type Fulfilled = { readonly fulfilled?: readonly string[] };

/** Answers and filters that a request, or a change of the inventory, made impossible. */
export type Cleared = {
  readonly fields: readonly SearchField[];
  readonly amenities: readonly string[];
  /** The request names a whole stay, so filters that it does not name are cleared. */
  readonly isNewSearch?: true;
};

export const NOTHING_CLEARED: Cleared = { fields: [], amenities: [] };

/** All transitions of the guided cycle. Pure, so that they can be tested without a server. */
export function decideStep(session: Session, given: readonly SuppliedValue[], facts: SearchFacts): Decision {
  const supplied = withDeparture(given, session.payload);
  const decision =
    supplied.length === 0 ? decideReading(session, facts) : decideValues(session, supplied, facts);
  if (facts.unready.length === 0 || decision.kind === 'answered') return decision;
  const undecided = unsearchableScope(session, supplied, decision, facts);
  if (undecided === undefined) return decision;
  // A current result stays readable.
  return supplied.length === 0 && session.result?.answersPayload ? { kind: 'answered', session } : undecided;
}

/** A decision about homes that the index knows. */
type JudgedDecision = Exclude<Decision, Unsearchable>;

function decideValues(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): JudgedDecision {
  const unknown = unknownFields(supplied, session, facts);
  const isNewSearch = namesWholeStay(session, supplied, unknown);
  const { taken, filters, isTaken, isChanged } = takeAll(session, supplied, unknown, facts, isNewSearch);
  const next = isChanged
    ? withoutCurrentResult({ ...session, payload: taken.payload, amenities: filters.amenities })
    : session;
  const faults = [
    ...taken.refusals.map((refusal): FieldFault => ({ ...NO_DETAILS, ...refusal })),
    ...filters.faults,
    ...unknown,
  ];
  const cleared = clearedOf(
    lostFields(session.payload, taken.payload),
    isTaken ? filters.cleared : [],
    isNewSearch,
  );
  const fulfilled = filters.fulfilled.length > 0 ? { fulfilled: filters.fulfilled } : {};
  const [first, ...others] = faults;
  if (first) {
    const accepted = [...taken.accepted, ...(filters.isTaken ? (['amenities'] as const) : [])];
    const corrections = correctionsOf(faults, taken);
    const isOfValues = corrections === taken.corrections;
    const clearing = isOfValues ? lostFields(taken.payload, taken.corrected) : [];
    // A corrected request for a whole stay is a new search again, so it must name its filter again.
    const unfiltered = isNewSearch ? { ...next, amenities: [] } : next;
    const carried =
      isOfValues && corrections.length > 0 && (isNewSearch || !filters.isTaken)
        ? amenityAfter(withPayload(unfiltered, taken.corrected), supplied, facts)
        : [];
    const renamed = renamedValues(supplied, session, facts);
    const leftover = {
      session: next,
      remaining: [...supplied, ...renamed].filter(({ field }) => !accepted.some((one) => one === field)),
      renamed,
      faults,
    };
    const amended = renamedRequest(leftover, facts);
    const corrected = amended?.payload ?? (isOfValues && corrections.length > 0 ? taken.corrected : null);
    const takingOff = corrected === null ? [] : lostFilters(next, corrected, facts);
    const changing =
      amended?.changing ??
      (isOfValues
        ? [...taken.changing, ...lostAmenity(supplied, corrections, carried, filters)]
        : changedAmenity(first, corrections));
    const stays = isDate(first.field) ? staysOfThatLength(session.payload, next, supplied, facts) : [];
    const refusal: Refusal = {
      faults: [first, ...others],
      accepted,
      corrections: amended?.values ?? [...corrections, ...carried],
      ...(changing.length > 0 ? { changing } : {}),
      ...(stays.length > 0 ? { stays } : {}),
      clearing: amended ? lostFields(taken.payload, amended.payload) : clearing,
      ...(takingOff.length > 0 ? { takingOff } : {}),
      carried: carriedValues(leftover, facts),
    };
    const hasNoAlternative = refusal.corrections.length === 0 && refusal.carried.length === 0;
    if (hasNoAlternative && !isChanged && isNamingAnother(taken)) {
      return decideWithout(session, taken.undisputed, supplied, facts);
    }
    // The accepted values may complete the search: then the answer is the result, with the refusals. Repeating the same values is a retry if
    // the operators were silent.
    const isRetry = isTaken && session.operatorsSilent === true && taken.undisputed === taken.payload;
    const onward = isChanged || isRetry ? continueSearch(next, cleared) : null;
    return onward?.kind === 'quote'
      ? { ...onward, refusal, ...fulfilled }
      : { kind: 'refused', session: next, cleared, refusal, ...fulfilled };
  }
  const { result } = session;
  // A caller asks silent brands again by supplying an answer again.
  const isAnswered = result?.answersPayload && !(result.isPartial && taken.accepted.length > 0);
  if (!isChanged && isAnswered) return { kind: 'answered', session, ...fulfilled };
  return { ...continueSearch(next, cleared), ...fulfilled };
}

/** Destination (if the session asks for one), both dates and the party. Nearly right names count. */
function namesWholeStay(
  session: Session,
  supplied: readonly SuppliedValue[],
  unknown: readonly FieldFault[],
): boolean {
  const named = new Set<string | null>([
    ...supplied.map(({ field }) => field),
    ...unknown.map(({ didYouMean }) => didYouMean),
  ]);
  return fieldsToGive(askedFields(session).order).every(
    (field) => field === 'brand_locked' || named.has(field),
  );
}

/** Whether a request names another value for a field that has one. */
function isNamingAnother({ refusals, payload, undisputed }: JudgedValues): boolean {
  const isReplacing = (field: PayloadField) =>
    payload[field] !== undefined && undisputed[field] === undefined;
  return refusals.some(
    (one) => one.code === 'invalid_value' && !isUnreadable(one.reason) && isReplacing(one.field),
  );
}

/**
 * The traveller no longer wants the old value of a field for which the request names another. Without a correction to send, ask for the
 * field again: otherwise the next request would go on with the old value.
 */
function decideWithout(
  session: Session,
  payload: Payload,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): JudgedDecision {
  const gone = lostFilters(session, payload, facts);
  const amenities =
    gone.length === 0 ? session.amenities : session.amenities.filter((one) => !gone.includes(one));
  const decision = decideValues(withoutCurrentResult({ ...session, payload, amenities }), supplied, facts);
  if (decision.kind === 'answered') return decision;
  const lost = lostFields(session.payload, decision.session.payload);
  const { amenities: goneToo, isNewSearch } = decision.cleared;
  return { ...decision, cleared: clearedOf(lost, [...gone, ...goneToo], isNewSearch) };
}

function isDate(field: string | null): boolean {
  return field === 'check_in_month' || field === 'check_in_day' || field === 'check_out';
}

/** A corrected stay drops a requested amenity that none of its matches has. */
function lostAmenity(
  supplied: readonly SuppliedValue[],
  corrections: readonly Correction[],
  carried: readonly Correction[],
  filters: TakenFilters,
): readonly SearchField[] {
  const isNamed = supplied.some(({ field }) => field === 'amenities');
  const isLost = isNamed && corrections.length > 0 && carried.length === 0 && !filters.isTaken;
  return isLost ? ['amenities'] : [];
}

/** A correction to another amenity is a change, unless it is just the next of several requested ones. */
function changedAmenity({ reason }: FieldFault, corrections: readonly Correction[]): readonly SearchField[] {
  return corrections.length > 0 && reason?.code !== 'one_amenity_per_request' ? ['amenities'] : [];
}

type TakenRequest = {
  readonly taken: JudgedValues;
  readonly filters: TakenFilters;
  readonly isTaken: boolean;
  readonly isChanged: boolean;
};

/** Takes values, then filters. When only the filters change, the disputed values are removed too, and the others are judged again. */
function takeAll(
  session: Session,
  supplied: readonly SuppliedValue[],
  unknown: readonly FieldFault[],
  facts: SearchFacts,
  isNewSearch: boolean,
): TakenRequest {
  const taken = takeDroppingStale(session, supplied, unknown, facts);
  const isMoved = taken.payload !== session.payload;
  const moved = isMoved ? withoutCurrentResult({ ...session, payload: taken.payload }) : session;
  const filters = takeAmenities(supplied, moved, facts, { isNewSearch });
  const isTaken = taken.accepted.length > 0 || filters.isTaken;
  const isChanged = isTaken && (isMoved || filters.amenities !== session.amenities);
  if (!isChanged || taken.undisputed === taken.payload) return { taken, filters, isTaken, isChanged };
  const again = takeValues({ ...session, payload: taken.undisputed }, supplied, facts);
  // A repeated answer may depend on a disputed one and fall with it: then nothing changes the search.
  if (again.accepted.length === 0 && !filters.isTaken) {
    return { taken, filters, isTaken: false, isChanged: false };
  }
  const isMovedOn = again.payload !== taken.undisputed;
  const rest = withoutCurrentResult({ ...session, payload: again.payload });
  return {
    taken: again,
    filters: isMovedOn ? takeAmenities(supplied, rest, facts, { isNewSearch }) : filters,
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
  const changesSearch = taken.payload !== session.payload || session.result?.answersPayload === true;
  if (taken.refusals.length === 0 && changesSearch) return taken;
  const { payload, cleared } = dropStaleValues(session, facts);
  if (cleared.length === 0) return taken;
  const again = takeValues({ ...session, payload }, values, facts, misnamed);
  // A current result stays until a request changes something.
  const isAnswered = session.result?.answersPayload === true && again.payload === payload;
  if (!isAnswered) return again;
  const undisputed = again.undisputed === payload ? session.payload : again.undisputed;
  return { ...again, payload: session.payload, undisputed };
}

/** An amenity is corrected alone, and only if no value is disputed. One that waits for its turn comes first. */
function correctionsOf(
  faults: readonly FieldFault[],
  { corrections, payload, undisputed }: JudgedValues,
): readonly Correction[] {
  const [first] = faults;
  const isWaiting = ({ reason }: FieldFault) => reason?.code === 'one_amenity_per_request';
  const [value] = (faults.find(isWaiting) ?? first)?.suggestions ?? [];
  const field = 'amenities';
  if (first?.field !== field || value === undefined) return corrections;
  return undisputed === payload ? [{ field, value }] : [];
}

function decideReading(session: Session, facts: SearchFacts): JudgedDecision {
  if (session.result?.answersPayload) {
    return session.result.amenityOffers.length === 0
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, cleared: NOTHING_CLEARED };
  }
  const { payload, cleared } = dropStaleValues(session, facts);
  const lost = lostFilters(session, payload, facts);
  const isChanged = cleared.length > 0 || lost.length > 0;
  const amenities = session.amenities.filter((amenity) => !lost.includes(amenity));
  const next = isChanged ? { ...session, payload, amenities } : session;
  return continueSearch(next, clearedOf(cleared, lost));
}

/** The filters that no match fulfils together with these answers. */
function lostFilters(session: Session, payload: Payload, facts: SearchFacts): readonly string[] {
  const kept = keepAmenities(session.amenities, session, payload, facts);
  return session.amenities.filter((amenity) => !kept.includes(amenity));
}

function lostFields(before: Payload, after: Payload): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter((field) => before[field] !== undefined && after[field] === undefined);
}

function clearedOf(
  fields: readonly PayloadField[],
  amenities: readonly string[],
  isNewSearch = false,
): Cleared {
  if (amenities.length === 0) return { fields, amenities };
  return { fields: [...fields, 'amenities'], amenities, ...(isNewSearch ? { isNewSearch } : {}) };
}

function continueSearch(session: Session, cleared: Cleared): JudgedDecision {
  if (missingFields(askedFields(session), session.payload).length === 0) {
    const criteria = criteriaOf(session, session.payload, session.amenities);
    if (isComplete(criteria)) return { kind: 'quote', session, criteria, cleared, refusal: null };
  }
  return { kind: 'incomplete', session, cleared };
}

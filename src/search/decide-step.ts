import { isComplete } from '../catalogue/stay-criteria.ts';
import {
  FIELDS,
  isPayloadField,
  NIGHTS,
  type Payload,
  type PayloadField,
} from '../contract/payload-fields.ts';
import { isUnreadable } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { accept, dropStaleValues } from './accept.ts';
import { advise, type TakenRequest, type TakenValues } from './advise.ts';
import { lostFilters, type TakenFilters, takeAmenities } from './amenities.ts';
import { type Cleared, type Decision, type JudgedDecision, NOTHING_CLEARED } from './decision.ts';
import { withDeparture } from './intended-stay.ts';
import {
  askedFields,
  criteriaOf,
  isReachable,
  lostFields,
  pickInOrder,
  type SearchFacts,
  withoutCurrentResult,
} from './payload.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { type MisnamedValue, misnamedValues } from './unknown-fields.ts';
import { unsearchableScope } from './unsearchable.ts';

/** All transitions of the guided cycle. Pure, so that they can be tested without a server. */
export function decideStep(session: Session, given: readonly SuppliedValue[], facts: SearchFacts): Decision {
  let supplied = given;
  for (const { field } of given) if (field === NIGHTS) supplied = withDeparture(given, session.payload);
  const decision =
    supplied.length === 0 ? decideReading(session, facts) : decideValues(session, supplied, facts);
  if (facts.unready.length === 0 || decision.kind === 'answered') return decision;
  const undecided = unsearchableScope(session, supplied, decision, facts);
  if (undecided === undefined) return decision;
  // A current result stays readable.
  return supplied.length === 0 && session.result?.answersPayload ? { kind: 'answered', session } : undecided;
}

function decideValues(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): JudgedDecision {
  const { order } = askedFields(session);
  let misnamed: readonly MisnamedValue[] = [];
  for (const { field } of supplied) {
    if (field === 'amenities' || order.includes(field as PayloadField)) continue;
    misnamed = misnamedValues(supplied, session, facts);
    break;
  }
  const isNewSearch = supplied.length >= FEWEST_OF_WHOLE_STAY && namesWholeStay(order, supplied, misnamed);
  const taken = takeAll(session, supplied, misnamed, facts, isNewSearch);
  const { judged, payload, undisputed, filters, isTaken, after } = taken;
  const isChanged = after !== session;
  const lost = lostFields(session.payload, payload);
  const cleared =
    isTaken && filters.cleared.length > 0
      ? clearedOf(lost, filters.cleared, isNewSearch)
      : { fields: lost, amenities: [] };
  const fulfilled = filters.fulfilled.length > 0 ? { fulfilled: filters.fulfilled } : {};
  if (judged.refused.length === 0 && filters.faults.length === 0 && misnamed.length === 0) {
    const { result } = session;
    // A caller asks silent brands again by supplying an answer again.
    const isAnswered = result?.answersPayload && !(result.isPartial && judged.accepted.length > 0);
    if (!isChanged && isAnswered) return { kind: 'answered', session, ...fulfilled };
    return { ...continueSearch(after, cleared), ...fulfilled };
  }
  const refusal = advise({ before: session, supplied, taken, misnamed, isNewSearch }, facts);
  const hasNoAlternative = refusal.corrections.length === 0 && refusal.carried.length === 0;
  if (hasNoAlternative && !isChanged && isNamingAnother(taken)) {
    return decideWithout(session, undisputed, supplied, facts);
  }
  // The accepted values may complete the search: then the answer is the result, with the refusals. Repeating the same values is a retry if
  // the operators were silent.
  const isRetry = isTaken && session.operatorsSilent === true && undisputed === payload;
  const onward = isChanged || isRetry ? continueSearch(after, cleared) : null;
  return onward?.kind === 'quote'
    ? { ...onward, refusal, ...fulfilled }
    : { kind: 'refused', session: after, cleared, refusal, ...fulfilled };
}

/** Both dates and the party. */
const FEWEST_OF_WHOLE_STAY = 3;

/** Destination (if the session asks for one), both dates and the party. Nearly right names count. */
function namesWholeStay(
  order: readonly PayloadField[],
  supplied: readonly SuppliedValue[],
  misnamed: readonly MisnamedValue[],
): boolean {
  for (const field of order) {
    if (field === 'brand_locked' || FIELDS[field].setBy !== null) continue;
    let isNamed = false;
    for (const one of supplied) isNamed ||= one.field === field;
    for (const { meant } of misnamed) isNamed ||= meant === field;
    if (!isNamed) return false;
  }
  return true;
}

/** Whether a request names another value for a field that has one. */
function isNamingAnother({ judged, payload, undisputed }: TakenRequest): boolean {
  return judged.refused.some(
    (one) =>
      one.code === 'invalid_value' &&
      !('reason' in one.cause && isUnreadable(one.cause.reason)) &&
      payload[one.field] !== undefined &&
      undisputed[one.field] === undefined,
  );
}

/**
 * The traveller no longer wants the old value of a field for which the request names another. Without a correction to send, ask for the
 * field again: otherwise the next request would go on with the old value. An answer that the request repeats falls with its prerequisite,
 * without which it is refused.
 */
function decideWithout(
  session: Session,
  undisputed: Payload,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): JudgedDecision {
  const asked = askedFields(session);
  const isLeft = (field: PayloadField) =>
    isReachable(field, asked, undisputed) || !supplied.some((one) => one.field === field);
  const payload = pickInOrder(asked.order.filter(isLeft), undisputed);
  const gone = lostFilters(session, payload, facts);
  const amenities =
    gone.length === 0 ? session.amenities : session.amenities.filter((one) => !gone.includes(one));
  const decision = decideValues(withoutCurrentResult({ ...session, payload, amenities }), supplied, facts);
  if (decision.kind === 'answered') return decision;
  const lost = lostFields(session.payload, decision.session.payload);
  const { amenities: goneToo, isNewSearch } = decision.cleared;
  return { ...decision, cleared: clearedOf(lost, [...gone, ...goneToo], isNewSearch) };
}

/** Takes values, then filters. When only the filters change, the disputed values are removed too, and the others are judged again. */
function takeAll(
  session: Session,
  supplied: readonly SuppliedValue[],
  misnamed: readonly MisnamedValue[],
  facts: SearchFacts,
  isNewSearch: boolean,
): TakenRequest {
  const taken = takeDroppingStale(session, supplied, misnamed, facts);
  const isMoved = taken.payload !== session.payload;
  const moved = isMoved ? withoutCurrentResult({ ...session, payload: taken.payload }) : session;
  let hasFilters = session.amenities.length > 0;
  for (const { field } of supplied) hasFilters ||= field === 'amenities';
  const filters = hasFilters
    ? takeAmenities(supplied, moved, facts, { isNewSearch })
    : { amenities: session.amenities, isTaken: false, fulfilled: [], cleared: [], faults: [] };
  const isTaken = taken.judged.accepted.length > 0 || filters.isTaken;
  const after = !isTaken ? session : hasFilters ? withFilters(moved, filters) : moved;
  if (after === session || taken.undisputed === taken.payload) return { ...taken, filters, isTaken, after };
  const judged = accept({ ...session, payload: taken.undisputed }, supplied, facts);
  // A repeated answer may depend on a disputed one and fall with it: then nothing changes the search.
  if (judged.accepted.length === 0 && !filters.isTaken) {
    return { ...taken, filters, isTaken: false, after: session };
  }
  const { payload, undisputed } = judged;
  const rest = withoutCurrentResult({ ...session, payload });
  const filtersThen =
    !hasFilters || payload === taken.undisputed
      ? filters
      : takeAmenities(supplied, rest, facts, { isNewSearch });
  return {
    judged,
    payload,
    undisputed,
    filters: filtersThen,
    isTaken,
    after: withFilters(rest, filtersThen),
  };
}

function withFilters(session: Session, { amenities }: TakenFilters): Session {
  return amenities === session.amenities ? session : withoutCurrentResult({ ...session, amenities });
}

/**
 * Received values become stale when the inventory changes during a search. If new values are refused or change nothing,
 * stale values are dropped and the new ones are tried again.
 */
function takeDroppingStale(
  session: Session,
  supplied: readonly SuppliedValue[],
  misnamed: readonly MisnamedValue[],
  facts: SearchFacts,
): TakenValues {
  const fields: PayloadField[] = [];
  for (const { meant } of misnamed) if (meant !== null && isPayloadField(meant)) fields.push(meant);
  const judged = accept(session, supplied, facts, fields);
  const taken = { judged, payload: judged.payload, undisputed: judged.undisputed };
  const changesSearch = judged.payload !== session.payload || session.result?.answersPayload === true;
  if (judged.refused.length === 0 && changesSearch) return taken;
  const { payload, cleared } = dropStaleValues(session, facts);
  if (cleared.length === 0) return taken;
  const again = accept({ ...session, payload }, supplied, facts, fields);
  // A current result stays until a request changes something.
  const isAnswered = session.result?.answersPayload === true && again.payload === payload;
  if (!isAnswered) return { judged: again, payload: again.payload, undisputed: again.undisputed };
  const undisputed = again.undisputed === payload ? session.payload : again.undisputed;
  return { judged: again, payload: session.payload, undisputed };
}

function decideReading(session: Session, facts: SearchFacts): JudgedDecision {
  if (session.result?.answersPayload) {
    return session.result.amenityOffers.length === 0
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, cleared: NOTHING_CLEARED };
  }
  const { payload, cleared } = dropStaleValues(session, facts);
  const lost = session.amenities.length === 0 ? [] : lostFilters(session, payload, facts);
  if (cleared.length === 0 && lost.length === 0) return continueSearch(session, NOTHING_CLEARED);
  const amenities = session.amenities.filter((amenity) => !lost.includes(amenity));
  return continueSearch({ ...session, payload, amenities }, clearedOf(cleared, lost));
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
  const { payload, amenities } = session;
  for (const field of askedFields(session).order)
    if (payload[field] === undefined) return { kind: 'incomplete', session, cleared };
  const criteria = criteriaOf(session, payload, amenities);
  return isComplete(criteria)
    ? { kind: 'quote', session, criteria, cleared, refusal: null }
    : { kind: 'incomplete', session, cleared };
}

import { AMENITIES_FIELD, isPayloadField, type SearchField } from '../contract/payload-fields.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { criteriaOf, isComplete } from './criteria-of-payload.ts';
import { readAmenity, readValue } from './read-value.ts';
import { missingFieldsOf } from './session-fields.ts';
import { refineStep, type Step, searchStep, withOffersFor } from './step.ts';
import { type Refusal, type SearchFacts, type Supplied, settlePayload, takeValues } from './take-values.ts';

/** What a request means for a session. `session` is the state that follows; it is the same object when nothing changed. */
export type Decision =
  | {
      readonly kind: 'incomplete';
      readonly session: Session;
      readonly step: Step;
      readonly cleared: readonly SearchField[];
    }
  | {
      readonly kind: 'refused';
      readonly session: Session;
      readonly step: Step;
      readonly code: Refusal['code'] | 'refine_not_available';
      readonly field: SearchField | null;
      readonly accepted: readonly SearchField[];
      readonly cleared: readonly SearchField[];
      readonly candidates: readonly PlaceId[];
    }
  /** The payload is complete: the operators have to be asked. */
  | { readonly kind: 'quote'; readonly session: Session; readonly criteria: CompleteCriteria }
  /** The result stands and nothing is left to ask. */
  | { readonly kind: 'answered'; readonly session: Session }
  /** Nothing on the network can be booked, whatever is answered. */
  | { readonly kind: 'nothing_on_offer'; readonly session: Session; readonly step: Step };

/** The heart of the guided cycle: pure, so that every transition can be tested without a server. */
export function decideStep(session: Session, supplied: readonly Supplied[], facts: SearchFacts): Decision {
  if (supplied.length === 0) return decideReading(session, facts);
  const amenities = supplied.filter(({ field }) => field === AMENITIES_FIELD);
  const values = supplied.filter(({ field }) => field !== AMENITIES_FIELD);
  if (values.length === 0) return decideRefining(session, amenities, facts);
  if (
    session.result?.answersPayload &&
    amenities.length === 0 &&
    isReceivedAlready(session.payload, values)
  ) {
    return { kind: 'answered', session };
  }

  const settled = settlePayload(session, facts);
  const taken = takeValues({ ...session, payload: settled.payload }, values, facts);
  const changed = taken.payload !== session.payload && taken.accepted.length > 0;
  // The same values in other words, such as the name of the place that is set: nothing to quote anew.
  if (session.result?.answersPayload && !changed && !taken.refusal) {
    return amenities.length === 0 ? { kind: 'answered', session } : decideRefining(session, amenities, facts);
  }
  const next = changed ? withPayload(session, taken.payload) : session;
  const cleared: readonly SearchField[] = [
    ...[...settled.cleared, ...taken.cleared].filter((field) => taken.payload[field] === undefined),
    ...(changed && session.result?.appliedAmenities.length ? ([AMENITIES_FIELD] as const) : []),
  ];
  if (taken.refusal) {
    const { code, field, candidates } = taken.refusal;
    const plain = currentStep(next, facts);
    const isChoice = code === 'invalid_value' && field !== null;
    const step = isChoice ? withOffersFor(field, plain, next, taken.payload, facts) : plain;
    return {
      kind: 'refused',
      session: next,
      step,
      code,
      field,
      accepted: taken.accepted,
      cleared,
      candidates,
    };
  }
  if (amenities.length > 0) return refuseRefining(next, currentStep(next, facts), taken.accepted, cleared);
  return goOn(next, cleared, facts);
}

function decideReading(session: Session, facts: SearchFacts): Decision {
  if (session.result?.answersPayload) {
    const step = refineStep(session);
    return step.next === null
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, step, cleared: [] };
  }
  const { payload, cleared } = settlePayload(session, facts);
  return goOn(cleared.length > 0 ? { ...session, payload } : session, cleared, facts);
}

function decideRefining(session: Session, amenities: readonly Supplied[], facts: SearchFacts): Decision {
  const step = currentStep(session, facts);
  if (step.next !== AMENITIES_FIELD) return refuseRefining(session, step, [], []);
  const [only, ...others] = amenities;
  const amenity = readAmenity(only?.raw);
  const criteria = criteriaOf(session, session.payload, [
    ...(session.result?.appliedAmenities ?? []),
    amenity ?? '',
  ]);
  const offered = session.result?.amenityOffers.some(({ value }) => value === amenity);
  if (!offered || others.length > 0 || !isComplete(criteria)) {
    return {
      kind: 'refused',
      session,
      step,
      code: 'invalid_value',
      field: AMENITIES_FIELD,
      accepted: [],
      cleared: [],
      candidates: [],
    };
  }
  return { kind: 'quote', session, criteria };
}

function refuseRefining(
  session: Session,
  step: Step,
  accepted: readonly SearchField[],
  cleared: readonly SearchField[],
): Decision {
  return {
    kind: 'refused',
    session,
    step,
    code: 'refine_not_available',
    field: AMENITIES_FIELD,
    accepted,
    cleared,
    candidates: [],
  };
}

function goOn(session: Session, cleared: readonly SearchField[], facts: SearchFacts): Decision {
  if (missingFieldsOf(session, session.payload).length === 0) {
    const criteria = criteriaOf(session, session.payload);
    if (isComplete(criteria)) return { kind: 'quote', session, criteria };
  }
  const step = searchStep(session, session.payload, facts);
  if (step.next !== null && (step.allowed[step.next]?.length ?? 0) === 0)
    return { kind: 'nothing_on_offer', session, step };
  return { kind: 'incomplete', session, step, cleared };
}

/** The step as it stands, for an answer that has something else to say first. */
export function currentStep(session: Session, facts: SearchFacts): Step {
  if (session.result?.answersPayload) return refineStep(session);
  return searchStep(session, settlePayload(session, facts).payload, facts);
}

/** A change after a result leaves the envelope readable, but it is no longer the answer, and its amenities are gone. */
function withPayload(session: Session, payload: Payload): Session {
  const { result } = session;
  return {
    ...session,
    payload,
    result: result && { ...result, answersPayload: false, appliedAmenities: [], amenityOffers: [] },
  };
}

function isReceivedAlready(payload: Payload, values: readonly Supplied[]): boolean {
  return values.every(
    ({ field, raw }) =>
      isPayloadField(field) && payload[field] !== undefined && readValue(field, raw) === payload[field],
  );
}

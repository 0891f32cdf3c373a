import {
  isPayloadField,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import { type CompleteCriteria, isComplete } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { askedFields, missingFields } from './asked-fields.ts';
import { criteriaOf, readAmenity, readValue } from './field-rules.ts';
import type { SearchFacts } from './search-facts.ts';
import type { Supplied } from './supplied-values.ts';
import { settlePayload, type Taken, takeValues, type ValueRefusal } from './take-values.ts';

/** What a request means for a session. `session` is the state that follows; it is the same object when nothing changed. */
export type Decision =
  | {
      readonly kind: 'incomplete';
      readonly session: Session;
      readonly cleared: readonly SearchField[];
    }
  | ({ readonly kind: 'refused'; readonly session: Session } & Refusal)
  /** The payload is complete: the operators have to be asked. */
  | { readonly kind: 'quote'; readonly session: Session; readonly criteria: CompleteCriteria }
  /** The result stands and nothing is left to ask. */
  | { readonly kind: 'answered'; readonly session: Session };

export type Refusal = {
  readonly code: ValueRefusal['code'] | 'refine_not_available';
  readonly field: SearchField | null;
  readonly accepted: readonly SearchField[];
  readonly cleared: readonly SearchField[];
  readonly candidates: readonly PlaceId[];
};

const REFINE_NOT_AVAILABLE: Refusal = {
  code: 'refine_not_available',
  field: 'amenities',
  accepted: [],
  cleared: [],
  candidates: [],
};
const AMENITY_NOT_OFFERED: Refusal = { ...REFINE_NOT_AVAILABLE, code: 'invalid_value' };

/** The heart of the guided cycle: pure, so that every transition can be tested without a server. */
export function decideStep(session: Session, supplied: readonly Supplied[], facts: SearchFacts): Decision {
  if (supplied.length === 0) return decideReading(session, facts);
  const amenities: Supplied[] = [];
  const values: Supplied[] = [];
  for (const one of supplied) (one.field === 'amenities' ? amenities : values).push(one);
  if (values.length === 0) return decideRefining(session, amenities);
  if (
    session.result?.answersPayload &&
    amenities.length === 0 &&
    isReceivedAlready(session.payload, values)
  ) {
    return { kind: 'answered', session };
  }

  const { taken, lost } = takeOrSettle(session, values, facts);
  const changed = taken.payload !== session.payload && taken.accepted.length > 0;
  // The same values in other words, such as the name of the place that is set: nothing to quote anew.
  if (session.result?.answersPayload && !changed && !taken.refusal) {
    return amenities.length === 0 ? { kind: 'answered', session } : decideRefining(session, amenities);
  }
  const next = changed ? withPayload(session, taken.payload) : session;
  const cleared: readonly SearchField[] = [
    ...[...lost, ...taken.cleared].filter((field) => taken.payload[field] === undefined),
    ...(changed && session.result?.appliedAmenities.length ? (['amenities'] as const) : []),
  ];
  const { accepted } = taken;
  if (taken.refusal) return { kind: 'refused', session: next, ...taken.refusal, accepted, cleared };
  if (amenities.length > 0) {
    return { kind: 'refused', session: next, ...REFINE_NOT_AVAILABLE, accepted, cleared };
  }
  return goOn(next, cleared);
}

/** A payload that was changed and still has a match needs no settling; `lost` is what settling had to clear. */
function takeOrSettle(
  session: Session,
  values: readonly Supplied[],
  facts: SearchFacts,
): { readonly taken: Taken; readonly lost: readonly PayloadField[] } {
  const taken = takeValues(session, values, facts);
  if (!taken.refusal && taken.payload !== session.payload) return { taken, lost: [] };
  const { payload, cleared } = settlePayload(session, facts);
  if (cleared.length === 0) return { taken, lost: [] };
  return { taken: takeValues({ ...session, payload }, values, facts), lost: cleared };
}

function decideReading(session: Session, facts: SearchFacts): Decision {
  if (session.result?.answersPayload) {
    return session.result.amenityOffers.length === 0
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, cleared: [] };
  }
  const { payload, cleared } = settlePayload(session, facts);
  return goOn(cleared.length > 0 ? { ...session, payload } : session, cleared);
}

function decideRefining(session: Session, amenities: readonly Supplied[]): Decision {
  const { result } = session;
  if (!result?.answersPayload || result.amenityOffers.length === 0) {
    return { kind: 'refused', session, ...REFINE_NOT_AVAILABLE };
  }
  const [only, ...others] = amenities;
  const amenity = readAmenity(only?.raw);
  const criteria = criteriaOf(session, session.payload, [...result.appliedAmenities, amenity ?? '']);
  const isOffered = result.amenityOffers.some(({ value }) => value === amenity);
  if (!isOffered || others.length > 0 || !isComplete(criteria)) {
    return { kind: 'refused', session, ...AMENITY_NOT_OFFERED };
  }
  return { kind: 'quote', session, criteria };
}

function goOn(session: Session, cleared: readonly SearchField[]): Decision {
  if (missingFields(askedFields(session), session.payload).length === 0) {
    const criteria = criteriaOf(session, session.payload);
    if (isComplete(criteria)) return { kind: 'quote', session, criteria };
  }
  return { kind: 'incomplete', session, cleared };
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

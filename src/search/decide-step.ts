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
import type { SuppliedValue } from './supplied-values.ts';
import { dropStaleValues, type TakenValues, takeValues, type ValueRefusal } from './take-values.ts';

/** `session` is the state after the request; it is the same object when nothing changed. */
export type Decision =
  | {
      readonly kind: 'incomplete';
      readonly session: Session;
      readonly cleared: readonly SearchField[];
    }
  | ({ readonly kind: 'refused'; readonly session: Session } & Refusal)
  /** The payload is complete: ask the operators. */
  | { readonly kind: 'quote'; readonly session: Session; readonly criteria: CompleteCriteria }
  /** The stored result is the answer. */
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

/** All transitions of the guided cycle. Pure, so that they can be tested without a server. */
export function decideStep(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): Decision {
  if (supplied.length === 0) return decideReading(session, facts);
  const amenities: SuppliedValue[] = [];
  const values: SuppliedValue[] = [];
  for (const one of supplied) (one.field === 'amenities' ? amenities : values).push(one);
  if (values.length === 0) return decideRefining(session, amenities);
  if (
    session.result?.answersPayload &&
    amenities.length === 0 &&
    isAlreadyReceived(session.payload, values)
  ) {
    return { kind: 'answered', session };
  }

  const { taken, dropped } = takeDroppingStale(session, values, facts);
  const changed = taken.payload !== session.payload && taken.accepted.length > 0;
  // The same values in another form, such as the name of the place that is already set: no new quotes are needed.
  if (session.result?.answersPayload && !changed && !taken.refusal) {
    return amenities.length === 0 ? { kind: 'answered', session } : decideRefining(session, amenities);
  }
  const next = changed ? withPayload(session, taken.payload) : session;
  const cleared: readonly SearchField[] = [
    ...[...dropped, ...taken.cleared].filter((field) => taken.payload[field] === undefined),
    ...(changed && session.amenities.length ? (['amenities'] as const) : []),
  ];
  const { accepted } = taken;
  if (taken.refusal) return { kind: 'refused', session: next, ...taken.refusal, accepted, cleared };
  if (amenities.length > 0) {
    return { kind: 'refused', session: next, ...REFINE_NOT_AVAILABLE, accepted, cleared };
  }
  return continueSearch(next, cleared);
}

/**
 * Received values become stale when the inventory changes during a search. If the new values are refused or change nothing,
 * stale values are dropped and the new ones are tried again.
 */
function takeDroppingStale(
  session: Session,
  values: readonly SuppliedValue[],
  facts: SearchFacts,
): { readonly taken: TakenValues; readonly dropped: readonly PayloadField[] } {
  const taken = takeValues(session, values, facts);
  if (!taken.refusal && taken.payload !== session.payload) return { taken, dropped: [] };
  const { payload, cleared } = dropStaleValues(session, facts);
  if (cleared.length === 0) return { taken, dropped: [] };
  return { taken: takeValues({ ...session, payload }, values, facts), dropped: cleared };
}

function decideReading(session: Session, facts: SearchFacts): Decision {
  if (session.result?.answersPayload) {
    return session.result.amenityOffers.length === 0
      ? { kind: 'answered', session }
      : { kind: 'incomplete', session, cleared: [] };
  }
  const { payload, cleared } = dropStaleValues(session, facts);
  return continueSearch(cleared.length > 0 ? { ...session, payload } : session, cleared);
}

function decideRefining(session: Session, amenities: readonly SuppliedValue[]): Decision {
  const { result } = session;
  if (!result?.answersPayload || result.amenityOffers.length === 0) {
    return { kind: 'refused', session, ...REFINE_NOT_AVAILABLE };
  }
  const [only, ...others] = amenities;
  const amenity = readAmenity(only?.raw);
  const criteria = criteriaOf(session, session.payload, [...session.amenities, amenity ?? '']);
  const isOffered = result.amenityOffers.some(({ value }) => value === amenity);
  if (!isOffered || others.length > 0 || !isComplete(criteria)) {
    return { kind: 'refused', session, ...AMENITY_NOT_OFFERED };
  }
  return { kind: 'quote', session, criteria };
}

function continueSearch(session: Session, cleared: readonly SearchField[]): Decision {
  if (missingFields(askedFields(session), session.payload).length === 0) {
    const criteria = criteriaOf(session, session.payload);
    if (isComplete(criteria)) return { kind: 'quote', session, criteria };
  }
  return { kind: 'incomplete', session, cleared };
}

/** After a change the old result can still be read, but it no longer answers the payload, and refining starts over. */
function withPayload(session: Session, payload: Payload): Session {
  const { result } = session;
  return {
    ...session,
    payload,
    amenities: [],
    result: result && { ...result, answersPayload: false, amenityOffers: [] },
  };
}

function isAlreadyReceived(payload: Payload, values: readonly SuppliedValue[]): boolean {
  return values.every(
    ({ field, raw }) =>
      isPayloadField(field) && payload[field] !== undefined && readValue(field, raw) === payload[field],
  );
}

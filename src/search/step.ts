import type { PayloadField, SearchField } from '../contract/payload-fields.ts';
import type { AllowedValues, Received } from '../contract/search-body.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { offersOf, type Truncated, truncationOf } from './offers.ts';
import {
  answeredBefore,
  answersTo,
  dependsOnOf,
  fieldOrderOf,
  missingFieldsOf,
  prerequisiteOf,
} from './session-fields.ts';
import type { SearchFacts } from './take-values.ts';

/** Where a search stands, as data: the surfaces only have to write it down. */
export type Step = {
  readonly received: Received;
  readonly missing: readonly SearchField[];
  readonly allowed: AllowedValues;
  readonly truncated: Truncated | null;
  readonly order: readonly PayloadField[];
  readonly dependsOn: Readonly<Record<string, string>>;
  /** The field to supply next; null when the payload is complete and nothing is left to refine. */
  readonly next: SearchField | null;
};

/** The guided step: every open field whose prerequisite is set comes with its values. */
export function searchStep(session: Session, payload: Payload, facts: SearchFacts): Step {
  const missing = missingFieldsOf(session, payload);
  const allowed: AllowedValues = {};
  for (const field of missing) {
    const prerequisite = prerequisiteOf(field, session);
    if (prerequisite && payload[prerequisite] === undefined) continue;
    Object.assign(allowed, offersOf(field, session, payload, facts));
  }
  return {
    received: receivedOf(session, payload),
    missing,
    allowed,
    truncated: allowed.destination ? truncationOf(session, payload, facts) : null,
    order: fieldOrderOf(session),
    dependsOn: dependsOnOf(session),
    next: missing[0] ?? null,
  };
}

/** The optional step after a result. It offers what was counted when the result was made, so that both agree. */
export function refineStep(session: Session): Step {
  const offers = session.result?.amenityOffers ?? [];
  const open = offers.length > 0;
  return {
    received: receivedOf(session, session.payload),
    missing: open ? ['amenities'] : [],
    allowed: open ? { amenities: offers.map((offer) => ({ ...offer })) } : {},
    truncated: null,
    order: fieldOrderOf(session),
    dependsOn: dependsOnOf(session),
    next: open ? 'amenities' : null,
  };
}

/** The same step with the values of one more field: how to correct a field that is already set. */
export function withOffersFor(
  field: PayloadField,
  step: Step,
  session: Session,
  payload: Payload,
  facts: SearchFacts,
): Step {
  if (step.allowed[field]) return step;
  const before = answeredBefore(field, session, payload);
  return {
    ...step,
    allowed: { ...step.allowed, ...offersOf(field, session, before, facts) },
    next: step.next ?? field,
  };
}

function receivedOf(session: Session, payload: Payload): Received {
  const amenities = session.result?.answersPayload ? session.result.appliedAmenities : [];
  return {
    ...(session.source === null ? {} : { source: session.source }),
    ...answersTo(fieldOrderOf(session), payload),
    ...(amenities.length > 0 ? { amenities: [...amenities] } : {}),
  };
}

import { PAYLOAD_FIELDS, type PayloadField, type SearchField } from '../contract/payload-fields.ts';
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

/** Many sessions stand at the same step; whoever writes it down knows it by being the same object. */
const latest = new Map<string, Step>();
const MOST_REMEMBERED = 500;

/** The guided step: every open field whose prerequisite is set comes with its values. */
export function searchStep(session: Session, payload: Payload, facts: SearchFacts): Step {
  const missing = missingFieldsOf(session, payload);
  const allowed: AllowedValues = {};
  for (const field of missing) {
    const prerequisite = prerequisiteOf(field, session);
    if (prerequisite && payload[prerequisite] === undefined) continue;
    Object.assign(allowed, offersOf(field, session, payload, facts));
  }
  const received = receivedOf(session, payload);
  const truncated = allowed.destination ? truncationOf(session, payload, facts) : null;
  const key = `${session.onlyPlace} ${JSON.stringify(received)}`;
  const known = latest.get(key);
  if (known && known.truncated?.total === truncated?.total && isSameOffer(known.allowed, allowed))
    return known;
  const step: Step = {
    received,
    missing,
    allowed,
    truncated,
    order: fieldOrderOf(session),
    dependsOn: dependsOnOf(session),
    next: missing[0] ?? null,
  };
  if (latest.size >= MOST_REMEMBERED) latest.clear();
  latest.set(key, step);
  return step;
}

function isSameOffer(one: AllowedValues, other: AllowedValues): boolean {
  return PAYLOAD_FIELDS.every((field) => isSameList(one[field], other[field]));
}

function isSameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one === other || (one.length === other.length && one.every((value, i) => value === other[i]));
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

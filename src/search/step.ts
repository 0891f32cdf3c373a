import type { Payload, PayloadField, SearchField } from '../contract/payload-fields.ts';
import type { AllowedValues, Received } from '../contract/search-body.ts';
import type { Session } from '../sessions/session.ts';
import { dropStaleValues } from './accept.ts';
import { FIELD_RULES } from './fields/rules.ts';
import {
  askedFields,
  isReachable,
  missingFields,
  pickInOrder,
  type SearchFacts,
  valuesBefore,
  valuesBeside,
} from './payload.ts';

/** The state of a search as an answer shows it, before it is written as a body. */
export type Step = {
  readonly received: Received;
  readonly missing: readonly SearchField[];
  readonly allowed: AllowedValues;
  /** Set when the list of destinations was cut. */
  readonly truncated: { readonly shown: number; readonly total: number } | null;
  readonly order: readonly PayloadField[];
  /** The fields of a request that names a whole stay. */
  readonly given: readonly PayloadField[];
  readonly dependsOn: Readonly<Record<string, string>>;
  /** The session has a result, current or outdated. */
  readonly resultReady: boolean;
  /** The field to supply next; null when the payload is complete and nothing is left to refine. */
  readonly next: SearchField | null;
  /** The step is read after a value of the next field was refused. */
  readonly isAskedAgain?: boolean;
  /** The value of the next field to propose in place of the first on offer. */
  readonly proposed?: string;
  /** The search is complete, and the next field is an answer to be changed. */
  readonly isChange?: true;
};

/** Lists the values of every open field whose prerequisite is set. */
export function searchStep(session: Session, payload: Payload, facts: SearchFacts): Step {
  const asked = askedFields(session);
  const missing = missingFields(asked, payload);
  const allowed: Record<string, unknown> = {};
  let truncated: Step['truncated'] = null;
  for (const field of missing) {
    const prerequisite = asked.dependsOn[field];
    if (prerequisite !== undefined && payload[prerequisite] === undefined) continue;
    const { values, total } = FIELD_RULES[field].offer({ session, payload, facts });
    allowed[field] = values;
    if (total > values.length) truncated = { shown: values.length, total };
  }
  return {
    received: receivedOf(session, payload, asked.order),
    missing,
    allowed,
    truncated,
    order: asked.order,
    given: asked.given,
    dependsOn: asked.dependsOn,
    resultReady: session.result !== null,
    next: missing[0] ?? null,
  };
}

/** The optional step after a result, with the counts of the result. */
export function refineStep(session: Session): Step {
  const asked = askedFields(session);
  const offers = session.result?.amenityOffers ?? [];
  const open = offers.length > 0;
  return {
    received: receivedOf(session, session.payload, asked.order),
    missing: open ? ['amenities'] : [],
    allowed: open ? { amenities: offers.map((offer) => ({ ...offer })) } : {},
    truncated: null,
    order: asked.order,
    given: asked.given,
    dependsOn: asked.dependsOn,
    resultReady: session.result !== null,
    next: open ? 'amenities' : null,
  };
}

/** The step to show with an error. */
export function currentStep(session: Session, facts: SearchFacts): Step {
  if (session.result?.answersPayload) return refineStep(session);
  return searchStep(session, dropStaleValues(session, facts).payload, facts);
}

/** The step with everything received, while the index has no match for it: filters of a result do not help either. */
export function standingStep(session: Session, facts: SearchFacts): Step {
  return session.result?.answersPayload
    ? { ...refineStep(session), missing: [], allowed: {}, next: null }
    : searchStep(session, session.payload, facts);
}

/** The same step, but asks again for an answered field if it has values on offer. */
export function standingStepAskingFor(field: PayloadField, session: Session, facts: SearchFacts): Step {
  const step = standingStep(session, facts);
  const { order } = step;
  const payload = valuesBefore(field, askedFields(session), session.payload);
  const { values, total } = FIELD_RULES[field].offer({ session, payload, facts });
  if (values.length === 0) return step;
  return {
    ...step,
    missing: order.filter((one) => one === field || step.missing.includes(one)),
    allowed: { ...step.allowed, [field]: values },
    truncated: total > values.length ? { shown: values.length, total } : step.truncated,
    next: field,
  };
}

/**
 * Asks for a field that may be answered already: with values that keep the other answers, or else those that fit the answers before it.
 * Undefined while it has no values.
 */
export function choicesStep(field: PayloadField, session: Session, facts: SearchFacts): Step | undefined {
  const { payload } = session;
  const asked = askedFields(session);
  if (!isReachable(field, asked, payload)) return undefined;
  const offer = [valuesBeside, valuesBefore]
    .map((others) => FIELD_RULES[field].offer({ session, payload: others(field, asked, payload), facts }))
    .find(({ values }) => values.length > 0);
  if (!offer) return undefined;
  const { values, total } = offer;
  const step = searchStep(session, payload, facts);
  const standing = String(payload[field]);
  const isOnOffer = values.some((one) => String(typeof one === 'object' ? one.value : one) === standing);
  return {
    ...step,
    missing: step.order.filter((one) => one === field || step.missing.includes(one)),
    allowed: { ...step.allowed, [field]: values },
    truncated: total > values.length ? { shown: values.length, total } : step.truncated,
    next: field,
    ...(isOnOffer ? { proposed: standing } : {}),
    ...(session.result?.answersPayload ? { isChange: true } : {}),
  };
}

/** The current step, which also lists the values of `field` if it is set, so that the caller can correct it. */
export function stepWithValuesOf(field: PayloadField, session: Session, facts: SearchFacts): Step {
  const step = currentStep(session, facts);
  if (step.allowed[field]) return step;
  const { payload } = dropStaleValues(session, facts);
  const asked = askedFields(session);
  if (!isReachable(field, asked, payload)) return step;
  const before = valuesBefore(field, asked, payload);
  return {
    ...step,
    allowed: {
      ...step.allowed,
      [field]: FIELD_RULES[field].offer({ session, payload: before, facts }).values,
    },
  };
}

/** No value of the next field has a match: nothing can be booked. */
export function isDeadEnd({ next, allowed }: Step): boolean {
  return next !== null && (allowed[next]?.length ?? 0) === 0;
}

function receivedOf(session: Session, payload: Payload, order: readonly PayloadField[]): Received {
  const { amenities } = session;
  return {
    ...(session.source === null ? {} : { source: session.source }),
    ...pickInOrder(order, payload),
    ...(amenities.length > 0 ? { amenities: [...amenities] } : {}),
  };
}

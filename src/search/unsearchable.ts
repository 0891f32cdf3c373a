import type { BrandId, PlaceId } from '../catalogue/catalogue.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { dropStaleValues } from './accept.ts';
import { isNamed } from './amenities.ts';
import { type JudgedDecision, NOTHING_CLEARED, type Unsearchable } from './decision.ts';
import { FIELD_RULES, meantBy } from './fields/rules.ts';
import { amenityCalled } from './names/amenity-names.ts';
import { askedFields, isAskedField, isReachable, type SearchFacts, withPayload } from './payload.ts';
import type { Correction, FieldFault, Refusal } from './refusal.ts';
import { readAmenities, type SuppliedValue } from './supplied-values.ts';
import { isPausedPlace, isWhollyUnread, pausedIn, placeMeant, unreadIn } from './unready-brands.ts';

/** Reasons that do not depend on homes. */
const OF_THE_VALUE: ReadonlySet<ReasonCode> = new Set([
  'ambiguous',
  'no_such_date',
  'not_a_date',
  'in_the_past',
  'beyond_horizon',
  'one_amenity_per_request',
  'wrong_type',
]);

/** Undefined when the decision stands, because some brand was read or because it does not depend on homes. */
export function unsearchableScope(
  session: Session,
  supplied: readonly SuppliedValue[],
  decision: Exclude<JudgedDecision, { kind: 'answered' }>,
  facts: SearchFacts,
): Unsearchable | undefined {
  const refusal = decision.kind === 'refused' ? decision.refusal : null;
  if (refusal && !dependsOnKnownHomes(refusal, session, facts)) return undefined;
  const { unready, network } = facts;
  const isLocked = lockOf(session, supplied);
  // Without an answer to `brand_locked` assume that the traveller came for the brand: searching all brands would hide that it is missing.
  const brand = isLocked === false ? null : session.source;
  const isLoading = (among: BrandId | null) =>
    unready.some(
      (one) =>
        (one.availability === 'loading' || one.availability === 'resuming') &&
        (among === null || one.brand === among),
    );
  const undecided = {
    kind: 'unsearchable',
    cleared: NOTHING_CLEARED,
    mistakes: mistakesIn(refusal),
  } as const;
  if (isWhollyUnread(brand, unready, network)) {
    // Offers of other brands can be accepted meanwhile, as long as no received value is lost.
    const isOpen =
      isLocked === undefined && decision.kind === 'incomplete' && decision.cleared.fields.length === 0;
    const scope = { brand, place: null };
    const notRead = unreadIn(scope, unready, network);
    const [reason, reasonWhileLoading] =
      notRead.length === 0 ? (['paused', 'resuming'] as const) : (['unread', 'loading'] as const);
    return {
      ...undecided,
      session: isOpen ? decision.session : session,
      reason: isLoading(brand) ? reasonWhileLoading : reason,
      brands: notRead.length === 0 ? pausedIn(scope, unready, network) : notRead,
      fieldToChange: isLocked === true && brand !== null ? 'brand_locked' : null,
      repeat: isOpen ? [] : readableValues(session, supplied, facts),
    };
  }
  const isLosingPlace =
    decision.cleared.fields.includes('destination') && decision.session.payload.destination === undefined;
  const place = isLosingPlace ? (session.payload.destination ?? null) : placeOf(session, supplied);
  const scope = { brand: isLocked === true ? session.source : null, place };
  if (!isPausedPlace(scope, facts)) return undefined;
  // Keeps the session for when the homes of the place are on offer again. Unlocking the brand does not depend on homes.
  const isUnlocking = session.source !== null && lockOf(session, supplied) === false;
  const values = readableValues(session, supplied, facts);
  return {
    ...undecided,
    session: isUnlocking ? withPayload(session, { ...session.payload, brand_locked: false }) : session,
    reason: isLoading(null) ? 'resuming' : 'place_paused',
    brands: pausedIn(scope, unready, network),
    fieldToChange: session.onlyPlace === null ? 'destination' : null,
    repeat: isUnlocking ? values.filter(({ field }) => field !== 'brand_locked') : values,
  };
}

/** Whether a fault depends on homes, or the session would lose values: a request with a mistake also takes its other values, and they are judged by them. */
function dependsOnKnownHomes({ faults }: Refusal, session: Session, facts: SearchFacts): boolean {
  const asked = askedFields(session);
  /** The prerequisite is set: the fault arises only because it no longer fits any home. */
  const isOfStaleValue = ({ code, field }: FieldFault) =>
    code === 'prerequisite_missing' &&
    field !== null &&
    isPayloadField(field) &&
    isReachable(field, asked, session.payload);
  return (
    faults.some((fault) => dependsOnHomes(fault) || isOfStaleValue(fault)) ||
    dropStaleValues(session, facts).cleared.length > 0
  );
}

/** The place of the session; null when the request names another, which is judged like any value. */
function placeOf({ onlyPlace, payload }: Session, supplied: readonly SuppliedValue[]): PlaceId | null {
  const isGiven = supplied.some(({ field }) => field === 'destination');
  return onlyPlace ?? (isGiven ? null : (payload.destination ?? null));
}

function mistakesIn(refusal: Refusal | null): Refusal | null {
  const [first, ...others] = (refusal?.faults ?? []).filter(
    (fault) =>
      fault.code === 'unknown_field' ||
      (fault.code === 'invalid_value' && fault.reason !== null && !dependsOnHomes(fault)),
  );
  return refusal && first ? { ...refusal, faults: [first, ...others] } : null;
}

/** Whether the fault depends on the homes in the index. */
export function dependsOnHomes({ code, field, reason }: FieldFault): boolean {
  if (code !== 'invalid_value' || reason === null || OF_THE_VALUE.has(reason.code)) return false;
  // Places are known without homes, amenities are not.
  return !(reason.code === 'not_on_network' && field === 'destination');
}

function lockOf({ payload }: Session, supplied: readonly SuppliedValue[]): boolean | undefined {
  const raw = supplied.find(({ field }) => field === 'brand_locked')?.raw;
  const reading = raw === undefined ? undefined : FIELD_RULES.brand_locked.read(raw);
  return reading?.kind === 'read' ? reading.value : payload.brand_locked;
}

/** The supplied values, to be sent again once they can be judged. Never repeats a text that the caller may have invented. */
function readableValues(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): readonly Correction[] {
  return supplied.flatMap(({ field, raw }) => {
    if (field === 'amenities') return knownAmenity(session, raw);
    if (!isPayloadField(field) || !isAskedField(field, session)) return [];
    const [meant = null] = FIELD_RULES[field].read(raw).kind === 'read' ? meantBy(field, raw) : [];
    const value = field === 'destination' ? placeMeant(meant, facts) : meant;
    return value === null ? [] : [{ field, value }];
  });
}

/** An amenity that the result offers, that is a filter already, or that is in the common vocabulary. */
function knownAmenity({ result, amenities }: Session, raw: unknown): readonly Correction[] {
  const offered = [...amenities, ...(result?.amenityOffers ?? []).map(({ value }) => value)];
  const request = readAmenities(raw);
  if (request.kind !== 'named' || request.texts.length !== 1) return [];
  const [text = ''] = request.texts;
  const value = offered.find((key) => isNamed(key, request)) ?? amenityCalled(text);
  return value === undefined ? [] : [{ field: 'amenities', value }];
}

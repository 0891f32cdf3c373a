import type { Brand, BrandId, PlaceId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { isNamed } from './amenities.ts';
import { type Cleared, type Decision, NOTHING_CLEARED } from './decide-step.ts';
import { meantBy, readValue } from './fields/rules.ts';
import { amenityCalled } from './names/amenity-names.ts';
import { askedFields, isAskedField, isReachable, type SearchFacts, withPayload } from './payload.ts';
import type { Correction, FieldFault, Refusal } from './refusal.ts';
import { readAmenities, type SuppliedValue } from './supplied-values.ts';
import { dropStaleValues } from './take-values.ts';
import {
  isPausedPlace,
  isWhollyUnsearchable,
  pausedIn,
  placeMeant,
  unsearchableIn,
} from './unsearchable-scope.ts';

/** The index knows no homes in the scope of the search, so the request cannot be judged. The session stays as it is. */
export type UnsearchableScope = {
  readonly kind: 'unsearchable';
  readonly session: Session;
  readonly cleared: Cleared;
  /** The brands that could not be read, or else those that are paused. */
  readonly unsearchable: readonly Brand[];
  /** For a moment after a start or a pause. */
  readonly isLoading: boolean;
  readonly isPaused: boolean;
  /** Only the place of the search is affected. */
  readonly isOfPlace: boolean;
  /** The field of which another value may lead to homes on offer. */
  readonly fieldToChange: 'brand_locked' | 'destination' | null;
  /** The supplied values, to be sent again unchanged or together with another value of `fieldToChange`. */
  readonly repeat: readonly Correction[];
  /** Faults of the request that do not depend on homes. */
  readonly mistakes: Refusal | null;
};

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
export function unsearchableScope({
  session,
  supplied,
  decision,
  unsearchable,
  facts,
}: {
  readonly session: Session;
  readonly supplied: readonly SuppliedValue[];
  readonly decision: Exclude<Decision, { kind: 'answered' }>;
  readonly unsearchable: readonly UnsearchableBrand[];
  readonly facts: SearchFacts;
}): UnsearchableScope | undefined {
  if (unsearchable.length === 0) return undefined;
  const isOfHomes = (fault: FieldFault) => dependsOnHomes(fault) || dependsOnStaleValues(fault, session);
  const refusal = decision.kind === 'refused' ? decision.refusal : null;
  // A request with a mistake also takes its other values, and must not lose the values by which they are judged.
  if (refusal && !refusal.faults.some(isOfHomes) && !wouldLoseValues(session, facts)) return undefined;
  const mistakes = mistakesIn(refusal);
  const { network } = facts;
  const isLocked = lockOf(session, supplied);
  // Without an answer to `brand_locked` assume that the traveller came for the brand: searching all brands would hide that it is missing.
  const brand = isLocked === false ? null : session.source;
  if (!isWhollyUnsearchable(brand, unsearchable, network)) {
    const place = isLosingPlace(decision)
      ? (session.payload.destination ?? null)
      : placeOf(session, supplied);
    const scope = { brand: isLocked === true ? session.source : null, place };
    return isPausedPlace(scope, unsearchable, facts)
      ? { ...pausedPlace(scope, session, supplied, unsearchable, facts), mistakes }
      : undefined;
  }
  // Offers of other brands can be accepted meanwhile, as long as no received value is lost.
  const isOpen =
    isLocked === undefined && decision.kind === 'incomplete' && decision.cleared.fields.length === 0;
  const scope = { brand, place: null };
  const notRead = unsearchableIn(scope, unsearchable, network);
  const isPaused = notRead.length === 0;
  return {
    kind: 'unsearchable',
    session: isOpen ? decision.session : session,
    cleared: NOTHING_CLEARED,
    unsearchable: isPaused ? pausedIn(scope, unsearchable, network) : notRead,
    isLoading: isLoadingIn(brand, unsearchable),
    isPaused,
    isOfPlace: false,
    fieldToChange: isLocked === true && brand !== null ? 'brand_locked' : null,
    repeat: isOpen ? [] : readableValues(session, supplied, facts),
    mistakes,
  };
}

/** Keeps the session for when the homes of the place are on offer again. Only `brand_locked: false` is accepted, because it does not depend on homes. */
function pausedPlace(
  scope: Pick<StayCriteria, 'brand' | 'place'>,
  session: Session,
  supplied: readonly SuppliedValue[],
  unsearchable: readonly UnsearchableBrand[],
  facts: SearchFacts,
): Omit<UnsearchableScope, 'mistakes'> {
  const isUnlocking = session.source !== null && lockOf(session, supplied) === false;
  const values = readableValues(session, supplied, facts);
  return {
    kind: 'unsearchable',
    session: isUnlocking ? withPayload(session, { ...session.payload, brand_locked: false }) : session,
    cleared: NOTHING_CLEARED,
    unsearchable: pausedIn(scope, unsearchable, facts.network),
    isLoading: isLoadingIn(null, unsearchable),
    isPaused: true,
    isOfPlace: true,
    fieldToChange: session.onlyPlace === null ? 'destination' : null,
    repeat: isUnlocking ? values.filter(({ field }) => field !== 'brand_locked') : values,
  };
}

/** The place of the session; null when the request names another, which is judged like any value. */
function placeOf({ onlyPlace, payload }: Session, supplied: readonly SuppliedValue[]): PlaceId | null {
  const isNamed = supplied.some(({ field }) => field === 'destination');
  return onlyPlace ?? (isNamed ? null : (payload.destination ?? null));
}

/** The place of the request was refused, and the session would lose its own. */
function isLosingPlace({ cleared, session }: Exclude<Decision, { kind: 'answered' }>): boolean {
  return cleared.fields.includes('destination') && session.payload.destination === undefined;
}

function isLoadingIn(brand: BrandId | null, unsearchable: readonly UnsearchableBrand[]): boolean {
  return unsearchable.some((one) => one.isLoading === true && (brand === null || one.brand === brand));
}

/** Whether the fault arises only because the session's values no longer fit any home. */
function dependsOnStaleValues({ code, field }: FieldFault, session: Session): boolean {
  const isPayload = field !== null && isPayloadField(field);
  return (
    code === 'prerequisite_missing' && isPayload && isReachable(field, askedFields(session), session.payload)
  );
}

function wouldLoseValues(session: Session, facts: SearchFacts): boolean {
  return dropStaleValues(session, facts).cleared.length > 0;
}

function mistakesIn(refusal: Refusal | null): Refusal | null {
  const [first, ...others] = (refusal?.faults ?? []).filter(isMistake);
  return refusal && first ? { ...refusal, faults: [first, ...others] } : null;
}

function isMistake(fault: FieldFault): boolean {
  if (fault.code === 'unknown_field') return true;
  return fault.code === 'invalid_value' && fault.reason !== null && !dependsOnHomes(fault);
}

/** Whether the fault depends on the homes in the index. */
export function dependsOnHomes({ code, field, reason }: FieldFault): boolean {
  if (code !== 'invalid_value' || reason === null || OF_THE_VALUE.has(reason.code)) return false;
  // Places are known without homes, amenities are not.
  return !(reason.code === 'not_on_network' && field === 'destination');
}

function lockOf({ payload }: Session, supplied: readonly SuppliedValue[]): boolean | undefined {
  const raw = supplied.find(({ field }) => field === 'brand_locked')?.raw;
  const reading = raw === undefined ? undefined : readValue('brand_locked', raw);
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
    const [meant = null] = readValue(field, raw).kind === 'read' ? meantBy(field, raw) : [];
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

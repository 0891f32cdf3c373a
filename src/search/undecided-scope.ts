import type { Brand, BrandId, PlaceId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import { isNamed, readAmenities } from './amenity-filters.ts';
import { askedFields, isReachable } from './asked-fields.ts';
import { withPayload } from './changed-session.ts';
import { type Cleared, type Decision, NOTHING_CLEARED } from './decide-step.ts';
import { meantBy, readValue } from './fields/rules.ts';
import { amenityCalled } from './names/amenity-called.ts';
import { isPausedPlace, placeMeant } from './paused-place.ts';
import type { Correction, FieldFault, Refusal } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { dropStaleValues, isAskedField } from './take-values.ts';
import { isWhollyUnsearchable, pausedIn, unsearchableIn } from './unsearchable-scope.ts';

/** Nothing is on offer of the brands that the search is about, so nothing can be said of the request. The session is kept. */
export type UnsearchableScope = {
  readonly kind: 'unread';
  readonly session: Session;
  readonly cleared: Cleared;
  /** Those that could not be read, or else those that are paused. */
  readonly unsearchable: readonly Brand[];
  /** After a start or a pause, for a moment. */
  readonly isLoading: boolean;
  readonly isPaused: boolean;
  /** It is so at the place of the search alone. */
  readonly isOfPlace: boolean;
  /** Another answer to it may lead to homes that are on offer. */
  readonly wayOut: 'brand_locked' | 'destination' | null;
  /** What the request supplied, to be sent again as it is, or along with a way out. */
  readonly repeat: readonly Correction[];
  /** What is wrong with the request whatever homes there are. */
  readonly mistakes: Refusal | null;
};

/** These are true whatever homes there are. */
const OF_THE_VALUE: ReadonlySet<ReasonCode> = new Set([
  'ambiguous',
  'no_such_date',
  'not_a_date',
  'in_the_past',
  'beyond_horizon',
  'one_amenity_per_request',
  'wrong_type',
]);

/** Undefined when the decision stands, because something was read or because it would be the same with any homes. */
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
  const isOfHomes = (fault: FieldFault) => saysThatNothingFits(fault) || saysThatLessStands(fault, session);
  const refusal = decision.kind === 'refused' ? decision.refusal : null;
  // Also a request with a mistake takes its other values, and what they are judged by must not go meanwhile.
  if (refusal && !refusal.faults.some(isOfHomes) && !wouldLoseValues(session, facts)) return undefined;
  const mistakes = mistakesIn(refusal);
  const { network } = facts;
  const isLocked = lockOf(session, supplied);
  // Without an answer to it, the traveller came for the brand: leading on to all brands would hide that it is missing.
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
  // What others have on offer can be taken meanwhile, as long as nothing goes that was received before.
  const isOpen =
    isLocked === undefined && decision.kind === 'incomplete' && decision.cleared.fields.length === 0;
  const scope = { brand, place: null };
  const notRead = unsearchableIn(scope, unsearchable, network);
  const isPaused = notRead.length === 0;
  return {
    kind: 'unread',
    session: isOpen ? decision.session : session,
    cleared: NOTHING_CLEARED,
    unsearchable: isPaused ? pausedIn(scope, unsearchable, network) : notRead,
    isLoading: isLoadingIn(brand, unsearchable),
    isPaused,
    isOfPlace: false,
    wayOut: isLocked === true && brand !== null ? 'brand_locked' : null,
    repeat: isOpen ? [] : readableValues(session, supplied, facts),
    mistakes,
  };
}

/** What the session stands on is kept, for when the homes there are back. That every brand is searched can be taken whatever homes there are. */
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
    kind: 'unread',
    session: isUnlocking ? withPayload(session, { ...session.payload, brand_locked: false }) : session,
    cleared: NOTHING_CLEARED,
    unsearchable: pausedIn(scope, unsearchable, facts.network),
    isLoading: isLoadingIn(null, unsearchable),
    isPaused: true,
    isOfPlace: true,
    wayOut: session.onlyPlace === null ? 'destination' : null,
    repeat: isUnlocking ? values.filter(({ field }) => field !== 'brand_locked') : values,
  };
}

/** Where the session stands; null when the request names a place itself, which is judged like any other. */
function placeOf({ onlyPlace, payload }: Session, supplied: readonly SuppliedValue[]): PlaceId | null {
  const isNamed = supplied.some(({ field }) => field === 'destination');
  return onlyPlace ?? (isNamed ? null : (payload.destination ?? null));
}

/** The place that the request names was not taken, and what the session stands on would go all the same. */
function isLosingPlace({ cleared, session }: Exclude<Decision, { kind: 'answered' }>): boolean {
  return cleared.fields.includes('destination') && session.payload.destination === undefined;
}

function isLoadingIn(brand: BrandId | null, unsearchable: readonly UnsearchableBrand[]): boolean {
  return unsearchable.some((one) => one.isLoading === true && (brand === null || one.brand === brand));
}

/** Whether the fault only arises because what the session has received no longer fits any home. */
function saysThatLessStands({ code, field }: FieldFault, session: Session): boolean {
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
  return fault.code === 'invalid_value' && fault.reason !== null && !saysThatNothingFits(fault);
}

/** Whether the fault is about the homes that there are. */
export function saysThatNothingFits({ code, field, reason }: FieldFault): boolean {
  if (code !== 'invalid_value' || reason === null || OF_THE_VALUE.has(reason.code)) return false;
  // Which places there are is known without any home, which amenities there are is not.
  return !(reason.code === 'not_on_network' && field === 'destination');
}

function lockOf({ payload }: Session, supplied: readonly SuppliedValue[]): boolean | undefined {
  const raw = supplied.find(({ field }) => field === 'brand_locked')?.raw;
  const reading = raw === undefined ? undefined : readValue('brand_locked', raw);
  return reading?.kind === 'read' ? reading.value : payload.brand_locked;
}

/** What the request supplied, to be sent again once it can be judged. No text that a caller may have made up is repeated. */
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

/** One that the result offers, that stands already, or that everybody knows. */
function knownAmenity({ result, amenities }: Session, raw: unknown): readonly Correction[] {
  const offered = [...amenities, ...(result?.amenityOffers ?? []).map(({ value }) => value)];
  const request = readAmenities(raw);
  if (request.kind !== 'named' || request.texts.length !== 1) return [];
  const [text = ''] = request.texts;
  const value = offered.find((key) => isNamed(key, request)) ?? amenityCalled(text);
  return value === undefined ? [] : [{ field: 'amenities', value }];
}

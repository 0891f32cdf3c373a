import { isPayloadField } from '../contract/payload-fields.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { Brand, Network } from '../inventory/catalogue.ts';
import type { UnreadBrand } from '../inventory/unread-brand.ts';
import type { Session } from '../sessions/session.ts';
import { isOneOf, readAmenities } from './amenity-filters.ts';
import { askedFields, isReachable } from './asked-fields.ts';
import { type Cleared, type Decision, NOTHING_CLEARED } from './decide-step.ts';
import { meantBy, readValue } from './fields/rules.ts';
import type { Correction, FieldFault } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { isAskedField } from './take-values.ts';
import { isWhollyUnread, pausedIn, unreadIn } from './unread-scope.ts';

/** Nothing is on offer of the brands that the search is about, so nothing can be said of the request. The session is kept. */
export type UnreadScope = {
  readonly kind: 'unread';
  readonly session: Session;
  readonly cleared: Cleared;
  /** Those that could not be read, or else those that are paused. */
  readonly unread: readonly Brand[];
  /** After a start or a pause, for a moment. */
  readonly isLoading: boolean;
  readonly isPaused: boolean;
  readonly repeat: readonly Correction[];
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
export function unreadScope({
  session,
  supplied,
  decision,
  unread,
  network,
}: {
  readonly session: Session;
  readonly supplied: readonly SuppliedValue[];
  readonly decision: Exclude<Decision, { kind: 'answered' }>;
  readonly unread: readonly UnreadBrand[];
  readonly network: Network;
}): UnreadScope | undefined {
  if (unread.length === 0) return undefined;
  const isOfHomes = (fault: FieldFault) => saysThatNothingFits(fault) || saysThatLessStands(fault, session);
  if (decision.kind === 'refused' && !decision.refusal.faults.some(isOfHomes)) return undefined;
  const isLocked = lockOf(session, supplied);
  // Without an answer to it, the traveller came for the brand: leading on to all brands would hide that it is missing.
  const brand = isLocked === false ? null : session.source;
  if (!isWhollyUnread(brand, unread, network)) return undefined;
  const isOpen = isLocked === undefined && decision.kind === 'incomplete';
  const scope = { brand, place: null };
  const notRead = unreadIn(scope, unread, network);
  const isPaused = notRead.length === 0;
  return {
    kind: 'unread',
    session: isOpen ? decision.session : session,
    cleared: NOTHING_CLEARED,
    unread: isPaused ? pausedIn(scope, unread, network) : notRead,
    isLoading: unread.some((one) => one.isLoading === true && (brand === null || one.brand === brand)),
    isPaused,
    repeat: isOpen ? [] : readableValues(session, supplied, network),
  };
}

/** Whether the fault only arises because what the session has received no longer fits any home. */
function saysThatLessStands({ code, field }: FieldFault, session: Session): boolean {
  const isPayload = field !== null && isPayloadField(field);
  return (
    code === 'prerequisite_missing' && isPayload && isReachable(field, askedFields(session), session.payload)
  );
}

/** Whether the fault is about the homes that there are. */
export function saysThatNothingFits({ code, reason }: FieldFault): boolean {
  return code === 'invalid_value' && reason !== null && !OF_THE_VALUE.has(reason.code);
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
  { places }: Network,
): readonly Correction[] {
  return supplied.flatMap(({ field, raw }) => {
    if (field === 'amenities') return offeredAmenity(session, raw);
    if (!isPayloadField(field) || !isAskedField(field, session)) return [];
    const [value] = readValue(field, raw).kind === 'read' ? meantBy(field, raw) : [];
    const isKnown = value !== undefined && (field !== 'destination' || places.has(value));
    return isKnown ? [{ field, value }] : [];
  });
}

/** One that the result offers, or that stands already. */
function offeredAmenity({ result, amenities }: Session, raw: unknown): readonly Correction[] {
  const offered = [...amenities, ...(result?.amenityOffers ?? []).map(({ value }) => value)];
  const request = readAmenities(raw);
  const value = offered.find((key) => isOneOf([key], request));
  return value === undefined ? [] : [{ field: 'amenities', value }];
}

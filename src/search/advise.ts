import { isDeepStrictEqual } from 'node:util';
import {
  FIELDS,
  isPayloadField,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import { type RefusalReason, withoutFacts } from '../contract/refusal-reasons.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import {
  type Accepted,
  accept,
  followsDisputed,
  impliedValues,
  type JudgedIn,
  judge,
  type Progress,
  type RefusedValue,
  withoutDisputed,
} from './accept.ts';
import { lostFilters, type TakenFilters, takeAmenities } from './amenities.ts';
import { explainRefusal, FIELD_RULES, meantBy, nearestOffered, withComingYear } from './fields/rules.ts';
import { departureAfter, intendedNights, orderOfDeparture, staysOfThatLength } from './intended-stay.ts';
import { askedFields, hasMatch, lostFields, type SearchFacts, withPayload } from './payload.ts';
import { type CarriedValues, type Correction, type FieldFault, NO_DETAILS, type Refusal } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { type MisnamedValue, renamedValues, unknownFaults } from './unknown-fields.ts';

/** A week to either side of a day. Each is tried for the whole stay, and a value without a match takes long to try. */
const MAX_NEAR_VALUES = 14;
/** The prerequisite with only two values, so that each can be tried. The many arrivals before a departure cannot. */
const PREREQUISITE = 'brand_locked';

/** What a request does to a search. */
export type TakenRequest = TakenValues & {
  readonly filters: TakenFilters;
  /** At least one value or filter was accepted. */
  readonly isTaken: boolean;
  /** The same object when nothing changed. */
  readonly after: Session;
};

export type TakenValues = Pick<Accepted, 'payload' | 'undisputed'> & { readonly judged: Accepted };

/** A request of which something was refused. */
export type RefusedRequest = {
  readonly before: Session;
  readonly supplied: readonly SuppliedValue[];
  readonly taken: TakenRequest;
  readonly misnamed: readonly MisnamedValue[];
  readonly isNewSearch: boolean;
};

/** Gives the reasons of what was refused, and finds requests to send instead. */
export function advise(request: RefusedRequest, facts: SearchFacts): Refusal {
  const { before, supplied, taken, misnamed, isNewSearch } = request;
  const { judged, filters, after } = taken;
  const corrected = correct(judged, supplied);
  const [first, ...others] = [...corrected.faults, ...filters.faults, ...unknownFaults(misnamed, before)];
  if (first === undefined) throw new Error('nothing was refused');
  const faults = [first, ...others] as const;
  const accepted: readonly SearchField[] = filters.isTaken
    ? [...judged.accepted, 'amenities']
    : judged.accepted;
  // An amenity is corrected alone, and only if no value is disputed. One that waits for its turn comes first.
  const waiting = faults.find(({ reason }) => reason?.code === 'one_amenity_per_request') ?? first;
  const [amenity] = first.field === 'amenities' ? waiting.suggestions : [];
  const isOfValues = amenity === undefined;
  const corrections: readonly Correction[] = isOfValues
    ? corrected.corrections
    : taken.undisputed === taken.payload
      ? [{ field: 'amenities', value: amenity }]
      : [];
  const hasCorrectedValues = isOfValues && corrections.length > 0;
  // A corrected request for a whole stay is a new search again, so it must name its filter again.
  const unfiltered = isNewSearch ? { ...after, amenities: [] } : after;
  const along =
    hasCorrectedValues && (isNewSearch || !filters.isTaken)
      ? amenityAfter(withPayload(unfiltered, corrected.payload), supplied, facts)
      : [];
  const renamed = renamedValues(misnamed, supplied);
  const leftover: Leftover = {
    session: after,
    remaining: [...supplied, ...renamed].filter(({ field }) => !accepted.some((one) => one === field)),
    renamed,
    faults,
  };
  const amended = renamedRequest(leftover, facts);
  const payload = amended?.payload ?? (hasCorrectedValues ? corrected.payload : null);
  const takingOff = payload === null ? [] : lostFilters(after, payload, facts);
  // A corrected stay drops a requested amenity that none of its matches has.
  const isAmenityLost =
    corrections.length > 0 &&
    along.length === 0 &&
    !filters.isTaken &&
    supplied.some(({ field }) => field === 'amenities');
  // A correction to another amenity is a change, unless it is just the next of several requested ones.
  const isOtherAmenity = corrections.length > 0 && first.reason?.code !== 'one_amenity_per_request';
  const changing: readonly SearchField[] = amended?.changing ?? [
    ...(isOfValues ? corrected.changing : []),
    ...((isOfValues ? isAmenityLost : isOtherAmenity) ? (['amenities'] as const) : []),
  ];
  const isDate =
    first.field === 'check_in_month' || first.field === 'check_in_day' || first.field === 'check_out';
  const stays = isDate ? staysOfThatLength(before.payload, after, supplied, facts) : [];
  const cleared = amended?.payload ?? (isOfValues ? corrected.payload : taken.payload);
  return {
    faults,
    accepted,
    corrections: amended?.values ?? [...corrections, ...along],
    ...(changing.length > 0 ? { changing } : {}),
    ...(stays.length > 0 ? { stays } : {}),
    clearing: lostFields(taken.payload, cleared),
    ...(takingOff.length > 0 ? { takingOff } : {}),
    carried: carriedValues(leftover, facts),
  };
}

type CorrectedValues = {
  readonly faults: readonly FieldFault[];
  readonly corrections: readonly Correction[];
  /** Fields in which the corrections differ from the request. */
  readonly changing: readonly PayloadField[];
  /** Once the corrections are sent. */
  readonly payload: Payload;
};

/**
 * Corrects each refused field, assuming the corrections of those before it: the suggested departure fits the suggested arrival. If a
 * disputed value has no correction, the others are not worth sending.
 */
export function correct(judged: Accepted, supplied: readonly SuppliedValue[]): CorrectedValues {
  const { judgedIn, disputed, refused } = judged;
  const { asked, facts } = judgedIn;
  if (refused.length === 0) return { faults: [], corrections: [], changing: [], payload: judged.payload };
  const nights = intendedNights(supplied, facts.now, judgedIn.dateOrder);
  const corrections: Correction[] = [];
  const changing = new Set<PayloadField>();
  const faults: FieldFault[] = [];
  const isCorrected = (field: PayloadField) => corrections.some((one) => one.field === field);
  let assumed: Progress = judged;
  for (const [position, one] of refused.entries()) {
    const { field } = one;
    const refusal = refusalOf(one, judgedIn);
    const written = supplied.find((value) => value.field === field)?.raw;
    // A departure moves with a corrected arrival, so that the stay has the requested length.
    const arrival =
      field === 'check_out' && isCorrected('check_in_day') ? assumed.payload.check_in_day : undefined;
    const moved = nights === null || arrival === undefined ? undefined : departureAfter(arrival, nights);
    const isMoved = moved !== undefined && !meantBy(field, written).includes(moved);
    // Read the departure in the date order of the arrival.
    const dateOrder = moved === undefined ? judgedIn.dateOrder : orderOfDeparture(written, moved);
    // The first refusal needs no new judgement: nothing is assumed before it.
    const again =
      position === 0 ? one : judge(field, isMoved ? moved : written, assumed, { ...judgedIn, dateOrder });
    const refusalNow =
      again === one
        ? refusal
        : again.code === 'accepted'
          ? null
          : refusalOf(again, { ...judgedIn, dateOrder });
    const uncorrected = disputed.filter((other) => !isCorrected(other));
    const suggestions = followsDisputed(field, uncorrected, asked)
      ? []
      : again.code === 'accepted'
        ? [String(again.payload[field])]
        : suggestionsOf(field, refusalNow?.suggestions ?? [], nights, assumed, judgedIn);
    // Suggestions assume the corrections of earlier fields, so facts that no longer hold with them are removed from the reason.
    const { reason } = refusal;
    const isSame = reason === null || isDeepStrictEqual(refusalNow?.reason, reason);
    faults.push(
      reason === null ? refusal : { ...refusal, reason: isSame ? reason : withoutFacts(reason), suggestions },
    );
    const [value] = suggestions;
    if (value === undefined) continue;
    corrections.push({ field, value });
    const meant = meantBy(field, written, judgedIn.dateOrder);
    if (meant.length !== 1 || meant[0] !== value) changing.add(field);
    const next = again.code === 'accepted' ? again : judge(field, value, assumed, judgedIn);
    if (next.code === 'accepted') assumed = next;
  }
  const { payload } = assumed;
  const { check_in_month } = judged.payload;
  // A day sets its month.
  if (check_in_month !== undefined && check_in_month !== payload.check_in_month)
    changing.add('check_in_month');
  // Sent together they may restore a departure that one of them alone would clear.
  const sent = corrections.map(({ field, value }) => ({ field, raw: value }));
  const after = disputed.length === 0 ? payload : accept(judgedIn.session, sent, facts).payload;
  const isWorthSending =
    corrections[0]?.field === refused[0]?.field &&
    disputed.every((field) => isCorrected(field) || (payload[field] ?? after[field]) === undefined);
  return {
    faults,
    corrections: isWorthSending ? corrections : [],
    changing: isWorthSending ? asked.order.filter((field) => changing.has(field)) : [],
    payload,
  };
}

/** The reason of a refused value, and values on offer, nearest to the meant value first. */
function refusalOf(refused: RefusedValue, judgedIn: JudgedIn): FieldFault {
  const { code, field } = refused;
  if (code === 'prerequisite_missing') return { ...NO_DETAILS, code, field };
  const { session, asked, facts } = judgedIn;
  const { cause, candidates, before, base } = refused;
  const reason: RefusalReason =
    'reason' in cause ? cause.reason : explainRefusal(field, cause.value, { session, payload: base, facts });
  const meant = withComingYear(field, refused.meant, facts.now);
  const nearIn = (around: Payload): readonly string[] => {
    const onOffer = candidates.filter((place) => hasMatch(session, { ...around, [field]: place }, facts));
    if (onOffer.length > 0) return onOffer;
    // Near days are searched in every month, because a day sets its month.
    const anywhere: Record<string, unknown> = { ...around };
    for (const text of meant) {
      const reading = FIELD_RULES[field].read(text);
      if (reading.kind !== 'read') continue;
      for (const one of Object.keys(impliedValues(field, reading.value, before, asked))) delete anywhere[one];
    }
    return nearestOffered(field, meant, { session, payload: anywhere, facts });
  };
  // Prefer values that keep all other answers; a changed field may give up the later ones only if there are none.
  const keeping = nearIn(withoutDisputed(before.payload, [field], asked));
  const near = keeping.length === 0 && before.payload[field] !== undefined ? nearIn(base) : keeping;
  return { ...NO_DETAILS, code, field, reason, suggestions: near.slice(0, MAX_NEAR_VALUES), candidates };
}

/** Of arrivals, the nearest one from which the requested number of nights is on offer comes first. */
function suggestionsOf(
  field: PayloadField,
  near: readonly string[],
  nights: number | null,
  { payload }: Progress,
  { session, asked, facts }: JudgedIn,
): readonly string[] {
  if (field !== 'check_in_day' || nights === null) return near.slice(0, MAX_SUGGESTIONS);
  const others = withoutDisputed(payload, ['check_in_month'], asked);
  const fitting = near.find((check_in_day) => {
    const check_out = departureAfter(check_in_day, nights);
    return check_out !== undefined && hasMatch(session, { ...others, check_in_day, check_out }, facts);
  });
  const ordered = fitting === undefined ? near : [fitting, ...near.filter((arrival) => arrival !== fitting)];
  return ordered.slice(0, MAX_SUGGESTIONS);
}

/** The rest of a request that was partly refused, and the session after its accepted part. */
type Leftover = {
  readonly session: Session;
  /** The values that were not accepted, including the renamed ones. */
  readonly remaining: readonly SuppliedValue[];
  readonly renamed: readonly SuppliedValue[];
  readonly faults: readonly FieldFault[];
};

/** A request to send in place of the refused one, and the payload after it. */
type AmendedRequest = {
  readonly values: readonly Correction[];
  readonly payload: Payload;
  /** Fields whose values differ from those requested. */
  readonly changing: readonly PayloadField[];
};

/**
 * The request with the right names, together with the values that depend on them. Null when the renamed values would not be accepted
 * either, or would be combined with a value that the request wanted to replace.
 */
function renamedRequest(leftover: Leftover, facts: SearchFacts): AmendedRequest | null {
  const { session, remaining, renamed } = leftover;
  // A field that this session does not ask for belongs to another search than the one that would continue.
  const isElsewhere = leftover.faults.some(
    ({ code, field }) => code === 'unknown_field' && field !== null && isPayloadField(field),
  );
  if (renamed.length === 0 || isElsewhere) return null;
  const judged = accept(session, remaining, facts);
  const isTaken = ({ field }: SuppliedValue) => judged.accepted.some((one) => one === field);
  const isAllTaken = renamed.every((one) => one.field === 'amenities' || isTaken(one));
  const values = valuesIn(judged);
  const corrected = isAllTaken ? correct(judged, remaining) : null;
  const whole = corrected === null ? values : [...values, ...corrected.corrections];
  const amenity = amenityAfter(withPayload(session, corrected?.payload ?? judged.payload), remaining, facts);
  const isOfUse = renamed.some((one) => isTaken(one) || (one.field === 'amenities' && amenity.length > 0));
  const payload = isOfUse ? payloadIfTaken([...whole, ...amenity], leftover, facts) : null;
  return payload && { values: [...whole, ...amenity], payload, changing: corrected?.changing ?? [] };
}

/** For each value of a missing prerequisite: the values that would be accepted with it and were refused only without it. */
function carriedValues(leftover: Leftover, facts: SearchFacts): readonly CarriedValues[] {
  const { session, remaining } = leftover;
  const { payload } = session;
  const { order, dependsOn } = askedFields(session);
  const waiting = remaining.filter(({ field }) => isPayloadField(field) && dependsOn[field] === PREREQUISITE);
  if (waiting.length === 0 || !order.includes(PREREQUISITE) || payload[PREREQUISITE] !== undefined) return [];
  const others = remaining.filter(({ field }) => field !== PREREQUISITE);
  return FIELD_RULES[PREREQUISITE].offer({ session, payload, facts }).values.flatMap(({ value }) => {
    const first = { field: PREREQUISITE, value: String(value) } as const;
    const judged = accept(session, [{ field: PREREQUISITE, raw: value }, ...others], facts);
    if (!waiting.some(({ field }) => judged.accepted.some((one) => one === field))) return [];
    const values = [
      ...valuesIn(judged).filter(({ field }) => field !== PREREQUISITE),
      ...amenityAfter(withPayload(session, judged.payload), others, facts),
    ];
    return payloadIfTaken([first, ...values], leftover, facts) ? [{ with: first, values }] : [];
  });
}

/** The amenity of the request, to be sent again with the values that complete the search, if it can be applied then. */
function amenityAfter(
  corrected: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): readonly Correction[] {
  const { amenities, isTaken } = takeAmenities(supplied, corrected, facts);
  const value = amenities.at(-1);
  const isAdded = isTaken && value !== undefined && !corrected.amenities.includes(value);
  return isAdded ? [{ field: 'amenities', value }] : [];
}

/** Tries the request: every value must be accepted, and none combined with one that was to be replaced. */
function payloadIfTaken(
  values: readonly Correction[],
  { session, faults }: Leftover,
  facts: SearchFacts,
): Payload | null {
  const sent = values.map(({ field, value }) => ({ field, raw: value }));
  const { payload, refused } = accept(session, sent, facts);
  const isSent = (name: PayloadField) =>
    values.some(({ field }) => field === name || field === FIELDS[name].setBy);
  const isJoined = faults
    .flatMap(({ field, didYouMean }) => [field, didYouMean])
    .some((name) => name !== null && isPayloadField(name) && payload[name] !== undefined && !isSent(name));
  return refused.length === 0 && !isJoined ? payload : null;
}

function valuesIn({ payload, accepted }: Accepted): readonly Correction[] {
  return accepted.map((field) => ({ field, value: String(payload[field]) }));
}

import { isDeepStrictEqual } from 'node:util';
import type { PlaceId } from '../catalogue/catalogue.ts';
import type { Payload, PayloadField } from '../contract/payload-fields.ts';
import { type RefusalReason, withoutFacts } from '../contract/refusal-reasons.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import type { DateOrder } from '../stay/written-dates.ts';
import { disputedFields, followsDisputed, withoutDisputed } from './conflicting-fields.ts';
import {
  explainRefusal,
  impliedBy,
  meantBy,
  nearestOffered,
  readValue,
  resolveValue,
  withComingYear,
} from './fields/rules.ts';
import { dateOrderMeant, departureAfter, intendedNights, orderOfDeparture } from './intended-stay.ts';
import {
  type AskedFields,
  askedFields,
  hasMatch,
  isReachable,
  pickInOrder,
  type SearchFacts,
  valuesBefore,
} from './payload.ts';
import type { Correction } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** A week to either side of a day. Each is tried for the whole stay, and a value without a match takes long to try. */
const MAX_NEAR_VALUES = 14;

/** Why one field of a request was refused. */
export type ValueRefusal =
  | {
      readonly code: 'invalid_value';
      readonly field: PayloadField;
      readonly reason: RefusalReason;
      /** Values on offer, nearest to the meant value first. */
      readonly suggestions: readonly string[];
      /** Places that an ambiguous name may refer to. */
      readonly candidates: readonly PlaceId[];
    }
  | { readonly code: 'prerequisite_missing'; readonly field: PayloadField };

export type TakenValues = {
  readonly payload: Payload;
  readonly accepted: readonly PayloadField[];
  /** Fields whose values no longer fit after a change. */
  readonly cleared: readonly PayloadField[];
  readonly refusals: readonly ValueRefusal[];
};

export type JudgedValues = TakenValues & {
  /** The payload without the values that the request wanted to replace; the same object when there are none. */
  readonly undisputed: Payload;
  readonly corrections: readonly Correction[];
  /** Fields in which the corrections differ from the request. */
  readonly changing: readonly PayloadField[];
  /** The payload once the corrections are sent. */
  readonly corrected: Payload;
};

/**
 * Takes values in field order; a refused one does not affect the others. A value is accepted exactly when the index has a match with it,
 * which is also the rule for listing values, so the two cannot disagree.
 *
 * If a request changes anything, the old values of its refused fields are removed: combined with the change they would be a stay that the
 * caller did not request. `misnamed` are fields that the request meant by an unknown name.
 *
 * A refused value is tried again after the others: it is judged by the final payload of the request, and so are the reasons and suggestions
 * of a refusal.
 */
export function takeValues(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
  misnamed: readonly PayloadField[] = [],
): JudgedValues {
  const asked = askedFields(session);
  const dateOrder = dateOrderMeant(supplied, session.payload, facts.now);
  const context = { session, asked, facts, dateOrder };
  const disputedIn = ({ refusals, accepted }: TakenValues) =>
    disputedFields([...misnamed, ...refusals.map(({ field }) => field)], session.payload, accepted);
  const takeEach = (start: TakenValues, fields: readonly PayloadField[]): TakenValues => {
    let taken = start;
    for (const field of fields) {
      for (const one of supplied) {
        if (one.field !== field) continue;
        const isFollowing = followsDisputed(field, disputedIn(taken), asked);
        // An unreadable value is refused as such.
        taken =
          isFollowing && readValue(field, one.raw).kind === 'read'
            ? withRefusal({ code: 'prerequisite_missing', field }, taken)
            : takeOnce(field, one.raw, taken, context);
      }
    }
    return taken;
  };
  const clearDisputed = (taken: TakenValues): TakenValues => {
    if (taken.payload === session.payload) return taken;
    const disputed = disputedIn(taken);
    const undisputed = withoutDisputed(taken.payload, disputed, asked);
    const cleared = [...taken.cleared, ...clearedFields(asked, taken.payload, undisputed)];
    if (cleared.length === 0) return taken;
    // A cleared value may fit again: a new month clears the departure with the day, and a new day may restore it.
    const standing = withoutDisputed(session.payload, disputed, asked);
    return { ...taken, cleared, payload: keepLaterValues(undisputed, standing, context) };
  };
  const start = { payload: session.payload, accepted: [], cleared: [], refusals: [] };
  let taken = clearDisputed(takeEach(start, asked.order));
  for (let isProgress = taken.accepted.length > 0; isProgress; ) {
    const refused = new Set(taken.refusals.map(({ field }) => field));
    const again = takeEach(
      taken,
      asked.order.filter((field) => refused.has(field)),
    );
    isProgress = again.accepted.length > taken.accepted.length;
    taken = isProgress ? clearDisputed(again) : again;
  }
  const ordered = inFieldOrder(taken, session, asked);
  const disputed = ordered.payload === session.payload ? disputedIn(ordered) : [];
  return {
    ...correctRefusals(ordered, supplied, disputed, context),
    undisputed: withoutDisputed(ordered.payload, disputed, asked),
  };
}

/**
 * Corrects each refused field, assuming the corrections of those before it: the suggested departure fits the suggested arrival. If a
 * disputed value has no correction, the others are not worth sending.
 */
function correctRefusals(
  taken: TakenValues,
  supplied: readonly SuppliedValue[],
  disputed: readonly PayloadField[],
  context: TakeContext,
): TakenValues & Pick<JudgedValues, 'corrections' | 'changing' | 'corrected'> {
  if (taken.refusals.length === 0)
    return { ...taken, corrections: [], changing: [], corrected: taken.payload };
  const nights = intendedNights(supplied, context.facts.now, context.dateOrder);
  const corrections: Correction[] = [];
  const changing = new Set<PayloadField>();
  const refusals: ValueRefusal[] = [];
  const isCorrected = (field: PayloadField) => corrections.some((one) => one.field === field);
  let assumed: TakenValues = { ...taken, refusals: [] };
  for (const [position, refusal] of taken.refusals.entries()) {
    const { field } = refusal;
    const written = supplied.find((one) => one.field === field)?.raw;
    const moved =
      field === 'check_out' && isCorrected('check_in_day') ? movedDeparture(assumed, nights) : null;
    const raw = moved === null || meantBy(field, written).includes(moved) ? written : moved;
    // Read the departure in the date order of the arrival.
    const dateOrder = moved === null ? context.dateOrder : orderOfDeparture(written, moved);
    // The first refusal needs no new judgement: nothing is assumed before it.
    const judged =
      position === 0
        ? withRefusal(refusal, assumed)
        : takeValue(field, raw, assumed, { ...context, dateOrder });
    const [again] = judged.refusals;
    const uncorrected = disputed.filter((one) => !isCorrected(one));
    const suggestions = followsDisputed(field, uncorrected, context.asked)
      ? []
      : again
        ? suggestionsOf(again, nights, assumed, context)
        : [String(judged.payload[field])];
    refusals.push(
      refusal.code === 'invalid_value'
        ? { ...refusal, reason: reasonBeside(again, refusal.reason), suggestions }
        : refusal,
    );
    const [value] = suggestions;
    if (value === undefined) continue;
    corrections.push({ field, value });
    const meant = meantBy(field, written, context.dateOrder);
    if (meant.length !== 1 || meant[0] !== value) changing.add(field);
    assumed = again ? takeValue(field, value, assumed, context) : judged;
  }
  const isReplaced = (field: PayloadField) => assumed.payload[field] === undefined || isCorrected(field);
  const { check_in_month } = taken.payload;
  // A day sets its month.
  if (check_in_month !== undefined && check_in_month !== assumed.payload.check_in_month)
    changing.add('check_in_month');
  const isFirstKnown = corrections[0]?.field === taken.refusals[0]?.field;
  const isWorthSending = isFirstKnown && disputed.every(isReplaced);
  return {
    ...taken,
    refusals,
    corrections: isWorthSending ? corrections : [],
    changing: isWorthSending ? context.asked.order.filter((field) => changing.has(field)) : [],
    corrected: assumed.payload,
  };
}

/** Suggestions assume the corrections of earlier fields, so facts that no longer hold with them are removed from the reason. */
function reasonBeside(again: ValueRefusal | undefined, reason: RefusalReason): RefusalReason {
  const isSame = again?.code === 'invalid_value' && isDeepStrictEqual(again.reason, reason);
  return isSame ? reason : withoutFacts(reason);
}

/** Moves the departure with a corrected arrival, so that the stay has the requested length. */
function movedDeparture({ payload }: TakenValues, nights: number | null): string | null {
  if (nights === null || payload.check_in_day === undefined) return null;
  return departureAfter(payload.check_in_day, nights) ?? null;
}

function suggestionsOf(
  refusal: ValueRefusal,
  nights: number | null,
  { payload }: TakenValues,
  context: TakeContext,
): readonly string[] {
  if (refusal.code !== 'invalid_value') return [];
  const { field, suggestions } = refusal;
  const ordered =
    field === 'check_in_day' ? wholeStayFirst(suggestions, nights, payload, context) : suggestions;
  return ordered.slice(0, MAX_SUGGESTIONS);
}

/** Puts the nearest arrival first from which the requested number of nights is on offer. */
function wholeStayFirst(
  arrivals: readonly string[],
  nights: number | null,
  payload: Payload,
  { session, asked, facts }: TakeContext,
): readonly string[] {
  if (nights === null) return arrivals;
  const others = withoutDisputed(payload, ['check_in_month'], asked);
  const fitting = arrivals.find((check_in_day) => {
    const check_out = departureAfter(check_in_day, nights);
    return check_out !== undefined && hasMatch(session, { ...others, check_in_day, check_out }, facts);
  });
  return fitting === undefined ? arrivals : [fitting, ...arrivals.filter((arrival) => arrival !== fitting)];
}

function withRefusal(refusal: ValueRefusal, taken: TakenValues): TakenValues {
  const others = taken.refusals.filter(({ field }) => field !== refusal.field);
  return { ...taken, refusals: [...others, refusal] };
}

function inFieldOrder(taken: TakenValues, session: Session, { order }: AskedFields): TakenValues {
  const { payload, accepted, cleared, refusals } = taken;
  const isChanged = payload !== session.payload;
  return {
    payload: isChanged ? pickInOrder(order, payload) : payload,
    accepted: order.filter((field) => accepted.includes(field)),
    // A later value of the same request may have filled it again.
    cleared: cleared.filter((field) => payload[field] === undefined),
    refusals: refusals.toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field)),
  };
}

type TakeContext = {
  readonly session: Session;
  readonly asked: AskedFields;
  readonly facts: SearchFacts;
  /** The order in which the dates of the request are written, if known. */
  readonly dateOrder: DateOrder | undefined;
};

/** Judges a value for the first time or again. Does not change a field that another value of the request has set. */
function takeOnce(field: PayloadField, raw: unknown, before: TakenValues, context: TakeContext): TakenValues {
  const refusals = before.refusals.filter((refusal) => refusal.field !== field);
  const taken = takeValue(field, raw, { ...before, refusals }, context);
  const isSetByAnother = context.session.payload[field] === undefined && before.payload[field] !== undefined;
  return isSetByAnother && taken.accepted.includes(field) ? before : taken;
}

function takeValue<Field extends PayloadField>(
  field: Field,
  raw: unknown,
  before: TakenValues,
  context: TakeContext,
): TakenValues {
  const { session, asked, facts } = context;
  const reading = readValue(field, raw, context.dateOrder);
  const implied = reading.kind === 'read' ? impliedValues(field, reading.value, before, context) : {};
  const payload: Payload = { ...before.payload, ...implied };
  // A changed field is judged by the earlier fields only: later values are cleared if they no longer fit.
  const firstChanged = asked.order.find((one) => (one === field || one in implied) && isSet(one, before));
  const base =
    firstChanged === undefined
      ? payload
      : { ...valuesBefore(firstChanged, asked, before.payload), ...implied };
  const situation = { session, payload: base, facts };
  const refuse = (
    reason: RefusalReason,
    written: readonly string[],
    candidates: readonly PlaceId[] = [],
  ): TakenValues => {
    const meant = withComingYear(field, written, facts.now);
    const nearIn = (around: Payload): readonly string[] => {
      const onOffer = candidates.filter((place) => hasMatch(session, { ...around, [field]: place }, facts));
      if (onOffer.length > 0) return onOffer;
      // Near days are searched in every month, because a day sets its month.
      const anywhere = withoutFields(around, impliedByAny(field, meant, before, context));
      return nearestOffered(field, meant, { session, payload: anywhere, facts });
    };
    // Prefer values that keep all other answers; a changed field may give up the later ones only if there are none.
    const keeping = nearIn(withoutDisputed(before.payload, [field], asked));
    const near = keeping.length === 0 && isSet(field, before) ? nearIn(base) : keeping;
    const suggestions = near.slice(0, MAX_NEAR_VALUES);
    const refusal: ValueRefusal = { code: 'invalid_value', field, reason, suggestions, candidates };
    return { ...before, refusals: [...before.refusals, refusal] };
  };
  if (reading.kind === 'unreadable') return refuse(reading.reason, reading.meant);
  if (!isReachable(field, asked, base)) {
    return { ...before, refusals: [...before.refusals, { code: 'prerequisite_missing', field }] };
  }
  const resolution = resolveValue(field, reading.value, situation);
  if (resolution.kind === 'ambiguous')
    return refuse({ code: 'ambiguous' }, [String(reading.value)], resolution.candidates);
  if (resolution.kind === 'unknown') return refuse({ code: 'not_on_network' }, [String(reading.value)]);
  const { value } = resolution;
  const accepted = before.accepted.includes(field) ? before.accepted : [...before.accepted, field];
  if (before.payload[field] === value) return { ...before, accepted };
  const changed: Payload = { ...base, [field]: value };
  if (!hasMatch(session, changed, facts)) {
    return refuse(explainRefusal(field, value, situation), [String(value)]);
  }
  if (firstChanged === undefined) return { ...before, payload: changed, accepted };
  const kept = keepLaterValues(changed, before.payload, context);
  return {
    ...before,
    payload: kept,
    accepted,
    cleared: [...before.cleared, ...clearedFields(asked, before.payload, kept)],
  };
}

/** Does not override a field that the same request has set differently: that is a contradiction. */
function impliedValues<Field extends PayloadField>(
  field: Field,
  value: NonNullable<Payload[Field]>,
  { accepted, payload }: TakenValues,
  { asked }: TakeContext,
): Payload {
  const implied = impliedBy(field, value);
  const brought = asked.order.filter(
    (one) => implied[one] !== undefined && implied[one] !== payload[one] && !accepted.includes(one),
  );
  return pickInOrder(brought, implied);
}

function impliedByAny(
  field: PayloadField,
  meant: readonly string[],
  before: TakenValues,
  context: TakeContext,
): Payload {
  return Object.assign(
    {},
    ...meant.map((text) => {
      const reading = readValue(field, text);
      return reading.kind === 'read' ? impliedValues(field, reading.value, before, context) : {};
    }),
  );
}

function isSet(field: PayloadField, { payload }: TakenValues): boolean {
  return payload[field] !== undefined;
}

function withoutFields(payload: Payload, fields: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([field]) => !(field in fields)));
}

/** Adds the values of `old` that `start` lacks, in order, except those whose prerequisite is gone or that no longer match. */
function keepLaterValues(
  start: Payload,
  old: Payload,
  { session, asked, facts }: Pick<TakeContext, 'session' | 'asked' | 'facts'>,
): Payload {
  let kept = start;
  for (const field of asked.order) {
    if (old[field] === undefined || kept[field] !== undefined || !isReachable(field, asked, kept)) continue;
    const candidate: Payload = { ...kept, [field]: old[field] };
    if (hasMatch(session, candidate, facts)) kept = candidate;
  }
  return kept;
}

/**
 * Keeps the values, in order, that still have a match, so that no step is a dead end: the inventory changes during a search, and the last
 * matching stay may be booked.
 */
export function dropStaleValues(
  session: Session,
  facts: SearchFacts,
): { readonly payload: Payload; readonly cleared: readonly PayloadField[] } {
  const { payload } = session;
  if (hasMatch(session, payload, facts)) return { payload, cleared: [] };
  const asked = askedFields(session);
  const kept = keepLaterValues({}, payload, { session, asked, facts });
  return { payload: kept, cleared: clearedFields(asked, payload, kept) };
}

function clearedFields({ order }: AskedFields, before: Payload, after: Payload): PayloadField[] {
  return order.filter((field) => before[field] !== undefined && after[field] === undefined);
}

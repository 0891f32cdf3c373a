import type { PlaceId } from '../../catalogue/catalogue.ts';
import type { Payload, PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import { MAX_DESTINATIONS_SHOWN } from '../../contract/vocabulary.ts';
import type { DateOrder } from '../../stay/written-dates.ts';
import { conflictsWith } from '../conflicting-fields.ts';
import { findPlace } from '../names/find-place.ts';
import { nearPlaces } from '../names/near-places.ts';
import { criteriaOf } from '../payload.ts';
import { isPausedPlace } from '../unready-brands.ts';
import {
  type FieldRules,
  nearestNumbers,
  type Resolution,
  type Situation,
  unreadable,
  type Value,
} from './field-rules.ts';
import { checkInDay, checkInMonth, checkOut } from './stay-dates.ts';

const OWN_BRAND = {
  value: true,
  description: 'Only the brand of the entry: when the traveller came for this brand.',
};
const EVERY_BRAND = {
  value: false,
  description: 'Every brand on the network: when the traveller wants to compare across brands.',
};

const brandLocked: FieldRules<'brand_locked'> = {
  read: (raw) => {
    const text = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
    if (text === true || text === 'true') return { kind: 'read', value: true };
    if (text === false || text === 'false') return { kind: 'read', value: false };
    return unreadable({ code: 'wrong_type' });
  },
  offer: ({ session, payload, facts: { index, now } }) => {
    const values = [OWN_BRAND, EVERY_BRAND].filter(({ value }) =>
      index.hasMatch(criteriaOf(session, { ...payload, brand_locked: value }), now),
    );
    return { values, total: values.length };
  },
  explain: (value, situation) => conflictsWith('brand_locked', value, situation) ?? { code: 'nothing_free' },
  nearest: (_meant, situation) => brandLocked.offer(situation).values.map(({ value }) => String(value)),
};

const MAX_PLACE_NAME_LENGTH = 120;

const destination: FieldRules<'destination'> = {
  read: (raw) =>
    typeof raw === 'string' && raw.trim().length > 0 && raw.length <= MAX_PLACE_NAME_LENGTH
      ? { kind: 'read', value: raw }
      : unreadable({ code: 'wrong_type' }),
  resolve: (text, situation) => {
    if (situation.facts.network.places.has(text)) return { kind: 'resolved', value: text };
    const lookup = findPlace(text, situation.facts.network, () => placesOnOffer(situation));
    return lookup.kind === 'found' ? { kind: 'resolved', value: lookup.place } : lookup;
  },
  offer: (situation) => {
    const places = placesOnOffer(situation);
    return { values: places.slice(0, MAX_DESTINATIONS_SHOWN), total: places.length };
  },
  explain: (place, situation) =>
    conflictsWith('destination', place, situation) ?? {
      // The index knows no home of a paused place, and would say that nothing is free.
      code: isPausedPlace({ brand: null, place }, situation.facts) ? 'not_on_offer' : 'nothing_free',
    },
  nearest: (meant, situation) =>
    meant.flatMap((text) => nearPlaces(text, situation.facts.network, placesOnOffer(situation))),
};

function placesOnOffer({ session, payload, facts: { index, now } }: Situation): PlaceId[] {
  return index.destinations(criteriaOf(session, payload), now).map(({ place }) => place);
}

/** `2`, `02` and `2.0` are all two people. */
const GUESTS_PATTERN = /^0*([1-9]\d*)(?:\.0+)?$/;
/** Larger parties are judged as this one, which no home takes, so that the index needs no larger numbers. */
const MAX_PARTY = 999_999;
const NUMBER_PATTERN = /^-?\d{1,6}(?:\.\d{1,6})?$/;

const guests: FieldRules<'guests'> = {
  read: (raw) => {
    if (typeof raw !== 'number' && typeof raw !== 'string') return unreadable({ code: 'wrong_type' });
    const written = Number.isInteger(raw) ? BigInt(raw).toString() : String(raw).trim();
    const [, party] = GUESTS_PATTERN.exec(written) ?? [];
    if (party !== undefined) return { kind: 'read', value: String(Math.min(Number(party), MAX_PARTY)) };
    return unreadable({ code: 'wrong_type' }, NUMBER_PATTERN.test(written) ? [written] : []);
  },
  offer: (situation) => {
    const values: string[] = [];
    const largest = largestParty(situation);
    for (let party = 1; party <= largest; party += 1) values.push(String(party));
    return { values, total: values.length };
  },
  explain: (_party, situation) => {
    const largest = largestParty(situation);
    return largest === 0 ? { code: 'nothing_free' } : { code: 'party_too_large', largest };
  },
  nearest: (meant, situation) => nearestNumbers(meant, guests.offer(situation).values, Number),
};

function largestParty({ session, payload, facts: { index, now } }: Situation): number {
  return index.largestParty(criteriaOf(session, payload), now);
}

/** A field without an entry here does not compile. */
export const FIELD_RULES: { readonly [Field in PayloadField]: FieldRules<Field> } = {
  brand_locked: brandLocked,
  destination,
  check_in_month: checkInMonth,
  check_in_day: checkInDay,
  check_out: checkOut,
  guests,
};

/** The values that the caller may have meant. */
export function meantBy(field: PayloadField, raw: unknown, order?: DateOrder): readonly string[] {
  const reading = FIELD_RULES[field].read(raw, order);
  return reading.kind === 'read' ? [String(reading.value)] : reading.meant;
}

/** Puts the coming year first for a date that has passed: the caller probably meant another year. */
export function withComingYear(
  field: PayloadField,
  meant: readonly string[],
  now: number,
): readonly string[] {
  const { inComingYear } = FIELD_RULES[field];
  const coming = meant.flatMap((text) => inComingYear?.(text, now) ?? []);
  return coming.length === 0 ? meant : [...coming, ...meant];
}

export function resolveValue<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  situation: Situation,
): Resolution<Field> {
  return FIELD_RULES[field].resolve?.(value, situation) ?? { kind: 'resolved', value };
}

export function impliedBy<Field extends PayloadField>(field: Field, value: Value<Field>): Payload {
  return FIELD_RULES[field].implied?.(value) ?? {};
}

export function explainRefusal<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  situation: Situation,
): RefusalReason {
  return FIELD_RULES[field].explain(value, situation);
}

export function nearestOffered(
  field: PayloadField,
  meant: readonly string[],
  situation: Situation,
): readonly string[] {
  return meant.length === 0 ? [] : FIELD_RULES[field].nearest(meant, situation);
}

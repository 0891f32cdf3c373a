import { PAYLOAD_FIELDS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { AllowedValues } from '../contract/search-body.ts';
import { MAX_DESTINATIONS_SHOWN } from '../contract/vocabulary.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import { ANY_STAY, type StayCriteria } from '../inventory/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import { formatMonth, parseMonth } from '../stay/month.ts';
import { findPlace } from './find-place.ts';
import { nearPlaces } from './near-places.ts';
import type { SearchFacts } from './search-facts.ts';

type FieldRules<Field extends PayloadField> = {
  /** The value in the form in which it is offered; undefined when it is not valid for the field. */
  readonly read: (raw: unknown) => Value<Field> | undefined;
  /** Maps other ways to say a value, such as the name of a place, to a value on offer. */
  readonly resolve?: (
    value: Value<Field>,
    session: Session,
    payload: Payload,
    facts: SearchFacts,
  ) => Resolution<Field>;
  /** The criteria that the value sets. */
  readonly narrow: (value: Value<Field>, session: Session) => Partial<StayCriteria>;
  /** The values that have a match together with the payload. */
  readonly offer: (session: Session, payload: Payload, facts: SearchFacts) => Offer<Field>;
};

type Value<Field extends PayloadField> = NonNullable<Payload[Field]>;

export type Resolution<Field extends PayloadField> =
  | { readonly kind: 'resolved'; readonly value: Value<Field> }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] };

/** `total` is larger than the number of values when the list was cut. */
export type Offer<Field extends PayloadField> = {
  readonly values: NonNullable<AllowedValues[Field]>;
  readonly total: number;
};

const OWN_BRAND = {
  value: true,
  description: 'Only the brand of the entry: when the traveller came for this brand.',
};
const EVERY_BRAND = {
  value: false,
  description: 'Every brand on the network: when the traveller wants to compare across brands.',
};
const GUESTS_PATTERN = /^[1-9]\d{0,2}$/;
const MAX_PLACE_NAME_LENGTH = 120;

/** How each field of the payload behaves. A field without an entry here does not compile. */
const RULES: { readonly [Field in PayloadField]: FieldRules<Field> } = {
  brand_locked: {
    read: (raw) =>
      raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined,
    narrow: (locked, { source }) => ({ brand: locked ? source : null }),
    offer: (session, payload, { index, now }) =>
      completeOffer(
        [OWN_BRAND, EVERY_BRAND].filter(({ value }) =>
          index.hasMatch(criteriaOf(session, { ...payload, brand_locked: value }), now),
        ),
      ),
  },
  destination: {
    read: (raw) =>
      typeof raw === 'string' && raw.length > 0 && raw.length <= MAX_PLACE_NAME_LENGTH ? raw : undefined,
    resolve: (text, session, payload, { index, network, now }) => {
      const offered = () => index.destinations(criteriaOf(session, payload), now).map(({ place }) => place);
      const lookup = findPlace(text, network, offered);
      if (lookup.kind === 'unknown') {
        return { kind: 'ambiguous', candidates: nearPlaces(text, network, offered()) };
      }
      return lookup.kind === 'found' ? { kind: 'resolved', value: lookup.place } : lookup;
    },
    narrow: (place) => ({ place }),
    offer: (session, payload, { index, now }) => {
      const places = index.destinations(criteriaOf(session, payload), now);
      return {
        values: places.slice(0, MAX_DESTINATIONS_SHOWN).map(({ place }) => place),
        total: places.length,
      };
    },
  },
  check_in_month: {
    read: (raw) => (typeof raw === 'string' && parseMonth(raw) !== undefined ? raw : undefined),
    narrow: (month) => ({ checkInMonth: parseMonth(month) ?? null }),
    offer: (session, payload, { index, now }) =>
      completeOffer(index.checkInMonths(criteriaOf(session, payload), now).map(formatMonth)),
  },
  check_in_day: {
    read: readDay,
    narrow: (day) => ({ checkIn: parseDay(day) ?? null }),
    offer: (session, payload, { index, now }) =>
      completeOffer(index.checkInDays(criteriaOf(session, payload), now).map(formatDay)),
  },
  check_out: {
    read: readDay,
    narrow: (day) => ({ checkOut: parseDay(day) ?? null }),
    offer: (session, payload, { index, now }) =>
      completeOffer(index.checkOutDays(criteriaOf(session, payload), now).map(formatDay)),
  },
  guests: {
    read: (raw) => {
      const text = typeof raw === 'number' ? String(raw) : raw;
      return typeof text === 'string' && GUESTS_PATTERN.test(text) ? text : undefined;
    },
    narrow: (guests) => ({ guests: Number(guests) }),
    offer: (session, payload, { index, now }) => {
      const largest = index.largestParty(criteriaOf(session, payload), now);
      return completeOffer(Array.from({ length: largest }, (_, position) => String(position + 1)));
    },
  },
};

export function readValue<Field extends PayloadField>(field: Field, raw: unknown): Value<Field> | undefined {
  return RULES[field].read(raw);
}

export function resolveValue<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  session: Session,
  payload: Payload,
  facts: SearchFacts,
): Resolution<Field> {
  return RULES[field].resolve?.(value, session, payload, facts) ?? { kind: 'resolved', value };
}

/** One amenity per request: a string, or an array with one string. */
export function readAmenity(raw: unknown): string | undefined {
  const amenity = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
  return typeof amenity === 'string' ? amenity : undefined;
}

export function offerOf<Field extends PayloadField>(
  field: Field,
  session: Session,
  payload: Payload,
  facts: SearchFacts,
): Offer<Field> {
  return RULES[field].offer(session, payload, facts);
}

export function criteriaOf(
  session: Session,
  payload: Payload,
  amenities: readonly string[] = [],
): StayCriteria {
  const criteria = { ...ANY_STAY, place: session.onlyPlace, amenities };
  for (const field of PAYLOAD_FIELDS) {
    if (payload[field] !== undefined) Object.assign(criteria, narrowing(field, payload, session));
  }
  return criteria;
}

function narrowing<Field extends PayloadField>(
  field: Field,
  payload: Payload,
  session: Session,
): Partial<StayCriteria> {
  const value = payload[field];
  return value === undefined ? {} : RULES[field].narrow(value, session);
}

function readDay(raw: unknown): string | undefined {
  return typeof raw === 'string' && parseDay(raw) !== undefined ? raw : undefined;
}

function completeOffer<Values extends readonly unknown[]>(values: Values): { values: Values; total: number } {
  return { values, total: values.length };
}

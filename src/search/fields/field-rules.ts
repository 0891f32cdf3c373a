import type { PlaceId } from '../../catalogue/catalogue.ts';
import type { Payload, PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import type { AllowedValues } from '../../contract/search-body.ts';
import type { Session } from '../../sessions/session.ts';
import type { DateOrder } from '../../stay/written-dates.ts';
import type { SearchFacts } from '../payload.ts';

/** How one field of the payload behaves. `rules.ts` has the table of them all. */
export type FieldRules<Field extends PayloadField> = {
  /** Reads a caller's value into the form in which values are offered. `order` is that of the dates in the request. */
  readonly read: (raw: unknown, order?: DateOrder) => ValueReading<Value<Field>>;
  /** Maps another form of a value, such as the name of a place, to a value on offer. */
  readonly resolve?: (value: Value<Field>, situation: Situation) => Resolution<Field>;
  /** Values of other fields that the value sets: a day sets its month. */
  readonly implied?: (value: Value<Field>) => Payload;
  /** The same date in a coming year. Undefined when the date has not passed. */
  readonly inComingYear?: (value: string, now: number) => string | undefined;
  /** The values that have a match together with the payload. */
  readonly offer: (situation: Situation) => Offer<Field>;
  /** Why a value has no match together with the payload. */
  readonly explain: (value: Value<Field>, situation: Situation) => RefusalReason;
  /** Values on offer, nearest to `meant` first. */
  readonly nearest: (meant: readonly string[], situation: Situation) => readonly string[];
};

export type Value<Field extends PayloadField> = NonNullable<Payload[Field]>;

/** `payload` is what a value is judged by: for a changed field the values before it, otherwise everything received. */
export type Situation = {
  readonly session: Session;
  readonly payload: Payload;
  readonly facts: SearchFacts;
};

/** `meant` are values that the caller may have meant, for suggestions only. */
export type ValueReading<V> =
  | { readonly kind: 'read'; readonly value: V }
  | { readonly kind: 'unreadable'; readonly reason: RefusalReason; readonly meant: readonly string[] };

export type Resolution<Field extends PayloadField> =
  | { readonly kind: 'resolved'; readonly value: Value<Field> }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] }
  | { readonly kind: 'unknown' };

/** `total` is larger than the number of values when the list was cut. */
export type Offer<Field extends PayloadField> = {
  readonly values: NonNullable<AllowedValues[Field]>;
  readonly total: number;
};

export function unreadable(reason: RefusalReason, meant: readonly string[] = []): ValueReading<never> {
  return { kind: 'unreadable', reason, meant };
}

/** The offered values, nearest to any of the meant ones first; of two equally near, the smaller one first. */
export function nearestNumbers(
  meant: readonly string[],
  offered: readonly string[],
  numberOf: (text: string) => number | undefined,
): readonly string[] {
  const targets = meant.map(numberOf).filter((target) => target !== undefined);
  const distance = (value: string) =>
    Math.min(...targets.map((target) => Math.abs(target - (numberOf(value) ?? Number.POSITIVE_INFINITY))));
  return targets.length === 0
    ? []
    : offered
        .map((value) => ({ value, distance: distance(value) }))
        // A stable sort: `offered` is in ascending order.
        .sort((one, other) => one.distance - other.distance)
        .map(({ value }) => value);
}

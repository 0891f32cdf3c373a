import type { PlaceId } from '../../catalogue/catalogue.ts';
import type { Payload, PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import type { AllowedValues } from '../../contract/search-body.ts';
import type { Session } from '../../sessions/session.ts';
import type { DateOrder } from '../../stay/written-dates.ts';
import type { SearchFacts } from '../search-facts.ts';

/** How one field of the payload behaves. `rules.ts` has the table of them all. */
export type FieldRules<Field extends PayloadField> = {
  /** Reads what a caller sent into the form in which values are offered. The order is that of the dates in the request. */
  readonly read: (raw: unknown, order?: DateOrder) => ValueReading<Value<Field>>;
  /** Maps other ways to say a value, such as the name of a place, to a value on offer. */
  readonly resolve?: (value: Value<Field>, situation: Situation) => Resolution<Field>;
  /** Values of other fields that come along: a day sets its month. */
  readonly implied?: (value: Value<Field>) => Payload;
  /** What a date that has passed stands for in a year to come. Undefined where it has not passed. */
  readonly inComingYear?: (value: string, now: number) => string | undefined;
  /** The values that have a match together with the payload. */
  readonly offer: (situation: Situation) => Offer<Field>;
  /** Why a value has no match together with the payload. */
  readonly explain: (value: Value<Field>, situation: Situation) => RefusalReason;
  /** Values on offer, nearest to what was meant first. Empty when nothing tells what was meant. */
  readonly nearest: (meant: readonly string[], situation: Situation) => readonly string[];
};

export type Value<Field extends PayloadField> = NonNullable<Payload[Field]>;

/** The payload that a value is judged by: for a changed field the values before it, otherwise everything received. */
export type Situation = {
  readonly session: Session;
  readonly payload: Payload;
  readonly facts: SearchFacts;
};

/** `meant` are values that the caller may have had in mind, for suggestions only. */
export type ValueReading<V> =
  | { readonly kind: 'read'; readonly value: V }
  | { readonly kind: 'unread'; readonly reason: RefusalReason; readonly meant: readonly string[] };

export type Resolution<Field extends PayloadField> =
  | { readonly kind: 'resolved'; readonly value: Value<Field> }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly PlaceId[] }
  | { readonly kind: 'unknown' };

/** `total` is larger than the number of values when the list was cut. */
export type Offer<Field extends PayloadField> = {
  readonly values: NonNullable<AllowedValues[Field]>;
  readonly total: number;
};

export function read<V>(value: V): ValueReading<V> {
  return { kind: 'read', value };
}

export function unsearchable(reason: RefusalReason, meant: readonly string[] = []): ValueReading<never> {
  return { kind: 'unread', reason, meant };
}

export function completeOffer<Values extends readonly unknown[]>(
  values: Values,
): { values: Values; total: number } {
  return { values, total: values.length };
}

import type { Payload, PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import type { DateOrder } from '../../stay/written-dates.ts';
import { brandLocked } from './brand-locked.ts';
import { destination } from './destination.ts';
import type { FieldRules, Offer, Resolution, Situation, Value, ValueReading } from './field-rules.ts';
import { guests } from './guests.ts';
import { checkInDay, checkInMonth, checkOut } from './stay-dates.ts';

/** A field without an entry here does not compile. */
const RULES: { readonly [Field in PayloadField]: FieldRules<Field> } = {
  brand_locked: brandLocked,
  destination,
  check_in_month: checkInMonth,
  check_in_day: checkInDay,
  check_out: checkOut,
  guests,
};

export function readValue<Field extends PayloadField>(
  field: Field,
  raw: unknown,
  order?: DateOrder,
): ValueReading<Value<Field>> {
  return RULES[field].read(raw, order);
}

/** The values that the caller may have meant. */
export function meantBy(field: PayloadField, raw: unknown, order?: DateOrder): readonly string[] {
  const reading = readValue(field, raw, order);
  return reading.kind === 'read' ? [String(reading.value)] : reading.meant;
}

/** Puts the coming year first for a date that has passed: the caller probably meant another year. */
export function withComingYear(
  field: PayloadField,
  meant: readonly string[],
  now: number,
): readonly string[] {
  const { inComingYear } = RULES[field];
  const coming = meant.flatMap((text) => inComingYear?.(text, now) ?? []);
  return coming.length === 0 ? meant : [...coming, ...meant];
}

export function resolveValue<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  situation: Situation,
): Resolution<Field> {
  return RULES[field].resolve?.(value, situation) ?? { kind: 'resolved', value };
}

export function impliedBy<Field extends PayloadField>(field: Field, value: Value<Field>): Payload {
  return RULES[field].implied?.(value) ?? {};
}

export function offerOf<Field extends PayloadField>(field: Field, situation: Situation): Offer<Field> {
  return RULES[field].offer(situation);
}

export function explainRefusal<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  situation: Situation,
): RefusalReason {
  return RULES[field].explain(value, situation);
}

export function nearestOffered(
  field: PayloadField,
  meant: readonly string[],
  situation: Situation,
): readonly string[] {
  return meant.length === 0 ? [] : RULES[field].nearest(meant, situation);
}

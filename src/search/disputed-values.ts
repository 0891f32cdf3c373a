import { FIELDS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import { type AskedFields, pickInOrder } from './asked-fields.ts';
import { isOneDecision } from './conflicting-fields.ts';

/**
 * The fields that a request wanted to replace and did not. The old value of one is not what the caller wants any more, so no
 * search is completed with it.
 */
export function disputedFields(
  named: readonly PayloadField[],
  standing: Payload,
  accepted: readonly PayloadField[],
): PayloadField[] {
  return named.filter((field) => {
    const isSettled = accepted.some((one) => one === field || one === FIELDS[field].setBy);
    return standing[field] !== undefined && !isSettled;
  });
}

/** The same payload where nothing is disputed. The later dates go with a disputed one: they were chosen for it. */
export function withoutDisputed(
  payload: Payload,
  disputed: readonly PayloadField[],
  { order }: AskedFields,
): Payload {
  if (disputed.length === 0) return payload;
  const isLeft = (field: PayloadField) =>
    !disputed.some((one) => one === field || isLaterOfOneDecision(field, one, order));
  const left = order.filter(isLeft);
  return order.some((field) => payload[field] !== undefined && !left.includes(field))
    ? pickInOrder(left, payload)
    : payload;
}

/** A departure cannot be judged by an arrival that is to be replaced. A day can do without its month, which it sets. */
export function followsDisputed(
  field: PayloadField,
  disputed: readonly PayloadField[],
  { order }: AskedFields,
): boolean {
  return disputed.some((one) => isLaterOfOneDecision(field, one, order) && FIELDS[one].setBy !== field);
}

function isLaterOfOneDecision(
  field: PayloadField,
  earlier: PayloadField,
  order: readonly PayloadField[],
): boolean {
  return isOneDecision(field, earlier) && order.indexOf(field) > order.indexOf(earlier);
}

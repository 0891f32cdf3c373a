import {
  type Payload,
  type PayloadField,
  SEARCH_FIELDS,
  type SearchField,
} from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import type { Situation } from './fields/field-rules.ts';
import { askedFields, criteriaOf } from './payload.ts';

/** How readily a traveller gives up an answer, and which answers are one decision: the dates move together. */
const GIVEN_UP: Readonly<Record<SearchField, { readonly order: number; readonly decision: string }>> = {
  amenities: { order: 0, decision: 'amenities' },
  check_out: { order: 1, decision: 'dates' },
  check_in_day: { order: 2, decision: 'dates' },
  check_in_month: { order: 3, decision: 'dates' },
  guests: { order: 4, decision: 'guests' },
  destination: { order: 5, decision: 'destination' },
  brand_locked: { order: 6, decision: 'brand' },
};

export function isOneDecision(one: SearchField, other: SearchField): boolean {
  return GIVEN_UP[one].decision === GIVEN_UP[other].decision;
}

/**
 * The other answers that exclude the value: without them it has a match. As few decisions as possible, then as few fields, then those given
 * up most readily. Undefined when the value has no match even alone.
 */
export function conflictsWith<Field extends PayloadField>(
  field: Field,
  value: NonNullable<Payload[Field]>,
  { session, payload, facts: { index, now } }: Situation,
): RefusalReason | undefined {
  const others = askedFields(session).order.filter(
    (other) => other !== field && payload[other] !== undefined,
  );
  return conflictAmong(others, (removed) => {
    const rest = { ...without(payload, removed), [field]: value };
    return index.hasMatch(criteriaOf(session, rest), now);
  });
}

/** The same for an amenity, which the active filters can also exclude. */
export function amenityConflictsWith(
  amenity: string,
  { session, payload, facts: { index, now } }: Situation,
): RefusalReason | undefined {
  const received = askedFields(session).order.filter((other) => payload[other] !== undefined);
  const others: SearchField[] = session.amenities.length > 0 ? [...received, 'amenities'] : received;
  return conflictAmong(others, (removed) => {
    const filters = removed.includes('amenities') ? [amenity] : [...session.amenities, amenity];
    return index.hasMatch(criteriaOf(session, without(payload, removed), filters), now);
  });
}

function conflictAmong(
  others: readonly SearchField[],
  suffices: (removed: readonly SearchField[]) => boolean,
): RefusalReason | undefined {
  const removed = subsetsOf(others).find(suffices);
  return (
    removed && { code: 'conflicts_with', fields: SEARCH_FIELDS.filter((field) => removed.includes(field)) }
  );
}

/** At most seven fields make at most 127 subsets, and this runs only for refused values. */
function subsetsOf(fields: readonly SearchField[]): readonly (readonly SearchField[])[] {
  const readily = fields.toSorted((one, other) => GIVEN_UP[one].order - GIVEN_UP[other].order);
  const highest = 2 ** readily.length - 1;
  const subsets = Array.from({ length: highest }, (_, position) =>
    // Counting down with the first field as the highest bit lists subsets of a size in the order of the fields.
    readily.filter((_field, bit) => ((highest - position) >> (readily.length - 1 - bit)) & 1),
  );
  return subsets.sort((one, other) => decisionsIn(one) - decisionsIn(other) || one.length - other.length);
}

function decisionsIn(fields: readonly SearchField[]): number {
  return new Set(fields.map((field) => GIVEN_UP[field].decision)).size;
}

function without(payload: Payload, removed: readonly SearchField[]): Payload {
  return Object.fromEntries(
    Object.entries(payload).filter(([field]) => !removed.includes(field as SearchField)),
  );
}

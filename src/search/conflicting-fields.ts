import type { Payload, PayloadField, SearchField } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import { askedFields } from './asked-fields.ts';
import { criteriaOf } from './criteria.ts';
import type { Situation } from './fields/field-rules.ts';

/**
 * The smallest set of other answers without which the value would have a match; of equally small sets, the first in field
 * order. Undefined when the value has none even alone.
 */
export function conflictsWith<Field extends PayloadField>(
  field: Field,
  value: NonNullable<Payload[Field]>,
  { session, payload, facts: { index, now } }: Situation,
): RefusalReason | undefined {
  const others = askedFields(session).order.filter(
    (other) => other !== field && payload[other] !== undefined,
  );
  const fields = smallestSubset(others, (removed) => {
    const rest = { ...without(payload, removed), [field]: value };
    return index.hasMatch(criteriaOf(session, rest), now);
  });
  return fields && { code: 'conflicts_with', fields };
}

/** The same for an amenity, which can also be at odds with the filters that are on. */
export function amenityConflictsWith(
  amenity: string,
  { session, payload, facts: { index, now } }: Situation,
): RefusalReason | undefined {
  const received = askedFields(session).order.filter((other) => payload[other] !== undefined);
  const others: SearchField[] = session.amenities.length > 0 ? [...received, 'amenities'] : received;
  const fields = smallestSubset(others, (removed) => {
    const filters = removed.includes('amenities') ? [amenity] : [...session.amenities, amenity];
    return index.hasMatch(criteriaOf(session, without(payload, removed), filters), now);
  });
  return fields && { code: 'conflicts_with', fields };
}

/** At most seven fields make at most 127 subsets, and only refused values get here. */
function smallestSubset<Item>(
  items: readonly Item[],
  suffices: (subset: Item[]) => boolean,
): Item[] | undefined {
  const subsets = Array.from({ length: 2 ** items.length - 1 }, (_, position) =>
    // Counting down with the first item as the highest bit lists the subsets of a size in the order of the items.
    items.filter((_item, bit) => ((2 ** items.length - 1 - position) >> (items.length - 1 - bit)) & 1),
  );
  return subsets.sort((one, other) => one.length - other.length).find(suffices);
}

function without(payload: Payload, removed: readonly SearchField[]): Payload {
  return Object.fromEntries(
    Object.entries(payload).filter(([field]) => !removed.includes(field as SearchField)),
  );
}

import type { RequestFault } from '../contract/errors.ts';
import type { RequestValues } from '../contract/exchange.ts';
import type { PayloadField } from '../contract/payload-fields.ts';
import { invalid, type Reading } from '../parsing/reading.ts';
import { FIELD_RULES } from './fields/rules.ts';

export type SuppliedValue = {
  readonly field: string;
  readonly raw: unknown;
  /** Applies several amenities together; otherwise one of them. */
  readonly atOnce?: boolean;
};

const MAX_LEVELS = 3;
/** A client may send a whole offered request back; these members of it are not fields. */
const IGNORED_BESIDE_FIELD_AND_VALUE: ReadonlySet<string> = new Set(['field', 'value', 'url']);

/**
 * Reads both encodings: `{"destination": "x"}` and `{"field": "destination", "value": "x"}`.
 * A contradiction, or half of a pair, makes the request unreadable.
 */
export function readSupplied(
  members: RequestValues,
  { amenitiesAtOnce }: { readonly amenitiesAtOnce: boolean } = { amenitiesAtOnce: false },
): Reading<readonly SuppliedValue[], RequestFault> {
  for (const value of members.values()) {
    if (typeof value === 'object' && !isShallow(value)) return invalid('nested_value');
  }
  const supplied: SuppliedValue[] = [];
  const isPair = members.has('field') || members.has('value');
  if (isPair) {
    const field = members.get('field');
    if (typeof field !== 'string' || !members.has('value')) return invalid('half_a_pair');
    supplied.push({ field, raw: members.get('value') });
  }
  for (const [field, raw] of members) {
    if (isPair && IGNORED_BESIDE_FIELD_AND_VALUE.has(field)) continue;
    // Names of members are unique, so only the pair can name a field a second time.
    const twin = isPair && supplied[0]?.field === field ? supplied[0] : undefined;
    if (!twin) supplied.push({ field, raw });
    else if (fingerprintOf([twin]) !== fingerprintOf([{ field, raw }])) return invalid('two_values');
  }
  const value = amenitiesAtOnce
    ? supplied.map((one) => (one.field === 'amenities' ? { ...one, atOnce: true } : one))
    : supplied;
  return { kind: 'valid', value };
}

/** No field takes more than a list of texts, and deep nesting would make comparing expensive. */
function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/** The amenities of a request. */
type AmenityRequest =
  | {
      readonly kind: 'named';
      readonly texts: readonly string[];
      /** An empty text before the names removes the other filters. */
      readonly isAfresh: boolean;
    }
  /** An empty list removes all filters. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'unreadable' };

export type NamedAmenities = Extract<AmenityRequest, { kind: 'named' }>;

const MAX_AMENITY_LENGTH = 120;
export const MAX_AMENITIES_READ = 10;

/** A text, or an array of texts. */
export function readAmenities(raw: unknown): AmenityRequest {
  const listed: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const isAfresh = listed[0] === '';
  const named = isAfresh ? listed.slice(1) : listed;
  if (named.length === 0) return { kind: 'clear' };
  const isReadable = (text: unknown) => typeof text === 'string' && text.length <= MAX_AMENITY_LENGTH;
  return named.every((text) => isReadable(text))
    ? { kind: 'named', texts: named.slice(0, MAX_AMENITIES_READ) as readonly string[], isAfresh }
    : { kind: 'unreadable' };
}

/** Equal for equal requests in different encodings: `2` and `"2"` guests are the same request. */
export function fingerprintOf(supplied: readonly SuppliedValue[]): string {
  const forms: string[] = [];
  for (const { field, raw } of supplied) {
    let form = raw;
    if (field === 'amenities') {
      const request = readAmenities(raw);
      form = request.kind === 'named' ? request.texts : request.kind === 'clear' ? [] : raw;
    } else if (Object.hasOwn(FIELD_RULES, field)) {
      const reading = FIELD_RULES[field as PayloadField].read(raw);
      if (reading.kind === 'read') form = reading.value;
    }
    forms.push(JSON.stringify([field, form]));
  }
  return forms.sort().join();
}

import type { Option } from '../../contract/option.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import { OPERATOR_TEXT } from '../../contract/vocabulary.ts';

/**
 * The compact view of a stored result: only the first picture, and no additions to the base interface that are null. Made from the full
 * view, so that the two never state different prices.
 */
export function compactResult({ results, ...full }: ResultBody): ResultBody {
  return {
    ...full,
    comparison_set: compactSet(full.comparison_set),
    available_requests: inCompactView(full.available_requests),
    ...(full.next_request ? { next_request: inCompactView(full.next_request) } : {}),
    view: 'compact',
    operator_text: OPERATOR_TEXT.filter((path) => !path.startsWith(GALLERY)),
    results: results.map(compactOption),
  };
}

function compactSet({ unpublished_amenities, ...set }: ResultBody['comparison_set']) {
  return unpublished_amenities ? { ...set, unpublished_amenities } : set;
}

const GALLERY = 'results[].images.gallery';

function compactOption({ truncated_fields, ...option }: Option): Option {
  const cut = truncated_fields?.filter((path) => path !== 'images.gallery') ?? [];
  return {
    ...option,
    ...(cut.length > 0 ? { truncated_fields: cut } : {}),
    cancellation: withoutNulls(option.cancellation, ['refundable', 'free_cancellation_until_local']),
    images: { ...option.images, gallery: [] },
    availability: withoutNulls(option.availability, ['confirmation_hours']),
    quote: withoutNulls(option.quote, ['deposit', 'due_on_site']),
  };
}

/** Only optional members of the contract can be left out. */
type OptionalKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

function withoutNulls<T extends object>(object: T, additions: readonly OptionalKey<T>[]): T {
  const kept = { ...object };
  for (const name of additions) if (kept[name] === null) delete kept[name];
  return kept;
}

const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['href', 'url', 'url_template']);

/** Adds the view to every address. */
function inCompactView<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(inCompactView) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    ADDRESS_MEMBERS.has(name) ? `${member}&view=compact` : inCompactView(member),
  ]);
  return Object.fromEntries(entries);
}

/** The fields of a search, in the order in which they are asked. */
export const PAYLOAD_FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
] as const;
export type PayloadField = (typeof PAYLOAD_FIELDS)[number];

/** The optional field of the refine step. */
export const AMENITIES_FIELD = 'amenities';
export const SEARCH_FIELDS = [...PAYLOAD_FIELDS, AMENITIES_FIELD] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export function isPayloadField(name: string): name is PayloadField {
  return (PAYLOAD_FIELDS as readonly string[]).includes(name);
}

/** A field and the one that must be set before it has values. `destination` is free of `brand_locked` on a direct session. */
export const PREREQUISITES: Readonly<Partial<Record<PayloadField, PayloadField>>> = {
  destination: 'brand_locked',
  check_in_day: 'check_in_month',
  check_out: 'check_in_day',
};

export type FieldDescription = {
  readonly required: string;
  readonly type: string;
  readonly format: string;
  readonly accepts: string;
  readonly meaning: string;
};

export const FIELD_DESCRIPTIONS: Readonly<Record<SearchField, FieldDescription>> = {
  brand_locked: {
    required: 'Only on a sourced session.',
    type: 'boolean',
    format: 'true or false',
    accepts: 'A JSON boolean, or the text true or false.',
    meaning:
      'Whether the search stays with the brand of the entry source or opens to every brand on the network.',
  },
  destination: {
    required: 'Yes, except on a single-location storefront.',
    type: 'string',
    format: 'Place identifier, [a-z0-9-], such as lisbon-pt. Cities, regions and countries.',
    accepts: 'A place identifier, or the name of exactly one offered place whatever its case or accents.',
    meaning: 'Where to stay.',
  },
  check_in_month: {
    required: 'Yes.',
    type: 'string',
    format: 'YYYY-MM',
    accepts: 'A month as text.',
    meaning: 'The month of arrival.',
  },
  check_in_day: {
    required: 'Yes.',
    type: 'string',
    format: 'YYYY-MM-DD, a local date of the property.',
    accepts: 'A date as text.',
    meaning: 'The day of arrival.',
  },
  check_out: {
    required: 'Yes.',
    type: 'string',
    format: 'YYYY-MM-DD, a local date of the property.',
    accepts: 'A date as text.',
    meaning: 'The day of departure.',
  },
  guests: {
    required: 'Yes.',
    type: 'string',
    format: 'A whole number as text, such as 2.',
    accepts: 'A whole number, or its text.',
    meaning: 'How many people stay. The price is for all of them.',
  },
  amenities: {
    required: 'No. It narrows a result that is complete.',
    type: 'string',
    format: 'Amenity key, [a-z0-9_-].',
    accepts: 'One amenity key as text, or an array with one.',
    meaning: 'An amenity that every option must have. Filters add up, one a request.',
  },
};

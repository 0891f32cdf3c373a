import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { CLOSED, Text } from './vocabulary.ts';

export const AmenityOffer = Type.Object(
  {
    value: Text('Amenity key.'),
    match_count: Type.Integer({ description: 'How many matches have it.' }),
    of: Type.Integer({ description: 'How many matches there are.' }),
  },
  CLOSED,
);
export type AmenityOffer = Readonly<Static<typeof AmenityOffer>>;

/**
 * The fields of a search in the order in which they are asked for. Every list of fields is derived from this table. The
 * behaviour of each field is in `search/fields/`, where a missing entry does not compile.
 */
const table = {
  brand_locked: {
    step: 'search',
    dependsOn: null,
    absentOn: 'direct',
    whereAbsent:
      'A session without a source searches every brand. For one brand, open a session with ?source= and the brand.',
    setBy: null,
    alsoCalled: ['brand', 'brand_only', 'locked', 'this_brand'],
    request: Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])]),
    received: Type.Boolean({ description: 'Whether the search stays with that brand.' }),
    offered: Type.Array(
      Type.Object(
        {
          value: Type.Boolean({ description: 'true: the brand of the entry; false: every brand.' }),
          description: Text('When this value applies.'),
        },
        CLOSED,
      ),
      { description: 'Which brands can be searched.' },
    ),
    description: {
      required: 'Only on a sourced session.',
      type: 'boolean',
      format: 'true or false',
      accepts: 'A JSON boolean, or the text true or false.',
      meaning:
        'Whether the search stays with the brand of the entry source or opens to every brand on the network.',
    },
  },
  destination: {
    step: 'search',
    dependsOn: 'brand_locked',
    absentOn: 'single_location',
    whereAbsent:
      'The brand of this session has one location. Open a session without a source to search elsewhere.',
    setBy: null,
    alsoCalled: ['place', 'city', 'location', 'where', 'country', 'region', 'town'],
    request: Type.String(),
    received: Text('Place identifier.'),
    offered: Type.Array(Type.String(), { description: 'Place identifiers, most stock first.' }),
    description: {
      required: 'Yes, except on a single-location storefront.',
      type: 'string',
      format: 'Place identifier, [a-z0-9-], such as lisbon-pt. Cities, regions and countries.',
      accepts:
        'A place identifier, or a name or alias of exactly one offered place, whatever its case or accents, also with its region or country: Lisbon, Portugal.',
      dependency: 'brand_locked, on a sourced session only.',
      meaning: 'Where to stay.',
    },
  },
  check_in_month: {
    step: 'search',
    dependsOn: null,
    absentOn: null,
    whereAbsent: null,
    setBy: 'check_in_day',
    alsoCalled: ['month', 'arrival_month', 'checkin_month'],
    request: Type.String(),
    received: Text('Month of arrival, YYYY-MM.'),
    offered: Type.Array(Type.String(), { description: 'Months, YYYY-MM.' }),
    description: {
      required: 'Yes.',
      type: 'string',
      format: 'YYYY-MM',
      accepts: 'A month as text; 2027-5 is read as 2027-05.',
      meaning: 'The month of arrival.',
    },
  },
  check_in_day: {
    step: 'search',
    dependsOn: 'check_in_month',
    absentOn: null,
    whereAbsent: null,
    setBy: null,
    alsoCalled: [
      'check_in',
      'checkin',
      'check_in_date',
      'checkin_date',
      'arrival',
      'arrival_date',
      'start_date',
      'from',
    ],
    request: Type.String(),
    received: Text('Day of arrival, YYYY-MM-DD.'),
    offered: Type.Array(Type.String(), { description: 'Dates, YYYY-MM-DD.' }),
    description: {
      required: 'Yes.',
      type: 'string',
      format: 'YYYY-MM-DD, a local date of the property.',
      accepts: 'A date as text; 2027-5-8 is read as 2027-05-08. It sets check_in_month as well.',
      dependency: 'check_in_month, which a day sets too.',
      meaning: 'The day of arrival.',
    },
  },
  check_out: {
    step: 'search',
    dependsOn: 'check_in_day',
    absentOn: null,
    whereAbsent: null,
    setBy: null,
    alsoCalled: [
      'checkout',
      'check_out_date',
      'check_out_day',
      'checkout_date',
      'departure',
      'departure_date',
      'end_date',
      'to',
      'until',
    ],
    request: Type.String(),
    received: Text('Day of departure, YYYY-MM-DD.'),
    offered: Type.Array(Type.String(), { description: 'Dates, YYYY-MM-DD.' }),
    description: {
      required: 'Yes.',
      type: 'string',
      format: 'YYYY-MM-DD, a local date of the property.',
      accepts:
        'A date as text; 2027-5-8 is read as 2027-05-08. A request may give nights in its place, such as nights=7: it counts from check_in_day, which comes with it or before.',
      dependency: 'check_in_day.',
      meaning: 'The day of departure.',
    },
  },
  guests: {
    step: 'search',
    dependsOn: null,
    absentOn: null,
    whereAbsent: null,
    setBy: null,
    alsoCalled: [
      'adults',
      'people',
      'persons',
      'party',
      'party_size',
      'guest_count',
      'num_guests',
      'travellers',
      'travelers',
      'occupancy',
      'pax',
      'children',
      'kids',
      'infants',
      'babies',
    ],
    request: Type.Union([Type.Integer(), Type.String()]),
    received: Text('People who stay, as text.'),
    offered: Type.Array(Type.String(), { description: 'Whole numbers as text.' }),
    description: {
      required: 'Yes.',
      type: 'string',
      format: 'A whole number as text, such as 2.',
      accepts: 'A whole number from 1 on, or its text.',
      hint: 'Every person counts, children and infants too.',
      meaning:
        'How many people stay: every person counts, children and infants too. The price is for all of them.',
    },
  },
  /** The optional field of the refine step, which follows a complete result. */
  amenities: {
    step: 'refine',
    dependsOn: null,
    absentOn: null,
    whereAbsent: null,
    setBy: null,
    alsoCalled: ['amenity', 'filter', 'filters', 'features', 'facilities'],
    request: Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 1 })]),
    received: Type.Array(Type.String(), { description: 'Amenities applied to the result.' }),
    offered: Type.Array(AmenityOffer, {
      description: 'Amenities that some of the matches have and others do not.',
    }),
    description: {
      required: 'No. It narrows a result that is complete, or is about to be.',
      type: 'string',
      format: 'Amenity key, [a-z0-9_-].',
      accepts:
        'One amenity as text, or an array with one: its key, its label or a common word for it. Of several the first that narrows the set is applied. An empty array (or an empty text) takes all filters off, before others in a list too.',
      dependency: 'A complete result, or the last fields in the same request.',
      hint: 'Optional: it narrows the result. The last of available_requests returns the result as it is.',
      meaning: 'An amenity that every option must have. Filters add up, one a request.',
    },
  },
} as const satisfies Record<string, FieldEntry>;

/** What a request may give in place of `check_out`: how long the stay is. It is no field: no step asks for it or shows it. */
export const NIGHTS = 'nights';

type FieldEntry = {
  readonly step: 'search' | 'refine';
  /** The field that must be set before this one has values. */
  readonly dependsOn: string | null;
  /** The kind of session that does not ask for this field. */
  readonly absentOn: 'direct' | 'single_location' | null;
  /** Message for a caller that supplies it to such a session. */
  readonly whereAbsent: string | null;
  /** The field whose value sets this one too. */
  readonly setBy: string | null;
  /** Names that callers use for it by mistake, for a hint. None of them is accepted. */
  readonly alsoCalled: readonly string[];
  /** What a request may carry. */
  readonly request: TSchema;
  /** An accepted value as it is stored and shown. */
  readonly received: TSchema;
  readonly offered: TSchema;
  readonly description: FieldDescription;
};

export type FieldDescription = {
  readonly required: string;
  readonly type: string;
  readonly format: string;
  readonly accepts: string;
  /** What must be there before it, in words; absent where it stands alone. */
  readonly dependency?: string;
  /** Shown in the step while the field is open. */
  readonly hint?: string;
  readonly meaning: string;
};

type Table = typeof table;
export type SearchField = keyof Table;
export type PayloadField = {
  [Field in SearchField]: Table[Field]['step'] extends 'search' ? Field : never;
}[SearchField];

export const FIELDS: Readonly<Record<SearchField, FieldEntry & { readonly dependsOn: PayloadField | null }>> =
  table;
export const SEARCH_FIELDS = Object.keys(table) as readonly SearchField[];
export const PAYLOAD_FIELDS: readonly PayloadField[] = SEARCH_FIELDS.filter(isPayloadField);

/** The kinds of session that do not ask for every field. */
export type SessionKind = Exclude<(typeof FIELDS)[PayloadField]['absentOn'], null>;

/** The fields that a session asks for, in order. */
export function fieldOrder(kinds: readonly SessionKind[]): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter((field) => {
    const { absentOn } = FIELDS[field];
    return absentOn === null || !kinds.includes(absentOn);
  });
}

/** The accepted values of a search. */
export type Payload = { readonly [Field in PayloadField]?: Static<Table[Field]['received']> };

export function isPayloadField(name: string): name is PayloadField {
  return Object.hasOwn(table, name) && FIELDS[name as SearchField].step === 'search';
}

/** The schemas of all fields as optional members of an object. */
export function membersFor<Part extends 'request' | 'received' | 'offered'>(part: Part) {
  return Object.fromEntries(
    SEARCH_FIELDS.map((field) => [field, Type.Optional(table[field][part])]),
  ) as unknown as { [Field in SearchField]: TOptional<Table[Field][Part]> };
}

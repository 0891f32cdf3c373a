import { csvCell } from '../../parsing/csv.ts';
import type { BrandId, Property } from '../catalogue.ts';
import { escapedText } from './rejected-value.ts';
import { REJECTION_RULES, type RejectionRule } from './rejection-rules.ts';

/** A fault of a part of a listing or a calendar, for its operator to correct. */
export type RejectionFault = {
  readonly rule: RejectionRule;
  /** Completes the sentence "<field> …". It is logged, so it quotes only numbers, dates and values with a fixed pattern, never free text. */
  readonly reason: string;
  /** The value found, made safe by `shownValue`; left out for a missing member. Never logged. */
  readonly value?: string;
};

export type Rejection = RejectionFault & {
  readonly reference: string;
  /** The path of the member within the listing, such as `images/0/url`; empty for the listing as a whole. */
  readonly field: string;
  /** The home is still on offer: without this part, or as another listing describes it. */
  readonly repaired?: true;
};

/** How often each rule applied: `refused` cost a home, `repaired` a part of one. */
type RejectionCounts = Readonly<
  Partial<Record<RejectionRule, { readonly refused: number; readonly repaired: number }>>
>;

/** The accepted listings, and the rejections with reasons: a bad listing does not affect the others. */
export type CatalogueReading = {
  readonly properties: readonly Property[];
  readonly rejections: readonly Rejection[];
  /** The number of rejected listings beyond those in `rejections`; left out when it lists all. */
  readonly notListed?: number;
  /** Per rule, of all rejections, listed or not; left out when `rejections` lists all. */
  readonly counts?: RejectionCounts;
  /** Words without an entry in the vocabulary of amenities; they are not shown. */
  readonly unmappedAmenities?: readonly UnmappedAmenity[];
};

/** A word of the booking system, made safe by `shownText`, and the number of listings with it. */
export type UnmappedAmenity = { readonly amenity: string; readonly listings: number };

/** Enough for a diagnosis; an operator can cause any number. */
const MAX_LISTED = 1000;
const MAX_REASON_LENGTH = 300;

/** Collects rejections: the first thousand in full, counts per rule of all, and the number of rejected homes among the others. */
export type RejectionReport = {
  /** `counts` covers `rejections` and those not listed; without it, `rejections` are counted. */
  add(rejections: Iterable<Rejection>, notListed?: number, counts?: RejectionCounts): void;
  all(): Required<Pick<CatalogueReading, 'rejections' | 'notListed' | 'counts'>>;
};

export function createRejectionReport(): RejectionReport {
  const listed: Rejection[] = [];
  const counts = new Map<RejectionRule, { refused: number; repaired: number }>();
  let notListed = 0;

  function count(rule: RejectionRule, refused: number, repaired: number): void {
    const known = counts.get(rule) ?? { refused: 0, repaired: 0 };
    known.refused += refused;
    known.repaired += repaired;
    counts.set(rule, known);
  }

  return {
    add(rejections, notListedThere = 0, countsThere) {
      notListed += notListedThere;
      for (const [rule, { refused, repaired }] of entriesOf(countsThere)) count(rule, refused, repaired);
      for (const rejection of rejections) {
        const { rule, repaired = false } = rejection;
        if (!countsThere) count(rule, repaired ? 0 : 1, repaired ? 1 : 0);
        if (listed.length < MAX_LISTED) listed.push(printable(rejection));
        else if (!repaired) notListed += 1;
      }
    },
    all: () => ({
      rejections: listed,
      notListed,
      counts: Object.fromEntries(Array.from(counts, ([rule, known]) => [rule, { ...known }])),
    }),
  };
}

function entriesOf(counts: RejectionCounts = {}) {
  return Object.entries(counts) as [RejectionRule, { readonly refused: number; readonly repaired: number }][];
}

/** Makes paths and references safe, which connectors may build from operator data. Values are already safe. */
function printable(rejection: Rejection): Rejection {
  const { reference, field, reason } = rejection;
  return {
    ...rejection,
    reference: shortened(escapedText(reference)),
    field: shortened(escapedText(field)),
    reason: shortened(reason),
  };
}

function shortened(text: string): string {
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1)}…` : text;
}

const COLUMNS = ['brand', 'reference', 'place', 'rule', 'value', 'reason', 'remedy', 'repaired'] as const;

/** The rejections of brands as CSV (RFC 4180): a header, then a row for each rejection and each unmapped amenity. */
export function rejectionsCsv(
  reports: readonly (Pick<CatalogueReading, 'rejections' | 'unmappedAmenities'> & {
    readonly brand: BrandId;
  })[],
): string {
  const rows = reports.flatMap(({ brand, rejections, unmappedAmenities = [] }) => [
    ...rejections.map((rejection) => rowOf(brand, rejection)),
    ...unmappedAmenities.map(({ amenity, listings }) =>
      rowOf(brand, {
        reference: '',
        field: 'amenities',
        rule: 'unknown_amenity',
        value: amenity,
        reason: `is in ${listings} ${listings === 1 ? 'listing' : 'listings'} and not in the vocabulary`,
        repaired: true,
      }),
    ),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function rowOf(brand: BrandId, rejection: Rejection): readonly string[] {
  const { reference, field, rule, value = '', reason, repaired } = rejection;
  const { remedy } = REJECTION_RULES[rule];
  return [
    brand,
    reference,
    field === '' ? 'listing' : field,
    rule,
    value,
    reason,
    remedy,
    String(repaired ?? false),
  ];
}

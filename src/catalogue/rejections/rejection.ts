import { csvCell } from '../../parsing/csv.ts';
import type { BrandId, Property } from '../catalogue.ts';
import { escapedText } from './rejected-value.ts';
import { REJECTION_RULES, type RejectionRule } from './rejection-rules.ts';

/** What is wrong with a part of a listing or a calendar, for its operator to correct. */
export type RejectionFault = {
  readonly rule: RejectionRule;
  /** Completes the sentence "<field> …". It is logged, so it quotes numbers, dates and what has a fixed pattern, never free text. */
  readonly reason: string;
  /** What was found, made safe by `shownValue`; left out when a member is missing. Never logged. */
  readonly value?: string;
};

export type Rejection = RejectionFault & {
  readonly reference: string;
  /** The path of the member within the listing, such as `images/0/url`; empty for the listing as a whole. */
  readonly field: string;
  /** The home is on offer all the same: without this part, or as another listing describes it. */
  readonly repaired?: true;
};

/** How often each rule held something back: `refused` cost a home, `repaired` a part of one. */
type RejectionCounts = Readonly<
  Partial<Record<RejectionRule, { readonly refused: number; readonly repaired: number }>>
>;

/** What could be read, and what was held back with the reason: a bad listing does not affect the others. */
export type CatalogueReading = {
  readonly properties: readonly Property[];
  readonly rejections: readonly Rejection[];
  /** How many more listings were held back than `rejections` lists; left out when it lists all. */
  readonly notListed?: number;
  /** By rule, of all that was held back, listed or not; left out when `rejections` lists all. */
  readonly counts?: RejectionCounts;
  /** What the one vocabulary of amenities has no word for; it is not shown. */
  readonly unmappedAmenities?: readonly UnmappedAmenity[];
};

/** A word of the booking system, made safe by `shownText`, and in how many listings it was found. */
export type UnmappedAmenity = { readonly amenity: string; readonly listings: number };

/** Enough to see what is wrong; an operator decides how many there are. */
const MAX_LISTED = 1000;
const MAX_REASON_LENGTH = 300;

/** Collects what was held back: the first thousand in full, of all how many by rule, of the others how many homes are not on offer. */
export type RejectionReport = {
  /** `counts` is of `rejections` and of what it does not list; without it, what `rejections` lists is counted. */
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
      for (const held of rejections) {
        const { rule, repaired = false } = held;
        if (!countsThere) count(rule, repaired ? 0 : 1, repaired ? 1 : 0);
        if (listed.length < MAX_LISTED) listed.push(printable(held));
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

/** A connector may build a path or a reference from what it was sent. The value is made safe where it is found. */
function printable(held: Rejection): Rejection {
  const { reference, field, reason } = held;
  return {
    ...held,
    reference: shortened(escapedText(reference)),
    field: shortened(escapedText(field)),
    reason: shortened(reason),
  };
}

function shortened(text: string): string {
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1)}…` : text;
}

const COLUMNS = ['brand', 'reference', 'place', 'rule', 'value', 'reason', 'remedy', 'repaired'] as const;

/** What is held back of a brand as a table for spreadsheets (RFC 4180): a header, then a row for each part and each unmapped amenity. */
export function rejectionsCsv(
  reports: readonly (Pick<CatalogueReading, 'rejections' | 'unmappedAmenities'> & {
    readonly brand: BrandId;
  })[],
): string {
  const rows = reports.flatMap(({ brand, rejections, unmappedAmenities = [] }) => [
    ...rejections.map((held) => rowOf(brand, held)),
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

function rowOf(brand: BrandId, held: Rejection): readonly string[] {
  const { reference, field, rule, value = '', reason, repaired } = held;
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

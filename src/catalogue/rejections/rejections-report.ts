import { escapedText } from './rejected-value.ts';
import type { CatalogueReading, Rejection, RejectionCounts } from './rejection.ts';
import type { RejectionRule } from './rejection-rules.ts';

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

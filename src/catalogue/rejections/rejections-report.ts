import { escapedText } from './rejected-value.ts';
import type { CatalogueReading, HeldBack, HeldBackCounts } from './rejection.ts';
import type { HeldBackRule } from './rejection-rules.ts';

/** Enough to see what is wrong; an operator decides how many there are. */
const MAX_LISTED = 1000;
const MAX_REASON_LENGTH = 300;

/** Collects what was held back: the first thousand in full, of all how many by rule, of the others how many homes are not on offer. */
export type HeldBackReport = {
  /** `counts` is of `heldBack` and of what it does not list; without it, what `heldBack` lists is counted. */
  add(heldBack: Iterable<HeldBack>, notListed?: number, counts?: HeldBackCounts): void;
  all(): Required<Pick<CatalogueReading, 'heldBack' | 'notListed' | 'counts'>>;
};

export function createHeldBackReport(): HeldBackReport {
  const listed: HeldBack[] = [];
  const counts = new Map<HeldBackRule, { refused: number; repaired: number }>();
  let notListed = 0;

  function count(rule: HeldBackRule, refused: number, repaired: number): void {
    const known = counts.get(rule) ?? { refused: 0, repaired: 0 };
    known.refused += refused;
    known.repaired += repaired;
    counts.set(rule, known);
  }

  return {
    add(heldBack, notListedThere = 0, countsThere) {
      notListed += notListedThere;
      for (const [rule, { refused, repaired }] of entriesOf(countsThere)) count(rule, refused, repaired);
      for (const held of heldBack) {
        const { rule, repaired = false } = held;
        if (!countsThere) count(rule, repaired ? 0 : 1, repaired ? 1 : 0);
        if (listed.length < MAX_LISTED) listed.push(printable(held));
        else if (!repaired) notListed += 1;
      }
    },
    all: () => ({
      heldBack: listed,
      notListed,
      counts: Object.fromEntries(Array.from(counts, ([rule, known]) => [rule, { ...known }])),
    }),
  };
}

function entriesOf(counts: HeldBackCounts = {}) {
  return Object.entries(counts) as [HeldBackRule, { readonly refused: number; readonly repaired: number }][];
}

/** A connector may build a path or a reference from what it was sent. The value is made safe where it is found. */
function printable(held: HeldBack): HeldBack {
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

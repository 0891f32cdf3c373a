import type { CatalogueReading, HeldBack } from './booking-system.ts';

/** Enough to see what is wrong; an operator decides how many there are. */
const MAX_LISTED = 1000;
const MAX_REASON_LENGTH = 300;

/** Collects what was held back: the first thousand in full, of the others how many listings are not on offer. */
export type HeldBackReport = {
  add(heldBack: Iterable<HeldBack>, notListed?: number): void;
  all(): Required<Pick<CatalogueReading, 'heldBack' | 'notListed'>>;
};

export function createHeldBackReport(): HeldBackReport {
  const listed: HeldBack[] = [];
  let notListed = 0;
  return {
    add(heldBack, notListedThere = 0) {
      notListed += notListedThere;
      for (const held of heldBack) {
        const { field, reason, repaired = false } = held;
        if (listed.length < MAX_LISTED)
          listed.push({ ...held, field: shortened(field), reason: shortened(reason) });
        else if (!repaired) notListed += 1;
      }
    },
    all: () => ({ heldBack: listed, notListed }),
  };
}

function shortened(text: string): string {
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1)}…` : text;
}

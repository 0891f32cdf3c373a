import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import { ownText } from '../../parsing/owned-memory.ts';

/** A row that was held back, or a part of one. */
export type ImportFault = PlacedFault & {
  readonly file: string;
  readonly line: number;
  /** The home; null when the row does not name one. */
  readonly reference: string | null;
};

/** Enough to see what is wrong; the others are counted. */
const MAX_LISTED = 1000;

export type ImportReport = {
  add(fault: ImportFault): void;
  /** The first thousand, in the order in which they were found. */
  listed(): readonly ImportFault[];
  /** Of all that was held back, listed or not. */
  counts(): Readonly<Partial<Record<RejectionRule, number>>>;
};

export function createImportReport(): ImportReport {
  const listed: ImportFault[] = [];
  const counts: Partial<Record<RejectionRule, number>> = {};
  return {
    add(fault) {
      counts[fault.rule] = (counts[fault.rule] ?? 0) + 1;
      if (listed.length < MAX_LISTED) listed.push(withOwnTexts(fault));
    },
    listed: () => listed,
    counts: () => counts,
  };
}

/** What of a fault is text of the file, without the file. */
export function withOwnTexts<Fault extends PlacedFault & Partial<Pick<ImportFault, 'reference'>>>(
  fault: Fault,
): Fault {
  const { reason, value, reference } = fault;
  return {
    ...fault,
    reason: ownText(reason),
    ...(value === undefined ? {} : { value: ownText(value) }),
    ...(typeof reference === 'string' ? { reference: ownText(reference) } : {}),
  };
}

/** `listings.csv.gz:12: date must be a day, YYYY-MM-DD: tomorrow` */
export function describeImportFault({ file, line, field, reason, value }: ImportFault): string {
  const place = `${file}:${line}: ${field === '' ? '' : `${field} `}${reason}`;
  // Where it is short and harmless the reason has named it already.
  return value === undefined || reason.startsWith(`is ${value},`)
    ? place
    : `${place}: ${value === '' ? '(empty)' : value}`;
}

import type { UnmappedAmenity } from '../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import type { ImportFault } from './import-report.ts';

export type ImportProgress = { readonly bytesRead: number; readonly totalBytes: number };

/** What every import is told besides its files. */
export type ImportOptions = {
  /** Where the homes are written, in the plain format. It is there whole or not at all. */
  readonly output: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import; nothing is written. */
  readonly signal?: AbortSignal;
};

export type ImportSummary = {
  readonly properties: number;
  /** Homes with a calendar. */
  readonly calendars: number;
  /** Rows or periods that were taken. */
  readonly calendarRows: number;
  /** The first thousand; `rejectionCounts` counts all. */
  readonly rejections: readonly ImportFault[];
  readonly rejectionCounts: Readonly<Partial<Record<RejectionRule, number>>>;
  readonly unmappedAmenities: readonly UnmappedAmenity[];
  readonly milliseconds: number;
};

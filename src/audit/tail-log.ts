import { type AuditFile, auditFilesIn } from './audit-files.ts';
import type { ChainedRecord } from './chained-line.ts';
import { readLinesFrom } from './scan-file.ts';

export type RecordFilter = (record: ChainedRecord) => boolean;

export type LogTail = {
  /** Oldest first. */
  readonly records: readonly ChainedRecord[];
  /** Lines that are not records, among those that were read. */
  readonly unreadable: number;
  /** Where the next record will be; null where there is no log. */
  readonly place: LogPlace | null;
};

export type LogPlace = { readonly file: AuditFile; readonly position: number };

/** The last records that are wanted. Files are read from the newest to the oldest, and only as many as it takes. */
export async function lastRecords(
  directory: string,
  count: number,
  isWanted: RecordFilter,
): Promise<LogTail> {
  let records: ChainedRecord[] = [];
  let unreadable = 0;
  let place: LogPlace | null = null;
  for (const file of auditFilesIn(directory).toReversed()) {
    let found: ChainedRecord[] = [];
    const position = await readLinesFrom(file.path, 0, (record) => {
      if (!record) unreadable += 1;
      else if (isWanted(record)) found.push(record);
      // Now and then, because to shift each time costs more.
      if (found.length > 2 * count) found = found.slice(-count);
    });
    place ??= { file, position };
    records = [...found, ...records].slice(-count);
    if (records.length >= count) break;
  }
  return { records, unreadable, place };
}

/** What was written since, also into files that came after. Returns where to go on. */
export async function recordsSince(
  directory: string,
  place: LogPlace | null,
  onRecord: (record: ChainedRecord) => void,
): Promise<LogPlace | null> {
  const hand = (record: ChainedRecord | undefined) => {
    if (record) onRecord(record);
  };
  const files = auditFilesIn(directory).filter(({ number }) => !place || number >= place.file.number);
  let next = place;
  for (const file of files) {
    const start = next?.file.name === file.name ? next.position : 0;
    next = { file, position: await readLinesFrom(file.path, start, hand) };
  }
  return next;
}

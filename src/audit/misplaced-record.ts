import { type AuditFile, numberOfFile } from './audit-files.ts';
import type { ClosedFile } from './audit-record.ts';
import type { ChainedRecord } from './chained-line.ts';

export type PlaceOfRecord = {
  readonly file: AuditFile;
  readonly line: number;
  /** Of all files that are there. */
  readonly oldest: AuditFile;
  /** How an earlier file ended; undefined where it is gone. */
  readonly endOf: (file: string) => ClosedFile | undefined;
};

/** What the log writes about itself stands in its place and says what can be. Whoever writes lines of their own may not know that. */
export function isMisplaced(record: ChainedRecord, place: PlaceOfRecord): boolean {
  if (record.kind === 'anchor') return place.line !== 1;
  return record.kind === 'pruned' && !couldBeDeleted(record.files, place);
}

/**
 * Files are deleted from the oldest on, never the one that is being written. One that a crash has left there, between the record and its
 * deletion, ended as the record says.
 */
function couldBeDeleted(deleted: unknown, { file, oldest, endOf }: PlaceOfRecord): boolean {
  if (!Array.isArray(deleted) || deleted.length === 0) return false;
  const numbers = deleted.map((one) => numberOfFile(String(one?.file)) ?? Number.NaN);
  const [first = Number.NaN] = numbers;
  return (
    first <= oldest.number &&
    numbers.every((number, position) => number === first + position && number < file.number) &&
    deleted.every((one: ClosedFile) => {
      const end = endOf(one.file);
      return !end || (end.hash === one.hash && end.records === one.records);
    })
  );
}

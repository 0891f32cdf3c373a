import {
  type AnchorRecord,
  type AuditFile,
  auditFilesIn,
  isFirstFile,
  type LineFault,
  numberOfFile,
  type ScannedFile,
  scanFile,
  tornEndOf,
} from './audit-files.ts';
import type { ClosedFile } from './audit-record.ts';
import { type ChainEnd, type ChainedRecord, NEW_CHAIN } from './audit-record.ts';

export type LogFault =
  | FaultInFile
  /** A hash that was kept elsewhere is not in the log. */
  | { readonly kind: 'unknown_anchor'; readonly anchor: string };

type FaultInFile = {
  readonly kind:
    | LineFault
    /** The file after it knows of more records. */
    | 'cut_off'
    /** The first record does not say what follows from the file before. */
    | 'wrong_anchor'
    /** It is about the log itself, and stands where the log does not write such a record, or says what cannot be. */
    | 'misplaced'
    /** The file before it is gone, and no record says that it was deleted because of its age or size. */
    | 'missing_before';
  readonly file: string;
  readonly line: number;
};

export type VerifiedLog = {
  /** The first one; null for a log that is as it was written. */
  readonly fault: LogFault | null;
  readonly files: number;
  readonly records: number;
  /** When the first and the last record were written, as they say. */
  readonly from: string | null;
  readonly until: string | null;
  /** Of the last record: to be kept elsewhere, and given as an anchor later. */
  readonly hash: string | null;
  /** Records that the service says it could not write. */
  readonly lost: number;
  /** Files that a crash left with a torn end, as the file after each of them says. */
  readonly torn: readonly { readonly file: string; readonly bytes: number }[];
};

type ReadFile = { readonly file: AuditFile; readonly scanned: ScannedFile; readonly end: ChainEnd };

/** Reads every file once, from the oldest to the newest, and stops at the first fault. */
export async function verifyLog({
  directory,
  anchors = [],
  pause,
  signal,
}: {
  readonly directory: string;
  /** Hashes that were kept elsewhere. */
  readonly anchors?: readonly string[];
  /** Before an end that is not whole is read again: a service may be writing it just now. */
  readonly pause: () => Promise<void>;
  readonly signal?: AbortSignal;
}): Promise<VerifiedLog> {
  const files = auditFilesIn(directory);
  const sums = summing(anchors);
  const ends = new Map<string, ClosedFile>();
  let before: ReadFile | null = null;
  for (const [position, file] of files.entries()) {
    signal?.throwIfAborted();
    const isLast = position === files.length - 1;
    let line = 0;
    let misplaced: FaultInFile | null = null;
    const take = (record: ChainedRecord) => {
      line += 1;
      if (isMisplaced(record, { file, line, oldest: files[0] ?? file, endOf: (name) => ends.get(name) }))
        misplaced ??= { kind: 'misplaced', file: file.name, line };
      if (!misplaced) sums.take(record);
    };
    const read = await readWhole(file, isLast, take, pause);
    if (!read) return report({ kind: 'changed', file: file.name, line: 1 });
    const fault = (await anchorFault(read, before)) ?? misplaced ?? (isLast ? lineFault(read) : null);
    if (fault) return report(fault);
    ends.set(file.name, { file: file.name, hash: read.end.hash, records: read.scanned.records });
    before = read;
  }
  const [first] = files;
  if (first && sums.isFileMissing()) return report({ kind: 'missing_before', file: first.name, line: 1 });
  const unknown = sums.unknownAnchor();
  return report(unknown === undefined ? null : { kind: 'unknown_anchor', anchor: unknown });

  async function anchorFault(read: ReadFile, earlier: ReadFile | null): Promise<FaultInFile | null> {
    const { file, scanned } = read;
    const anchor = scanned.anchor as AnchorRecord;
    const wrong = { kind: 'wrong_anchor', file: file.name, line: 1 } as const;
    if (anchor.file !== file.name) return wrong;
    if (!earlier) return isBeginning(file, anchor) ? null : wrong;
    if (anchor.before?.file !== earlier.file.name) return { ...wrong, kind: 'missing_before' };
    const { records, torn: told, damaged } = anchor.before;
    if (damaged !== undefined) {
      return lineFault(earlier) ?? { kind: 'changed', file: earlier.file.name, line: damaged };
    }
    if (records > earlier.scanned.records && !earlier.scanned.fault) {
      return { kind: 'cut_off', file: earlier.file.name, line: earlier.scanned.records + 1 };
    }
    const found = told && (await tornEndOf(earlier.file.path, earlier.scanned));
    if (found?.bytes !== told?.bytes || found?.sha256 !== told?.sha256) return lineFault(earlier) ?? wrong;
    if (!told && earlier.scanned.fault) return lineFault(earlier);
    if (told) sums.tornEnd(earlier.file.name, told.bytes);
    const { hash, next } = earlier.end;
    const isNext = anchor.prev === hash && anchor.seq === next;
    return isNext && anchor.before.hash === hash && records === earlier.scanned.records ? null : wrong;
  }

  function report(fault: LogFault | null): VerifiedLog {
    return { fault, files: files.length, ...sums.values() };
  }
}

/** The file as it is, and for the newest a second time when it ends in the middle of a line; null when it holds no record. */
async function readWhole(
  file: AuditFile,
  isLast: boolean,
  take: (record: ChainedRecord) => void,
  pause: () => Promise<void>,
): Promise<ReadFile | null> {
  let scanned = await scanFile(file.path, take);
  if (isLast && scanned.fault?.kind === 'unfinished') {
    await pause();
    let known = scanned.records;
    scanned = await scanFile(file.path, (record) => {
      known -= 1;
      if (known < 0) take(record);
    });
  }
  const { end } = scanned;
  return end && { file, scanned, end };
}

/** Of the oldest file that is there: it begins the log, or says what the file before it ended with. */
function isBeginning(file: AuditFile, { prev, seq, before }: AnchorRecord): boolean {
  if (before) return before.hash === prev;
  return isFirstFile(file) && prev === NEW_CHAIN.hash && seq === NEW_CHAIN.next;
}

function lineFault({ file, scanned: { fault } }: ReadFile): FaultInFile | null {
  return fault && { ...fault, file: file.name };
}

/** What the records of a log say all together. */
function summing(anchors: readonly string[]) {
  /** Found only as the hash of a record that is there: whoever rewrites the log can let any record name any hash. */
  const wanted = new Set(anchors);
  const torn: { readonly file: string; readonly bytes: number }[] = [];
  let [records, lost] = [0, 0];
  let from: string | null = null;
  let until: string | null = null;
  let last: string | null = null;
  /** The file before the first that is there, until a record tells that it was deleted. */
  let missing: ClosedFile | null = null;

  return {
    take(record: ChainedRecord): void {
      records += 1;
      from ??= record.at;
      until = record.at;
      last = record.hash;
      wanted.delete(record.hash);
      if (record.kind === 'lost') lost += record.records;
      if (record.kind === 'anchor' && record.before && records === 1) missing = record.before;
      if (record.kind !== 'pruned') return;
      for (const { file, hash } of record.files) {
        if (missing?.file === file && missing.hash === hash) missing = null;
      }
    },
    tornEnd: (file: string, bytes: number) => void torn.push({ file, bytes }),
    isFileMissing: () => missing !== null,
    unknownAnchor: () => [...wanted][0],
    values: () => ({ records, lost, from, until, hash: last, torn }),
  };
}

type PlaceOfRecord = {
  readonly file: AuditFile;
  readonly line: number;
  /** Of all files that are there. */
  readonly oldest: AuditFile;
  /** How an earlier file ended; undefined where it is gone. */
  readonly endOf: (file: string) => ClosedFile | undefined;
};

/** What the log writes about itself stands in its place and says what can be. Whoever writes lines of their own may not know that. */
function isMisplaced(record: ChainedRecord, place: PlaceOfRecord): boolean {
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

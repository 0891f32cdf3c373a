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
import { type ChainEnd, type ChainedRecord, type ClosedFile, NEW_CHAIN } from './audit-record.ts';

export type LogFault =
  | FaultInFile
  /** A hash that the owner has stored elsewhere is not in the log. */
  | { readonly kind: 'unknown_anchor'; readonly anchor: string };

type FaultInFile = {
  readonly kind:
    | LineFault
    /** The next file records more of them. */
    | 'cut_off'
    /** The first record contradicts the file before. */
    | 'wrong_anchor'
    /** A record about the log itself that is impossible, or in an impossible place. */
    | 'misplaced'
    /** The file before is gone, and no record says that it was deleted because of its age or size. */
    | 'missing_before';
  readonly file: string;
  readonly line: number;
};

export type VerifiedLog = {
  /** The first fault; null for an intact log. */
  readonly fault: LogFault | null;
  readonly files: number;
  readonly records: number;
  /** The times of the first and the last record, as recorded. */
  readonly from: string | null;
  readonly until: string | null;
  /** The hash of the last record, for the owner to store elsewhere and give as an anchor later. */
  readonly hash: string | null;
  /** Records that the service could not write, as it has recorded. */
  readonly lost: number;
  /** Files with a torn end after a crash, as the file after each of them records. */
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
  /** Hashes that the owner has stored elsewhere. */
  readonly anchors?: readonly string[];
  /** Waits before an unfinished end is read again, because a service may be writing it. */
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
    const { records, torn: recorded, damaged } = anchor.before;
    if (damaged !== undefined) {
      return lineFault(earlier) ?? { kind: 'changed', file: earlier.file.name, line: damaged };
    }
    if (records > earlier.scanned.records && !earlier.scanned.fault) {
      return { kind: 'cut_off', file: earlier.file.name, line: earlier.scanned.records + 1 };
    }
    const found = recorded && (await tornEndOf(earlier.file.path, earlier.scanned));
    if (found?.bytes !== recorded?.bytes || found?.sha256 !== recorded?.sha256)
      return lineFault(earlier) ?? wrong;
    if (!recorded && earlier.scanned.fault) return lineFault(earlier);
    if (recorded) sums.tornEnd(earlier.file.name, recorded.bytes);
    const { hash, next } = earlier.end;
    const isNext = anchor.prev === hash && anchor.seq === next;
    return isNext && anchor.before.hash === hash && records === earlier.scanned.records ? null : wrong;
  }

  function report(fault: LogFault | null): VerifiedLog {
    return { fault, files: files.length, ...sums.values() };
  }
}

/** Scans a file, and the newest a second time if it ends in the middle of a line; null if it holds no record. */
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

/** For the oldest existing file: it begins the log, or records the end of the file before it. */
function isBeginning(file: AuditFile, { prev, seq, before }: AnchorRecord): boolean {
  if (before) return before.hash === prev;
  return isFirstFile(file) && prev === NEW_CHAIN.hash && seq === NEW_CHAIN.next;
}

function lineFault({ file, scanned: { fault } }: ReadFile): FaultInFile | null {
  return fault && { ...fault, file: file.name };
}

/** Collects the totals of a log. */
function summing(anchors: readonly string[]) {
  /** An anchor is found only as the hash of an existing record: in a rewritten log, a record could name any hash. */
  const wanted = new Set(anchors);
  const torn: { readonly file: string; readonly bytes: number }[] = [];
  let [records, lost] = [0, 0];
  let from: string | null = null;
  let until: string | null = null;
  let last: string | null = null;
  /** The file before the first existing one, until a record says that it was deleted. */
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
  /** The oldest of all existing files. */
  readonly oldest: AuditFile;
  /** The end of an earlier file; undefined if it is gone. */
  readonly endOf: (file: string) => ClosedFile | undefined;
};

/** Records about the log itself have a fixed place and plausible contents, which a forger may not know. */
function isMisplaced(record: ChainedRecord, place: PlaceOfRecord): boolean {
  if (record.kind === 'anchor') return place.line !== 1;
  return record.kind === 'pruned' && !couldBeDeleted(record.files, place);
}

/**
 * Files are deleted from the oldest on, never the current one. A file that a crash has left between the record and its deletion must have
 * ended as the record says.
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

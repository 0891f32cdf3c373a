import { type AuditFile, auditFilesIn, type LineFault, type ScannedFile, scanFile } from './audit-files.ts';
import { type ChainEnd, type ChainedRecord, NEW_CHAIN } from './audit-record.ts';

export type LogFault =
  | {
      readonly kind:
        | LineFault
        /** The file ends in the middle of the line, and the next file does not say that a crash has torn it. */
        | 'unfinished'
        /** The file before it is gone, and no record says that it was deleted because of its age or size. */
        | 'missing_before';
      readonly file: string;
      readonly line: number;
    }
  /** A hash that the owner has stored elsewhere is not in the log. */
  | { readonly kind: 'unknown_anchor'; readonly anchor: string };

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
  /** Files with an unfinished line at their end. At the end of the newest, the service may be writing it. */
  readonly torn: readonly { readonly file: string; readonly bytes: number }[];
};

/** Reads every file once, from the oldest to the newest, and stops at the first fault. */
export async function verifyLog({
  directory,
  anchors = [],
  signal,
}: {
  readonly directory: string;
  /** Hashes that the owner has stored elsewhere. In a rewritten log only these are missing. */
  readonly anchors?: readonly string[];
  readonly signal?: AbortSignal;
}): Promise<VerifiedLog> {
  const files = auditFilesIn(directory);
  const wanted = new Set(anchors);
  const deleted = new Set<string>();
  const torn: { readonly file: string; readonly bytes: number }[] = [];
  let [records, lost] = [0, 0];
  let first: ChainedRecord | null = null;
  let last: ChainedRecord | null = null;
  let before: { readonly file: AuditFile; readonly scanned: ScannedFile } | null = null;
  let missing: string | null = null;

  function take(record: ChainedRecord): void {
    records += 1;
    first ??= record;
    last = record;
    wanted.delete(record.hash);
    if (record.kind === 'lost') lost += record.records;
    if (record.kind === 'pruned') for (const { file } of record.files) deleted.add(file);
  }

  async function faultIn(file: AuditFile): Promise<LogFault | null> {
    if (before && file.number !== before.file.number + 1) {
      return { kind: 'missing_before', file: file.name, line: 1 };
    }
    const isVeryFirst = !before && file.number === NEW_CHAIN.next;
    const after: ChainEnd | null = before ? before.scanned.end : isVeryFirst ? NEW_CHAIN : null;
    const scanned: ScannedFile = await scanFile(file, after, take);
    const anchor = scanned.first?.kind === 'anchor' ? scanned.first : null;
    const tornBytes = anchor?.before?.torn?.bytes ?? 0;
    if (before && tornBytes !== before.scanned.tornBytes) {
      return { kind: 'unfinished', file: before.file.name, line: before.scanned.records + 1 };
    }
    if (scanned.fault) return { ...scanned.fault, file: file.name };
    if (scanned.tornBytes > 0) torn.push({ file: file.name, bytes: scanned.tornBytes });
    if (!before) missing = anchor?.before?.file ?? null;
    before = { file, scanned };
    return null;
  }

  async function firstFault(): Promise<LogFault | null> {
    for (const file of files) {
      signal?.throwIfAborted();
      const fault = await faultIn(file);
      if (fault) return fault;
    }
    if (missing !== null && !deleted.has(missing)) {
      return { kind: 'missing_before', file: files[0]?.name ?? '', line: 1 };
    }
    const [unknown] = wanted;
    return unknown === undefined ? null : { kind: 'unknown_anchor', anchor: unknown };
  }

  const fault = await firstFault();
  const [from, end] = [first, last] as readonly (ChainedRecord | null)[];
  return {
    ...{ fault, files: files.length, records, lost, torn },
    ...{ from: from?.at ?? null, until: end?.at ?? null, hash: end?.hash ?? null },
  };
}

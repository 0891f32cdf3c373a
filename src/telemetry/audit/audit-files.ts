import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainEnd, type ChainedRecord, NEW_CHAIN, readChainedLine } from './audit-record.ts';

/** A file of the log. Its number gives the order, its day (UTC) is the one on which it was begun. */
export type AuditFile = {
  readonly name: string;
  readonly path: string;
  readonly number: number;
  readonly day: string;
};

const NAME = /^audit\.(\d{8})\.(\d{4}-\d{2}-\d{2})\.jsonl$/;
/** A file without newlines cannot fill a reader's memory. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** The folder of the log in the data folder. */
export function auditDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'audit');
}

/** Oldest first; empty without a folder. */
export function auditFilesIn(directory: string): readonly AuditFile[] {
  return namesIn(directory)
    .flatMap((name) => {
      const [, number, day] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, path: join(directory, name), number: Number(number), day }];
    })
    .sort((one, other) => one.number - other.number || (one.name < other.name ? -1 : 1));
}

export function auditFile(directory: string, number: number, now: number): AuditFile {
  const day = new Date(now).toISOString().slice(0, 10);
  const name = `audit.${String(number).padStart(8, '0')}.${day}.jsonl`;
  return { name, path: join(directory, name), number, day };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** `changed`: its own hash does not match. `out_of_place`: it does not follow the line before. `unfinished`: the file ends in it. */
export type LineFault = 'changed' | 'out_of_place';

export type ScannedFile = {
  /** The first record, if it is whole. */
  readonly first: ChainedRecord | null;
  readonly records: number;
  /** The chain after the last valid record. */
  readonly end: ChainEnd;
  /** The unfinished line behind it, or the zero bytes that a file system has left there. */
  readonly tornBytes: number;
  readonly fault: { readonly line: number; readonly kind: LineFault } | null;
};

/** Reads a file to its end or to the first faulty line. `after` is the end of the file before; null if that is not known. */
export async function scanFile(
  { path, name }: Pick<AuditFile, 'path' | 'name'>,
  after: ChainEnd | null,
  onRecord: (record: ChainedRecord) => void = () => {},
): Promise<ScannedFile> {
  let first: ChainedRecord | null = null;
  let end = after;
  let records = 0;
  const scanned = (tornBytes: number, kind: LineFault | null): ScannedFile => ({
    ...{ first, records, end: end ?? NEW_CHAIN, tornBytes },
    fault: kind && { line: records + 1, kind },
  });
  for await (const { line, isWhole } of linesOf(path)) {
    if (!isWhole) return scanned(line.length, line.length > MAX_LINE_BYTES ? 'changed' : null);
    const record = readChainedLine(line);
    if (!record) return scanned(0, 'changed');
    const follows = end === null || (record.prev === end.hash && record.seq === end.next);
    const isAnchor = record.kind === 'anchor' && record.file === name;
    if (!follows || isAnchor !== (records === 0)) return scanned(0, 'out_of_place');
    first ??= record;
    end = { hash: record.hash, next: record.seq + 1 };
    records += 1;
    onRecord(record);
  }
  // A file is created together with its first record, so an empty one was changed.
  return scanned(0, records === 0 ? 'changed' : null);
}

/** Lines without their newlines; the last one is not whole if the file does not end with a newline. */
async function* linesOf(path: string): AsyncGenerator<{ readonly line: Buffer; readonly isWhole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      yield { line: bytes.subarray(from, at), isWhole: true };
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest.length > 0) yield { line: rest, isWhole: false };
}

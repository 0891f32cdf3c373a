import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AnchorEntry,
  type ChainEnd,
  type Chained,
  type ChainedRecord,
  MAX_LINE_BYTES,
  readChainedLine,
  type TornEnd,
} from './audit-record.ts';

/** A file of the log. Its number gives the order, its day (UTC) is the one on which it was begun. */
export type AuditFile = {
  readonly name: string;
  readonly path: string;
  readonly number: number;
  readonly day: string;
};

const NAME = /^audit\.(\d{8})\.(\d{4}-\d{2}-\d{2})\.jsonl$/;
const FIRST_NUMBER = 1;

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

export function auditFileAfter(
  directory: string,
  before: Pick<AuditFile, 'number'> | null,
  now: number,
): AuditFile {
  const number = before ? before.number + 1 : FIRST_NUMBER;
  const day = dayOf(now);
  const name = `audit.${String(number).padStart(8, '0')}.${day}.jsonl`;
  return { name, path: join(directory, name), number, day };
}

export function isFirstFile({ number }: Pick<AuditFile, 'number'>): boolean {
  return number === FIRST_NUMBER;
}

/** Undefined for any other name. */
export function numberOfFile(name: string): number | undefined {
  const [, number] = NAME.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** YYYY-MM-DD in UTC, which compares as text. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Why a line is not the next of its chain. */
export type LineFault =
  /** Its own hash does not match. */
  | 'changed'
  /** The file ends in the middle of it. */
  | 'unfinished'
  /** It is whole, but does not follow the line before: a line was removed, added or moved. */
  | 'out_of_place';

export type AnchorRecord = AnchorEntry & Chained;

export type ScannedFile = {
  /** The first record, if it is an anchor. */
  readonly anchor: AnchorRecord | null;
  readonly records: number;
  /** The chain after the last valid record; null without one. */
  readonly end: ChainEnd | null;
  /** The size of the valid records. */
  readonly goodBytes: number;
  readonly fault: { readonly line: number; readonly kind: LineFault } | null;
};

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads a file to its end or to the first faulty line, and calls `onRecord` for each valid record. */
export async function scanFile(
  path: string,
  onRecord: (record: ChainedRecord) => void = () => {},
): Promise<ScannedFile> {
  let anchor: AnchorRecord | null = null;
  let end: ChainEnd | null = null;
  let [records, goodBytes] = [0, 0];
  const fault = await faultIn();
  return { anchor, end, records, goodBytes, fault: fault && { line: records + 1, kind: fault } };

  async function faultIn(): Promise<LineFault | null> {
    for await (const { lines, isCutOff } of linesOf(path)) {
      for (const line of lines) {
        const record = readChainedLine(line);
        if (!record) return 'changed';
        if (end ? record.prev !== end.hash || record.seq !== end.next : !isAnchor(record))
          return 'out_of_place';
        if (isAnchor(record)) anchor ??= record;
        end = { hash: record.hash, next: record.seq + 1 };
        records += 1;
        goodBytes += line.length + 1;
        onRecord(record);
      }
      if (isCutOff) return 'unfinished';
    }
    // A file is created together with its first record, so an empty one was changed.
    return records === 0 ? 'changed' : null;
  }
}

/** The first record of a file; null if it is not an anchor. */
export async function anchorOf(path: string): Promise<AnchorRecord | null> {
  for await (const { lines } of linesOf(path)) {
    const [line] = lines;
    if (!line) continue;
    const record = readChainedLine(line);
    return record && isAnchor(record) ? record : null;
  }
  return null;
}

/**
 * Passes on the whole lines from there on, without checking the chain: undefined for a line that is not a record. Returns the position of
 * the next line.
 */
export async function readLinesFrom(
  path: string,
  start: number,
  onLine: (record: ChainedRecord | undefined) => void,
): Promise<number> {
  let position = start;
  for await (const { lines } of linesOf(path, start)) {
    for (const line of lines) {
      position += line.length + 1;
      onLine(readChainedLine(line));
    }
  }
  return position;
}

/**
 * The unfinished line behind the last whole record, or the zero bytes that a file system has left there; null if there is neither. A crash
 * leaves no newline, so an end with a newline has another cause.
 */
export async function tornEndOf(
  path: string,
  { goodBytes }: Pick<ScannedFile, 'goodBytes'>,
): Promise<TornEnd | null> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(path, goodBytes)) {
    if (chunk.includes(NEWLINE)) return null;
    sum.update(chunk);
    bytes += chunk.length;
  }
  return bytes === 0 ? null : { bytes, sha256: sum.digest('hex') };
}

type Lines = {
  /** Whole lines, without their newlines. */
  readonly lines: readonly Buffer[];
  /** The file ends without a newline, or a line is too long. */
  readonly isCutOff: boolean;
};

/** Yields the lines of a chunk together, because a log may have millions of them. */
async function* linesOf(path: string, start = 0): AsyncGenerator<Lines> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(path, start)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      lines.push(bytes.subarray(from, at));
      from = at + 1;
    }
    rest = bytes.subarray(from);
    const isCutOff = rest.length > MAX_LINE_BYTES;
    yield { lines, isCutOff };
    if (isCutOff) return;
  }
  if (rest.length > 0) yield { lines: [], isCutOff: true };
}

function chunksOf(path: string, start: number): AsyncIterable<Buffer> {
  return createReadStream(path, { start, highWaterMark: CHUNK_BYTES });
}

function isAnchor(record: ChainedRecord): record is AnchorRecord {
  return record.kind === 'anchor';
}

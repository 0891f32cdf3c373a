import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
const NOTHING = Buffer.alloc(0);

/** Reads a file to its end or to the first faulty line, and calls `onRecord` for each valid record. */
export async function scanFile(
  path: string,
  onRecord: (record: ChainedRecord) => void = () => {},
): Promise<ScannedFile> {
  const file = await open(path, 'r');
  try {
    let anchor: AnchorRecord | null = null;
    let end: ChainEnd | null = null;
    let [records, goodBytes] = [0, 0];
    const fault = await eachLine(file, 0, (line) => {
      if (!line) return 'unfinished';
      const record = readChainedLine(line);
      if (!record) return 'changed';
      if (end ? record.prev !== end.hash || record.seq !== end.next : !isAnchor(record))
        return 'out_of_place';
      if (isAnchor(record) && !anchor) anchor = record;
      end = { hash: record.hash, next: record.seq + 1 };
      records += 1;
      goodBytes += line.length + 1;
      onRecord(record);
      return null;
    });
    // A file is created together with its first record, so an empty one was changed.
    const kind = fault ?? (records === 0 ? 'changed' : null);
    return { anchor, end, records, goodBytes, fault: kind && { line: records + 1, kind } };
  } finally {
    await file.close();
  }
}

/** The first record of a file; null if it is not an anchor. */
export async function anchorOf(path: string): Promise<AnchorRecord | null> {
  const file = await open(path, 'r');
  try {
    let found: AnchorRecord | null = null;
    await eachLine(file, 0, (line) => {
      const record = line && readChainedLine(line);
      if (record && isAnchor(record)) found = record;
      return 'changed';
    });
    return found;
  } finally {
    await file.close();
  }
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
  const file = await open(path, 'r');
  try {
    let position = start;
    await eachLine(file, start, (line) => {
      if (!line) return 'unfinished';
      position += line.length + 1;
      onLine(readChainedLine(line));
      return null;
    });
    return position;
  } finally {
    await file.close();
  }
}

/**
 * The unfinished line behind the last whole record, or the zero bytes that a file system has left there; null if there is neither. A crash
 * leaves no newline, so an end with a newline has another cause.
 */
export async function tornEndOf(
  path: string,
  { goodBytes }: Pick<ScannedFile, 'goodBytes'>,
): Promise<TornEnd | null> {
  const file = await open(path, 'r');
  try {
    const sum = createHash('sha256');
    let bytes = 0;
    let hasNewline = false;
    await eachChunk(file, goodBytes, (chunk) => {
      sum.update(chunk);
      bytes += chunk.length;
      hasNewline = chunk.includes(NEWLINE);
      return !hasNewline;
    });
    return bytes === 0 || hasNewline ? null : { bytes, sha256: sum.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * Passes on each line without its newline until one is rejected; undefined for an end without a newline. Uses a callback instead of an
 * async iterator, because a log may have millions of lines.
 */
async function eachLine(
  file: FileHandle,
  start: number,
  take: (line: Buffer | undefined) => LineFault | null,
): Promise<LineFault | null> {
  let rest = NOTHING;
  let fault: LineFault | null = null;
  await eachChunk(file, start, (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      fault = take(bytes.subarray(from, at));
      if (fault) return false;
      from = at + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    return rest.length <= MAX_LINE_BYTES;
  });
  return fault ?? (rest.length > 0 ? take(undefined) : null);
}

async function eachChunk(file: FileHandle, start: number, take: (chunk: Buffer) => boolean): Promise<void> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let position = start;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0 || !take(buffer.subarray(0, bytesRead))) return;
    position += bytesRead;
  }
}

function isAnchor(record: ChainedRecord): record is AnchorRecord {
  return record.kind === 'anchor';
}

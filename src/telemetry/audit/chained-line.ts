import { hash } from 'node:crypto';
import type { AuditEntry, AuditRecord } from './audit-record.ts';

/** What the first record of all has in place of the hash of the one before. */
const NO_HASH = '0'.repeat(64);

/** A file without newlines must not fill the memory of whoever reads it, so no record may be longer. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Where a chain goes on. */
export type ChainEnd = {
  /** Of the last record. */
  readonly hash: string;
  /** The number of the next record. */
  readonly next: number;
};

export const NEW_CHAIN: ChainEnd = { hash: NO_HASH, next: 1 };

/** A record as it is found in a file. */
export type ChainedRecord = AuditEntry & Chained;

export type Chained = {
  readonly prev: string;
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
};

/**
 * A line of the log, with its newline. `prev` is the hash of the line before; `hash` is the SHA-256 of every byte of this line that
 * stands before `,"hash"`. docs/audit-log.md promises this form to those who verify it with other tools.
 */
export function chainedLine(
  { hash: prev, next }: ChainEnd,
  { at, ...entry }: AuditRecord,
): { readonly text: string; readonly end: ChainEnd } {
  const open = `{"prev":"${prev}","seq":${next},"at":"${new Date(at).toISOString()}",${JSON.stringify(entry).slice(1, -1)}`;
  const own = hash('sha256', open);
  return { text: `${open}${ENDING_BEFORE}${own}${ENDING_AFTER}\n`, end: { hash: own, next: next + 1 } };
}

const ENDING_BEFORE = ',"hash":"';
const ENDING_AFTER = '"}';
const ENDING = /^,"hash":"([0-9a-f]{64})"\}$/;
const ENDING_BYTES = ENDING_BEFORE.length + NO_HASH.length + ENDING_AFTER.length;

/** Undefined for a line, without its newline, that is not as it was written. */
export function readChainedLine(line: Buffer): ChainedRecord | undefined {
  const openBytes = line.length - ENDING_BYTES;
  const [, own] = ENDING.exec(line.toString('latin1', Math.max(0, openBytes))) ?? [];
  if (own === undefined || hash('sha256', line.subarray(0, openBytes)) !== own) return undefined;
  try {
    const record = JSON.parse(line.toString());
    return Number.isSafeInteger(record.seq) && typeof record.at === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}

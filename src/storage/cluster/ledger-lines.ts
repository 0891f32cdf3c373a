import { crc32 } from 'node:zlib';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';

/**
 * A line of the queue's files: the quotes of one change, or the word that a change was not stored after all. Each begins with a checksum, so that
 * what a crash has left half written is told from what is whole.
 */
export type LedgerLine =
  | { readonly kind: 'quotes'; readonly change: number; readonly count: number; readonly json: string }
  | { readonly kind: 'discarded'; readonly change: number };

/** Where a whole line stands in its file. */
export type PlacedLine = { readonly line: LedgerLine; readonly offset: number; readonly bytes: number };

export type LinesRead = {
  readonly lines: readonly PlacedLine[];
  /** A line that cannot be read has whole ones after it: no crash leaves that. */
  readonly isDamaged: boolean;
};

const NEWLINE = 10;
const CHECKSUM_DIGITS = 8;
const LINE = /^(?<sign>[+-]) (?<change>\d{1,15})(?: (?<count>\d{1,9}) (?<json>\[.*\]))?$/;

export function lineOfQuotes(change: number, quotes: readonly IssuedQuote[]): Buffer {
  return checkedLine(`+ ${change} ${quotes.length} ${JSON.stringify(quotes)}`);
}

export function lineOfDiscarded(change: number): Buffer {
  return checkedLine(`- ${change}`);
}

export function quotesIn({ json }: Extract<LedgerLine, { kind: 'quotes' }>): readonly IssuedQuote[] {
  // An earlier release wrote lines without the last two members.
  return JSON.parse(json).map((quote: IssuedQuote) => ({
    ...quote,
    place: quote.place ?? '',
    details: quote.details ?? null,
  }));
}

/** A last line that is not whole was never acknowledged, and is left out. */
export function readLines(content: Buffer): LinesRead {
  const lines: PlacedLine[] = [];
  let isBroken = false;
  let isDamaged = false;
  let start = 0;
  for (let end = content.indexOf(NEWLINE); end !== -1; end = content.indexOf(NEWLINE, start)) {
    const line = readLine(content.subarray(start, end));
    if (line) lines.push({ line, offset: start, bytes: end + 1 - start });
    if (line && isBroken) isDamaged = true;
    if (!line) isBroken = true;
    start = end + 1;
  }
  return { lines, isDamaged };
}

function checkedLine(text: string): Buffer {
  const checksum = crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
  return Buffer.from(`${checksum} ${text}\n`);
}

function readLine(bytes: Buffer): LedgerLine | undefined {
  const body = bytes.subarray(CHECKSUM_DIGITS + 1);
  if (Number.parseInt(bytes.toString('latin1', 0, CHECKSUM_DIGITS), 16) !== crc32(body)) return undefined;
  const { sign, change, count, json } = LINE.exec(body.toString())?.groups ?? {};
  if (sign === '-') return { kind: 'discarded', change: Number(change) };
  if (json === undefined) return undefined;
  return { kind: 'quotes', change: Number(change), count: Number(count), json };
}

import { copyFile, type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

export type LedgerFiles = ReturnType<typeof openLedgerFiles>;
export type LedgerFile = ReturnType<typeof ledgerFile>;

const NAME = /^ledger\.(\d{8})\.queue$/;
const FILE_MODE = 0o600;

/** The append-only files of the queue. */
export function openLedgerFiles(directory: string) {
  const nameOf = (file: number) => `ledger.${String(file).padStart(8, '0')}.queue`;
  const pathOf = (file: number) => join(directory, nameOf(file));

  return {
    /** The files that an earlier process has left, oldest first. */
    found: (): Promise<readonly number[]> =>
      withDiskFaults(async () =>
        (await readdir(directory))
          .flatMap((name) => NAME.exec(name)?.[1] ?? [])
          .map(Number)
          .sort((one, other) => one - other),
      ),
    content: (file: number): Promise<Buffer> => withDiskFaults(() => readFile(pathOf(file))),
    part: (file: number, offset: number, bytes: number): Promise<Buffer> =>
      withDiskFaults(async () => {
        await using handle = await open(pathOf(file), 'r');
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
        return buffer.subarray(0, bytesRead);
      }),
    create: (file: number): Promise<LedgerFile> =>
      withDiskFaults(async () => {
        const handle = await open(pathOf(file), 'wx', FILE_MODE);
        try {
          // Otherwise a power failure may lose the whole file with its acknowledged lines.
          await using folder = await open(directory, 'r');
          await folder.sync();
        } catch (error) {
          await handle.close();
          throw error;
        }
        return ledgerFile(handle);
      }),
    remove: (file: number): Promise<void> => withDiskFaults(() => rm(pathOf(file), { force: true })),
    /** Copies a damaged file for inspection. Returns the path of the copy. */
    copy: (file: number): Promise<string> =>
      withDiskFaults(async () => {
        const copy = `${pathOf(file)}.damaged`;
        await copyFile(pathOf(file), copy);
        return copy;
      }),
  };
}

function ledgerFile(handle: FileHandle) {
  return {
    /** Resolves once the lines are on the disk. */
    append: (lines: Uint8Array, offset: number): Promise<void> =>
      withDiskFaults(async () => {
        for (let written = 0; written < lines.length; ) {
          const rest = lines.subarray(written);
          written += (await handle.write(rest, 0, rest.length, offset + written)).bytesWritten;
        }
        await handle.datasync();
      }),
    /** Truncates the file: nothing beyond the offset was acknowledged. */
    cutAt: (offset: number): Promise<void> =>
      withDiskFaults(async () => {
        await handle.truncate(offset);
        await handle.datasync();
      }),
    close: (): Promise<void> => withDiskFaults(() => handle.close()),
  };
}

async function withDiskFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause)) throw cause;
    const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
    throw new StorageFailure(
      isFull ? 'full' : 'input_output',
      `The queue of the ledger cannot be read or written: ${cause.message}.`,
      { cause },
    );
  }
}

/**
 * A line of the queue's files: the quotes of one change, or a note that a change was not stored after all. Each begins with a checksum, which
 * detects lines that a crash left incomplete.
 */
type LedgerLine =
  | { readonly kind: 'quotes'; readonly change: number; readonly count: number; readonly json: string }
  | { readonly kind: 'discarded'; readonly change: number };

/** A complete line and its position in the file. */
export type PlacedLine = { readonly line: LedgerLine; readonly offset: number; readonly bytes: number };

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

/** Leaves out an incomplete last line, which was never acknowledged. */
export function readLines(content: Buffer) {
  const lines: PlacedLine[] = [];
  let isBroken = false;
  /** Complete lines follow an unreadable one: no crash causes that. */
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

import type { Clock } from '../../clock.ts';
import type {
  IssuedQuote,
  LedgerEntries,
  QueuedEntries,
  QuoteLedgerWriter,
} from '../../sessions/quote-ledger.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import {
  type LedgerFile,
  type LedgerFiles,
  lineOfDiscarded,
  lineOfQuotes,
  openLedgerFiles,
  type PlacedLine,
  quotesIn,
  readLines,
} from './ledger-files.ts';
import { createLedgerSender, type Parcel } from './ledger-sender.ts';

/**
 * Queues quotes for the ledger in files of this node: no request waits for the ledger's server, and no quote that a client saw is lost while
 * the server is down or when this process is killed.
 */
export type LedgerQueue = LedgerEntries & {
  /** The number of quotes that are not in the ledger yet. */
  waiting(): number;
  /** The size of the files in which they wait. */
  waitingBytes(): number;
  /** Why the last write to them failed; null after one that succeeded. */
  writeFault(): StorageFailureKind | null;
  /** The same, after another attempt if the last write failed. */
  checkWrites(): Promise<StorageFailureKind | null>;
  /** Resolves once everything confirmed before is in the ledger; rejects when it cannot be sent. */
  flushed(): Promise<void>;
  /** Sends quotes for a few more seconds. The rest stays in the files, and is sent after the next start. */
  close(): Promise<void>;
};

export type LedgerQueueOptions = {
  readonly directory: string;
  readonly writer: QuoteLedgerWriter;
  readonly clock: Pick<Clock, 'after'>;
  /** Called with warnings for the owner: the ledger cannot be written, or a file is damaged. */
  readonly report?: (warning: string) => void;
  /** Quotes beyond this are refused as `overloaded`. */
  readonly maxBytes?: number;
  /** The size at which a new file begins. */
  readonly fileBytes?: number;
  /** For tests: a disk that fails. */
  readonly files?: LedgerFiles;
};

/** About 350,000 quotes. */
const MAX_BYTES = 256 * 1024 * 1024;
const FILE_BYTES = 4 * 1024 * 1024;
const MAX_QUOTES_IN_PARCEL = 500;
const MAX_CLOSING_MS = 5_000;
/** A node that cannot write gets no price requests any more, so it has to find out by itself when it can write again. */
const WRITE_AGAIN_AFTER_MS = 5_000;
const NO_CHANGE = 0;

/** A line on its way to the disk. A line that discards a change has no callbacks, because no caller waits for it. */
type Outgoing = {
  readonly line: Buffer;
  readonly written?: (segment: Segment, offset: number) => void;
  readonly failed?: (error: unknown) => void;
};

export async function openLedgerQueue({
  directory,
  writer,
  clock,
  report = () => {},
  maxBytes = MAX_BYTES,
  // A file is freed as a whole, so the limit has to be several times its size.
  fileBytes = Math.min(FILE_BYTES, maxBytes / 8),
  files = openLedgerFiles(directory),
}: LedgerQueueOptions): Promise<LedgerQueue> {
  const found = await foundSegments(files, report);
  /** Oldest first. Removed in this order, so that a change never remains without the line that discards it. */
  const segments: Segment[] = [...found.segments];
  /** The last of them, while it takes more lines. Files of an earlier process take none. */
  let current: { readonly segment: Segment; readonly file: LedgerFile } | undefined;
  let { lastChange, lastNumber } = found;
  let outgoing: Outgoing[] = [];
  let outgoingBytes = 0;
  let writing: Promise<void> | undefined;
  let writeFault: StorageFailureKind | null = null;
  let cancelWritingAgain = () => {};
  let isClosed = false;

  const sender = createLedgerSender({ nextParcel, insert: (quotes) => writer.insert(quotes), clock, report });
  await removeDelivered();
  sender.wake();

  function waitingBytes(): number {
    return segments.reduce((sum, { bytes }) => sum + bytes, outgoingBytes);
  }

  function send(item: Outgoing): void {
    outgoing.push(item);
    outgoingBytes += item.line.length;
    startWriting();
  }

  function startWriting(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (outgoing.length > 0) startWriting();
    });
  }

  /** Group commit: one wait for the disk for everything that gathered during the last one. */
  async function writeAll(): Promise<void> {
    // Includes everything else that is appended in this turn of the event loop.
    await new Promise(setImmediate);
    while (outgoing.length > 0) {
      const items = outgoing;
      outgoing = [];
      outgoingBytes = 0;
      try {
        await write(items);
        writeFault = null;
      } catch (error) {
        writeFault = kindOf(error);
        for (const { failed } of items) failed?.(error);
        await cutCurrent();
        writeAgainLater();
      }
    }
    await removeDelivered();
  }

  function writeAgainLater(): void {
    cancelWritingAgain();
    if (isClosed) return;
    cancelWritingAgain = clock.after(WRITE_AGAIN_AFTER_MS, () => {
      if (writeFault) send({ line: lineOfDiscarded(NO_CHANGE) });
    });
  }

  function tryWriting(): Promise<StorageFailureKind | null> {
    return new Promise((resolve) => {
      send({
        line: lineOfDiscarded(NO_CHANGE),
        written: () => resolve(null),
        failed: (error) => resolve(kindOf(error)),
      });
    });
  }

  async function write(items: readonly Outgoing[]): Promise<void> {
    current ??= await nextSegment();
    const { segment, file } = current;
    const lines = Buffer.concat(items.map(({ line }) => line));
    let offset = segment.bytes;
    await file.append(lines, offset);
    segment.bytes += lines.length;
    for (const { line, written } of items) {
      written?.(segment, offset);
      offset += line.length;
    }
    if (segment.bytes >= fileBytes) await endCurrent();
  }

  async function nextSegment() {
    lastNumber += 1;
    const file = await files.create(lastNumber);
    const segment: Segment = { number: lastNumber, bytes: 0, entries: new Set() };
    segments.push(segment);
    return { segment, file };
  }

  async function endCurrent(): Promise<void> {
    const ended = current;
    current = undefined;
    await ended?.file.close().catch(() => {});
  }

  /** After a failed write the content beyond the acknowledged lines is unknown, so the file takes no more. */
  async function cutCurrent(): Promise<void> {
    await current?.file.cutAt(current.segment.bytes).catch(() => {});
    await endCurrent();
  }

  async function removeDelivered(): Promise<void> {
    while (segments[0] && segments[0].entries.size === 0) {
      const [segment] = segments;
      const isCurrent = segment === current?.segment;
      // A new file costs a wait for the disk, so a short one stays in use.
      if (isCurrent && (writing || segment.bytes < fileBytes / 4)) return;
      segments.shift();
      if (isCurrent) await endCurrent();
      // If the removal fails, the next start reads the file again, and the ledger ignores its quotes.
      await files.remove(segment.number).catch((error) => report(String(error)));
    }
  }

  /** Quotes of one file, oldest first. Skips undecided changes, which are sent once they are confirmed. */
  async function nextParcel(): Promise<Parcel | undefined> {
    const segment = segments.find(({ entries }) => firstConfirmed(entries));
    if (!segment) return undefined;
    const entries: QueuedChange[] = [];
    let count = 0;
    for (const entry of segment.entries) {
      if (!entry.isConfirmed) continue;
      if (entries.length > 0 && count + entry.count > MAX_QUOTES_IN_PARCEL) break;
      entries.push(entry);
      count += entry.count;
    }
    return {
      quotes: await quotesOf(segment, entries),
      async delivered() {
        for (const entry of entries) segment.entries.delete(entry);
        await removeDelivered();
      },
    };
  }

  async function quotesOf(
    segment: Segment,
    entries: readonly QueuedChange[],
  ): Promise<readonly IssuedQuote[]> {
    const offset = entries[0]?.offset ?? 0;
    const last = entries.at(-1);
    const end = last ? last.offset + last.bytes : offset;
    const { lines } = readLines(await files.part(segment.number, offset, end - offset));
    const wanted = new Set(entries.map(({ change }) => change));
    const quotes = lines.flatMap(({ line }) =>
      line.kind === 'quotes' && wanted.delete(line.change) ? quotesIn(line) : [],
    );
    if (wanted.size > 0) throw new StorageFailure('corrupt', 'A file of the queue of the ledger is damaged.');
    return quotes;
  }

  function enqueue(quotes: readonly IssuedQuote[]): Promise<QueuedEntries> {
    lastChange += 1;
    const change = lastChange;
    const line = lineOfQuotes(change, quotes);
    if (waitingBytes() + line.length > maxBytes) {
      return Promise.reject(
        new StorageFailure('overloaded', 'Too many quotes wait for the ledger, which cannot be written.'),
      );
    }
    return new Promise((resolve, reject) => {
      const written = (segment: Segment, offset: number) => {
        const [bytes, count] = [line.length, quotes.length];
        const entry: QueuedChange = { change, offset, bytes, count, isConfirmed: false };
        segment.entries.add(entry);
        resolve({ settle: () => confirm(entry), discard: () => discard(segment, entry) });
      };
      send({ line, written, failed: reject });
    });
  }

  function confirm(entry: QueuedChange): void {
    entry.isConfirmed = true;
    sender.wake();
  }

  function discard(segment: Segment, entry: QueuedChange): void {
    if (entry.isConfirmed || !segment.entries.delete(entry) || isClosed) return;
    send({ line: lineOfDiscarded(entry.change) });
  }

  function flushed(): Promise<void> {
    const last = lastChange;
    // Parcels follow the order of the changes.
    return sender.until(() =>
      segments.every(({ entries }) => (firstConfirmed(entries)?.change ?? Number.POSITIVE_INFINITY) > last),
    );
  }

  return {
    append(quotes) {
      if (isClosed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      return quotes.length === 0 ? Promise.resolve(NO_ENTRIES) : enqueue(quotes);
    },
    waiting: () => segments.reduce((sum, { entries }) => sum + countIn(entries), 0),
    waitingBytes,
    writeFault: () => writeFault,
    checkWrites: async () => (writeFault === null || isClosed ? writeFault : tryWriting()),
    flushed,
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancelWritingAgain();
      while (writing) await writing;
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(MAX_CLOSING_MS, resolve);
      await Promise.race([flushed().catch(() => {}), isLate]);
      cancel();
      await sender.stop();
      await endCurrent();
      await removeDelivered();
    },
  };
}

function kindOf(error: unknown): StorageFailureKind {
  return error instanceof StorageFailure ? error.kind : 'input_output';
}

function firstConfirmed(entries: ReadonlySet<QueuedChange>): QueuedChange | undefined {
  for (const entry of entries) if (entry.isConfirmed) return entry;
  return undefined;
}

function countIn(entries: ReadonlySet<QueuedChange>): number {
  return [...entries].reduce((sum, { count }) => sum + count, 0);
}

const NO_ENTRIES: QueuedEntries = { settle() {}, discard() {} };

/** A file of the queue, and its changes that are not in the ledger yet. */
type Segment = { readonly number: number; bytes: number; readonly entries: Set<QueuedChange> };

/** The quotes of one change. Only their position is in memory, because hours of them may wait. */
type QueuedChange = {
  readonly change: number;
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
  /** The change was stored, or belongs to an earlier process, which can no longer discard it. */
  isConfirmed: boolean;
};

/** The files of an earlier process. Its quotes count as shown, and are sent, unless it discarded them. */
async function foundSegments(files: LedgerFiles, report: (warning: string) => void) {
  const segments: Segment[] = [];
  const discarded = new Set<number>();
  let [lastNumber, lastChange] = [0, 0];
  for (const number of await files.found()) {
    const content = await files.content(number);
    const { lines, isDamaged } = readLines(content);
    if (isDamaged) {
      report(
        `A file of the queue of the ledger is damaged, and a copy is kept: ${await files.copy(number)}.`,
      );
    }
    for (const { line } of lines) {
      lastChange = Math.max(lastChange, line.change);
      if (line.kind === 'discarded') discarded.add(line.change);
    }
    segments.push({ number, bytes: content.length, entries: new Set(lines.flatMap(entryOf)) });
    lastNumber = number;
  }
  for (const { entries } of segments) {
    for (const entry of entries) if (discarded.has(entry.change)) entries.delete(entry);
  }
  return { segments, lastNumber, lastChange };
}

function entryOf({ line, offset, bytes }: PlacedLine): QueuedChange[] {
  if (line.kind === 'discarded') return [];
  return [{ change: line.change, offset, bytes, count: line.count, isConfirmed: true }];
}

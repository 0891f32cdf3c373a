import type { Clock } from '../../clock.ts';
import type {
  IssuedQuote,
  LedgerEntries,
  QueuedEntries,
  QuoteLedgerWriter,
} from '../../sessions/quote-ledger.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { type LedgerFile, type LedgerFiles, openLedgerFiles } from './ledger-files.ts';
import { lineOfDiscarded, lineOfQuotes, type PlacedLine, quotesIn, readLines } from './ledger-lines.ts';
import { createLedgerSender, type Parcel } from './ledger-sender.ts';

/**
 * Quotes on their way to the ledger, in files of this node: no request waits for the server of the ledger, and no quote that was shown is lost
 * while it is down or when this process is killed.
 */
export type LedgerQueue = LedgerEntries & {
  /** How many quotes are not in the ledger yet. */
  waiting(): number;
  /** The size of the files in which they wait. */
  waitingBytes(): number;
  /** Why the last write to them failed; null after one that succeeded. */
  writeFault(): StorageFailureKind | null;
  /** The same after another try, where the last write failed. */
  checkWrites(): Promise<StorageFailureKind | null>;
  /** Resolves once everything that was settled before is in the ledger; rejects when it cannot be sent. */
  flushed(): Promise<void>;
  /** Sends what it can within a few seconds. The rest stays in the files, and is sent after the next start. */
  close(): Promise<void>;
};

export type LedgerQueueOptions = {
  readonly directory: string;
  readonly writer: QuoteLedgerWriter;
  readonly clock: Pick<Clock, 'after'>;
  /** Told what the owner should know: the ledger cannot be written, or a file is damaged. */
  readonly report?: (warning: string) => void;
  /** Quotes beyond this are refused as `overloaded`. */
  readonly maxBytes?: number;
  /** The size at which the next file is begun. */
  readonly fileBytes?: number;
  /** For tests: a disk that fails. */
  readonly files?: LedgerFiles;
};

/** About 350,000 quotes. */
const MAX_BYTES = 256 * 1024 * 1024;
const FILE_BYTES = 4 * 1024 * 1024;
const MAX_QUOTES_IN_PARCEL = 500;
const MAX_CLOSING_MS = 5_000;
/** A node that cannot write is not asked for prices any more, so it has to find out by itself when it can. */
const WRITE_AGAIN_AFTER_MS = 5_000;
const NO_CHANGE = 0;

/** A line on its way to the disk. Nobody waits for one that says that a change was not stored. */
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
  // A file is freed as a whole, so the bound has to be many of them.
  fileBytes = Math.min(FILE_BYTES, maxBytes / 8),
  files = openLedgerFiles(directory),
}: LedgerQueueOptions): Promise<LedgerQueue> {
  const found = await foundSegments(files, report);
  /** Oldest first. They are removed in this order, so that a change is never there without the line that discards it. */
  const segments: Segment[] = [...found.segments];
  /** The last of them, while it takes more lines. What an earlier process has left is not written to. */
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

  /** Group commit: one wait for the disk for everything that gathered during the wait before. */
  async function writeAll(): Promise<void> {
    // Whatever else is appended in this turn of the event loop comes along.
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

  /** After a failed write nobody knows what the file holds beyond what was acknowledged, so it takes no more. */
  async function cutCurrent(): Promise<void> {
    await current?.file.cutAt(current.segment.bytes).catch(() => {});
    await endCurrent();
  }

  async function removeDelivered(): Promise<void> {
    while (segments[0] && segments[0].entries.size === 0) {
      const [segment] = segments;
      const isCurrent = segment === current?.segment;
      // A new file costs a wait for the disk, so a short one goes on being used.
      if (isCurrent && (writing || segment.bytes < fileBytes / 4)) return;
      segments.shift();
      if (isCurrent) await endCurrent();
      // One that stays is read again after the next start, and its quotes are known by then.
      await files.remove(segment.number).catch((error) => report(String(error)));
    }
  }

  /** Those of one file, oldest first. Undecided ones are passed over, and sent when they are settled. */
  async function nextParcel(): Promise<Parcel | undefined> {
    const segment = segments.find(({ entries }) => firstSettled(entries));
    if (!segment) return undefined;
    const entries: QueuedChange[] = [];
    let count = 0;
    for (const entry of segment.entries) {
      if (!entry.isSettled) continue;
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

  function keep(quotes: readonly IssuedQuote[]): Promise<QueuedEntries> {
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
        const entry: QueuedChange = {
          change,
          offset,
          bytes: line.length,
          count: quotes.length,
          isSettled: false,
        };
        segment.entries.add(entry);
        resolve({ settle: () => settle(entry), discard: () => discard(segment, entry) });
      };
      send({ line, written, failed: reject });
    });
  }

  function settle(entry: QueuedChange): void {
    entry.isSettled = true;
    sender.wake();
  }

  function discard(segment: Segment, entry: QueuedChange): void {
    if (entry.isSettled || !segment.entries.delete(entry) || isClosed) return;
    send({ line: lineOfDiscarded(entry.change) });
  }

  function flushed(): Promise<void> {
    const last = lastChange;
    // Parcels are made in the order of the changes.
    return sender.until(() =>
      segments.every(({ entries }) => (firstSettled(entries)?.change ?? Number.POSITIVE_INFINITY) > last),
    );
  }

  return {
    append(quotes) {
      if (isClosed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      return quotes.length === 0 ? Promise.resolve(NOTHING_QUEUED) : keep(quotes);
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

function firstSettled(entries: ReadonlySet<QueuedChange>): QueuedChange | undefined {
  for (const entry of entries) if (entry.isSettled) return entry;
  return undefined;
}

function countIn(entries: ReadonlySet<QueuedChange>): number {
  return [...entries].reduce((sum, { count }) => sum + count, 0);
}

const NOTHING_QUEUED: QueuedEntries = { settle() {}, discard() {} };

/** A file of the queue, and what in it is not in the ledger yet. */
type Segment = { readonly number: number; bytes: number; readonly entries: Set<QueuedChange> };

/** The quotes of one change. Only where they stand is in memory, because hours of them may wait. */
type QueuedChange = {
  readonly change: number;
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
  /** The change was stored, or nobody lives who could say that it was not. */
  isSettled: boolean;
};

type FoundSegments = {
  readonly segments: readonly Segment[];
  readonly lastNumber: number;
  readonly lastChange: number;
};

/** What an earlier process has left. Quotes of which it did not say that they were never shown were really given, so they are sent. */
async function foundSegments(files: LedgerFiles, report: (warning: string) => void): Promise<FoundSegments> {
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
  return [{ change: line.change, offset, bytes, count: line.count, isSettled: true }];
}

import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import type { IssuedQuote, QueuedEntries, QuoteLedgerWriter } from '../../sessions/quote-ledger.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { createPrivately } from '../sqlite/data-directory.ts';
import { numberIn, openForWriting, type SqliteRow, textIn, withStorageFailures } from '../sqlite/database.ts';

export type LedgerOutbox = Awaited<ReturnType<typeof openLedgerOutbox>>;

/** About 350,000 quotes. */
const MAX_BYTES = 256 * 1024 * 1024;
const CHANGES_AT_ONCE = 50;
/** A call costs the same for one quote as for many, so quotes are gathered for a moment. */
const GATHERING_MS = 50;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
const MAX_CLOSING_MS = 5_000;
/** A node that cannot write gets no price requests any more, so it has to find out by itself when it can write again. */
const WRITE_AGAIN_AFTER_MS = 5_000;
const LOCK_TIMEOUT_MS = 50;

/** The quotes of one session change: how many, and the length of their JSON. */
type WaitingChange = Readonly<Record<'id' | 'quotes' | 'bytes', number>>;

/**
 * Quotes of this node on their way to the ledger, in a database of the node: no request waits for the ledger's server, and no quote that a
 * client saw is lost while the server is down or when this process is killed.
 */
export async function openLedgerOutbox({
  directory,
  writer,
  clock,
  report = () => {},
  maxBytes = MAX_BYTES,
}: {
  readonly directory: string;
  readonly writer: QuoteLedgerWriter;
  readonly clock: Pick<Clock, 'after'>;
  readonly report?: ((warning: string) => void) | undefined;
  /** Quotes beyond this are refused as `overloaded`. */
  readonly maxBytes?: number | undefined;
}) {
  refuseFormerQueue(directory);
  const file = join(directory, 'outbox.sqlite');
  createPrivately(file);
  const database = withStorageFailures(() => openForWriting({ file, lockTimeoutMs: LOCK_TIMEOUT_MS }));
  // SQLite's own wait for the disk would block the event loop: `untilOnDisk` waits instead.
  database.exec(`PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT NOT NULL, quotes INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT`);
  const insert = database.prepare('INSERT INTO outbox (json, quotes, bytes) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))');
  const lastId = database.prepare('SELECT coalesce(max(id), 0) AS id FROM outbox');
  const settledUpTo = database.prepare(
    `SELECT * FROM outbox WHERE id <= ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ${CHANGES_AT_ONCE}`,
  );
  const total = database.prepare(
    'SELECT coalesce(sum(quotes), 0) AS quotes, coalesce(sum(bytes), 0) AS bytes FROM outbox',
  );
  const log = await open(`${file}-wal`);

  const waiting = { quotes: 0, bytes: 0 };
  count([changeIn({ id: 0, ...total.get() })], 1);
  /** Changes that are not on the disk, or not stored, or not shown yet. An earlier process can no longer discard its own. */
  const undecided = new Set<number>();
  const inSequence = createSequence();
  let writeFault: StorageFailureKind | null = null;
  let lastSync: Promise<void> = Promise.resolve();
  let nextSync: Promise<void> | undefined;
  let isLogDoubtful = false;
  let failures = 0;
  let isClosed = false;
  let isStopped = false;
  let cancelSending: (() => void) | undefined;
  let cancelWritingAgain = () => {};

  function count(changes: readonly WaitingChange[], sign: 1 | -1): void {
    for (const { quotes, bytes } of changes) {
      waiting.quotes += sign * quotes;
      waiting.bytes += sign * bytes;
    }
  }

  function failed(error: unknown): void {
    writeFault = error instanceof StorageFailure ? error.kind : 'input_output';
    cancelWritingAgain();
    if (!isClosed) cancelWritingAgain = clock.after(WRITE_AGAIN_AFTER_MS, () => void checkWrites());
  }

  /** One wait for the disk for all changes that gather during the last one. */
  function untilOnDisk(): Promise<void> {
    nextSync ??= lastSync
      .catch(() => {})
      .then(() => {
        nextSync = undefined;
        lastSync = sync();
        return lastSync;
      });
    return nextSync;
  }

  async function sync(): Promise<void> {
    // After a failure the log on the disk may have a gap, behind which a start would read nothing.
    if (isLogDoubtful) withStorageFailures(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    isLogDoubtful = true;
    await log.datasync().catch((cause: unknown) => {
      throw new StorageFailure('input_output', `The outbox cannot be written: ${String(cause)}.`, { cause });
    });
    isLogDoubtful = false;
  }

  async function enqueue(json: string, quotes: number): Promise<QueuedEntries> {
    let change: WaitingChange = { id: 0, quotes, bytes: json.length };
    try {
      const inserted = withStorageFailures(() => insert.run(json, quotes, json.length));
      change = { ...change, id: Number(inserted.lastInsertRowid) };
      undecided.add(change.id);
      count([change], 1);
      await untilOnDisk();
      writeFault = null;
    } catch (error) {
      discard(change);
      failed(error);
      throw error;
    }
    return {
      settle: () => undecided.delete(change.id) && sendSoon(GATHERING_MS),
      discard: () => discard(change),
    };
  }

  function discard(change: WaitingChange): void {
    if (!undecided.has(change.id) || isClosed) return;
    try {
      removeAll([change]);
      undecided.delete(change.id);
    } catch (error) {
      // Stays undecided: it is not sent before the next start.
      failed(error);
    }
  }

  function removeAll(changes: readonly WaitingChange[]): void {
    withStorageFailures(() => remove.run(JSON.stringify(changes.map(({ id }) => id))));
    count(changes, -1);
  }

  /** Why the last write failed, after another attempt; null after one that succeeded. */
  async function checkWrites(): Promise<StorageFailureKind | null> {
    if (writeFault !== null && !isClosed) {
      await enqueue('[]', 0).then(
        (attempt) => attempt.discard(),
        () => {},
      );
    }
    return writeFault;
  }

  function sendSoon(milliseconds: number): void {
    if (!isClosed) cancelSending ??= clock.after(milliseconds, () => void flushed().catch(() => {}));
  }

  /** Resolves once everything settled before is in the ledger; rejects when it cannot be sent. */
  function flushed(): Promise<void> {
    return inSequence(async () => {
      cancelSending?.();
      cancelSending = undefined;
      try {
        await sendAll();
        if (failures > 0) report('The ledger of quotes is written again.');
        failures = 0;
      } catch (error) {
        if (failures === 0) report(`The ledger of quotes cannot be written, so they wait: ${String(error)}`);
        sendSoon(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
        failures += 1;
        throw error;
      }
    });
  }

  async function sendAll(): Promise<void> {
    const last = numberIn(lastId.get() ?? {}, 'id');
    while (!isStopped) {
      const rows = withStorageFailures(() => settledUpTo.all(last, JSON.stringify([...undecided])));
      if (rows.length === 0) return;
      await writer.insert(rows.flatMap((row) => JSON.parse(textIn(row, 'json')) as readonly IssuedQuote[]));
      // If this node ends here, the next start sends them again, and the ledger takes each quote once.
      removeAll(rows.map(changeIn));
    }
    throw new StorageFailure('closed', 'The store is closed.');
  }

  async function append(quotes: readonly IssuedQuote[]): Promise<QueuedEntries> {
    if (isClosed) throw new StorageFailure('closed', 'The store is closed.');
    if (quotes.length === 0) return { settle() {}, discard() {} };
    const json = JSON.stringify(quotes);
    if (waiting.bytes + json.length <= maxBytes) return enqueue(json, quotes.length);
    throw new StorageFailure('overloaded', 'Too many quotes wait for the ledger, which cannot be written.');
  }

  /** Sends quotes for a few more seconds. The rest is sent after the next start. */
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    cancelWritingAgain();
    await untilOnDisk().catch(() => {});
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(MAX_CLOSING_MS, resolve);
    await Promise.race([flushed().catch(() => {}), isLate]);
    cancel();
    isStopped = true;
    await inSequence(async () => {});
    cancelSending?.();
    if (waiting.quotes === 0) database.exec('PRAGMA incremental_vacuum');
    await log.close();
    database.close();
  }

  if (waiting.quotes > 0) sendSoon(0);
  return {
    append,
    /** The number of quotes that are not in the ledger yet, and their size. */
    waiting: () => waiting.quotes,
    waitingBytes: () => waiting.bytes,
    writeFault: () => writeFault,
    checkWrites,
    flushed,
    close,
  };
}

function changeIn(row: SqliteRow): WaitingChange {
  return { id: numberIn(row, 'id'), quotes: numberIn(row, 'quotes'), bytes: numberIn(row, 'bytes') };
}

/** Version 0.1 queued quotes in files of its own. */
function refuseFormerQueue(directory: string): void {
  const [former] = readdirSync(directory).filter((name) => /^ledger\.\d+\.queue$/.test(name));
  if (former === undefined) return;
  const advice = 'Start and stop version 0.1 once more while PostgreSQL is up.';
  throw new StorageFailure(
    'unknown_format',
    `${former} has quotes that are not in the ledger yet. ${advice}`,
  );
}

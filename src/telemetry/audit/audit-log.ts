import { mkdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Clock, createStepWatch } from '../../clock.ts';
import { createFile } from '../../parsing/replace-file.ts';
import {
  type AuditFile,
  anchorOf,
  auditFileAfter,
  auditFilesIn,
  dayOf,
  scanFile,
  tornEndOf,
} from './audit-files.ts';
import {
  type AnchorEntry,
  type AuditRecord,
  type ChainEnd,
  type ClosedFile,
  chainedLine,
  NEW_CHAIN,
} from './audit-record.ts';

/** Chains and writes all records of a node. */
export type AuditLog = {
  /** Never throws and never waits: records that cannot be written are counted. */
  write(records: readonly AuditRecord[]): void;
  /** Writes the waiting records, if the disk permits. */
  close(): Promise<void>;
};

export type AuditLogObserver = {
  /** The file has ended. The service's log then has a copy of its last hash, outside the folder of the audit log. */
  closed(file: ClosedFile): void;
  /** The file had a torn end, which the next file records. */
  torn(file: string, bytes: number): void;
  /** The file was changed from this line on. If that was found at the start, the next file records it. */
  damaged(file: string, line: number): void;
  /** The file was deleted, moved or replaced while it was being written. */
  taken(file: string): void;
  pruned(files: readonly string[], cause: 'age' | 'size'): void;
  /** Writing failed, and will be repeated. */
  failed(error: unknown): void;
  /** These records will never be written. */
  lost(records: number): void;
};

export type AuditLogLimits = {
  readonly fileBytes: number;
  readonly queuedRecords: number;
};

const LIMITS: AuditLogLimits = { fileBytes: 32 * 1024 * 1024, queuedRecords: 20_000 };
/** So few that they occupy the event loop for about a millisecond. */
const RECORDS_AT_A_TIME = 200;
const SYNC_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** Deletion is not urgent, and a clock that was wrong at the start may have been corrected by then. */
const PRUNE_EVERY_MS = 15 * 60_000;
/** Keeps the record of it far below `MAX_LINE_BYTES`, also after a day with a restart every few seconds. */
const PRUNED_AT_A_TIME = 1_000;
const DAY_MS = 24 * 60 * 60_000;
/** Readable only by the account that runs the service: the log says who did what. */
const FILE_MODE = 0o600;

type OpenFile = {
  readonly file: AuditFile;
  readonly handle: FileHandle;
  readonly first: ChainEnd;
  end: ChainEnd;
  bytes: number;
};

/** Begins a new file, and never changes those of earlier processes. */
export function openAuditLog({
  directory,
  days,
  maxBytes = Number.POSITIVE_INFINITY,
  clock,
  observe,
  limits: { fileBytes, queuedRecords } = LIMITS,
  openForAppending = (path) => open(path, 'a'),
}: {
  readonly directory: string;
  /** How long files are retained. */
  readonly days: number;
  /** The limit of all files together: the oldest are deleted before the newest could exceed it. */
  readonly maxBytes?: number;
  readonly clock: Clock;
  readonly observe: AuditLogObserver;
  readonly limits?: AuditLogLimits;
  /** Tests replace it to simulate failing disks. */
  readonly openForAppending?: (path: string) => Promise<FileHandle>;
}): AuditLog {
  let queue: AuditRecord[] = [];
  let current: OpenFile | null = null;
  /** A file that was deleted, moved or replaced, until the next one records it. */
  let taken: OpenFile | null = null;
  let lost = 0;
  let isFailing = false;
  let isClosing = false;
  let isPruneDue = false;
  let lastPruned: OpenFile | null = null;
  let working: Promise<void> | null = null;
  let cancelRetry = () => {};
  let cancelSync: (() => void) | null = null;
  let cancelPrune = () => {};
  const wasStepped = createStepWatch(clock);
  schedulePruning();

  function wake(): void {
    working ??= work().finally(() => {
      working = null;
      // Records may have arrived between the last check and the end of the work.
      if (!isFailing && isWaiting()) wake();
    });
  }

  function isWaiting(): boolean {
    return queue.length > 0 || lost > 0 || taken !== null || isPruneDue;
  }

  async function work(): Promise<void> {
    try {
      while (isWaiting()) {
        const file = await fileToWriteTo();
        if (isPruneDue || file !== lastPruned) await prune(file);
        await append(file, nextRecords());
        isFailing = false;
      }
      // The failure may have concerned the deletion of old files, which does not wait.
      isFailing = false;
    } catch (error) {
      if (!isFailing) observe.failed(error);
      isFailing = true;
      cancelRetry();
      if (!isClosing) cancelRetry = clock.after(RETRY_AFTER_MS, wake);
    }
  }

  function nextRecords(): AuditRecord[] {
    const records = queue.splice(0, RECORDS_AT_A_TIME);
    if (lost === 0) return records;
    const lossRecord: AuditRecord = { at: clock.now(), kind: 'lost', records: lost };
    lost = 0;
    return [lossRecord, ...records];
  }

  async function fileToWriteTo(): Promise<OpenFile> {
    await noticeTaken();
    const file = current;
    if (!file) return takeUp();
    if (file.bytes < fileBytes && dayOf(clock.now()) === file.file.day) return file;
    return begin(file.file, file.end, { ...(await shut(file)), torn: null });
  }

  /** Records written to a file without a path are lost, and the next process would not know of the file. */
  async function noticeTaken(): Promise<void> {
    const file = current;
    if (!file || (await leadsTo(file.file.path, file.handle))) return;
    await letGo(file);
    taken = file;
    observe.taken(file.file.name);
    const { records } = await scanFile(file.file.path).catch(() => ({ records: 0 }));
    const gone = endOf(file).records - records;
    if (gone > 0) lose(gone);
  }

  /** Begins a file at the start, after a failed write, whose result is unknown, and after the file was taken away. */
  async function takeUp(): Promise<OpenFile> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const newest = auditFilesIn(directory).at(-1);
    if (taken) {
      const last = newest && newest.number > taken.file.number ? newest : taken.file;
      return begin(last, taken.end, { ...endOf(taken), torn: null });
    }
    if (!newest) return begin(null, NEW_CHAIN, null);
    const scanned = await scanFile(newest.path);
    const torn = scanned.end && (await tornEndOf(newest.path, scanned));
    const damaged = torn ? undefined : scanned.fault?.line;
    if (torn) observe.torn(newest.name, torn.bytes);
    if (damaged !== undefined) observe.damaged(newest.name, damaged);
    const end = scanned.end ?? NEW_CHAIN;
    return begin(newest, end, {
      ...{ file: newest.name, hash: end.hash, records: scanned.records, torn },
      ...(damaged === undefined ? {} : { damaged }),
    });
  }

  async function begin(
    last: AuditFile | null,
    end: ChainEnd,
    before: AnchorEntry['before'],
  ): Promise<OpenFile> {
    const file = auditFileAfter(directory, last, clock.now());
    const anchor = chainedLine(end, { at: clock.now(), kind: 'anchor', file: file.name, before });
    if (!createFile(file.path, anchor.text, FILE_MODE)) throw new Error(`${file.path} is there already`);
    taken = null;
    const handle = await openForAppending(file.path);
    current = { file, handle, first: end, end: anchor.end, bytes: anchor.text.length };
    return current;
  }

  async function append(
    file: OpenFile,
    records: readonly AuditRecord[],
    onUnwritten = (unwritten: readonly AuditRecord[]) => void queue.unshift(...unwritten),
  ): Promise<void> {
    if (records.length === 0) return;
    let text = '';
    let { end } = file;
    for (const record of records) {
      const line = chainedLine(end, record);
      text += line.text;
      end = line.end;
    }
    const bytes = Buffer.from(text);
    try {
      await file.handle.appendFile(bytes);
    } catch (error) {
      onUnwritten(await giveUp(file, records));
      throw error;
    }
    file.end = end;
    file.bytes += bytes.length;
    cancelSync ??= clock.after(SYNC_AFTER_MS, () => {
      cancelSync = null;
      file.handle.datasync().catch(observe.failed);
    });
  }

  /** Returns the records that are not whole in this file, for the next one. */
  async function giveUp(file: OpenFile, records: readonly AuditRecord[]): Promise<readonly AuditRecord[]> {
    await noticeTaken();
    if (taken) return records;
    await letGo(file);
    const { end } = await scanFile(file.file.path).catch(() => ({ end: null }));
    return records.slice(end ? Math.max(0, end.next - file.end.next) : 0);
  }

  async function shut(file: OpenFile): Promise<ClosedFile> {
    try {
      await file.handle.datasync();
    } finally {
      await letGo(file);
    }
    const closed = endOf(file);
    observe.closed(closed);
    return closed;
  }

  async function letGo(file: OpenFile): Promise<void> {
    current = null;
    cancelSync?.();
    cancelSync = null;
    await file.handle.close().catch(() => undefined);
  }

  function schedulePruning(): void {
    cancelPrune = clock.after(PRUNE_EVERY_MS, () => {
      // A wrong clock would delete files that are not old.
      isPruneDue = !wasStepped();
      if (isPruneDue) wake();
      schedulePruning();
    });
  }

  async function prune(file: OpenFile): Promise<void> {
    // At the start of a file only the size counts: the clock may be wrong.
    const oldest = isPruneDue ? dayOf(clock.now() - days * DAY_MS) : '';
    isPruneDue = false;
    lastPruned = file;
    const files = auditFilesIn(directory);
    const sizes = files.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    let excess = sizes.reduce((sum, size) => sum + size, fileBytes - file.bytes - maxBytes);
    let cause: 'age' | 'size' = 'age';
    const old: ClosedFile[] = [];
    for (const [position, one] of files.entries()) {
      const next = files[position + 1];
      // A file that was begun with a clock ahead of time is as old as those after it.
      const isOld = files.slice(position).some(({ day }) => day < oldest);
      if (!(isOld || excess > 0) || !next || old.length === PRUNED_AT_A_TIME) break;
      // The next file records how this one ended. If it is damaged, nothing is deleted, so that the owner can
      // examine it.
      const anchor = await anchorOf(next.path);
      if (anchor?.before?.file !== one.name) {
        observe.damaged(next.name, 1);
        break;
      }
      const { file: name, hash, records } = anchor.before;
      old.push({ file: name, hash, records });
      excess -= sizes[position] ?? 0;
      if (!isOld) cause = 'size';
    }
    if (old.length === 0) return;
    // A failed record is not repeated: it would name files that still exist. They are left to the next time.
    await append(file, [{ at: clock.now(), kind: 'pruned', files: old }], () => {});
    await file.handle.datasync();
    const names = new Set(old.map((one) => one.file));
    for (const { name, path } of files) if (names.has(name)) rmSync(path, { force: true });
    observe.pruned([...names], cause);
  }

  function lose(records: number): void {
    lost += records;
    observe.lost(records);
  }

  return {
    write(records) {
      const capacity = Math.max(0, queuedRecords - queue.length);
      queue.push(...records.slice(0, capacity));
      if (records.length > capacity) lose(records.length - capacity);
      if (!isFailing) wake();
    },
    async close() {
      isClosing = true;
      cancelPrune();
      cancelRetry();
      while (working) await working;
      await noticeTaken();
      // Try once more, even if the last attempt failed.
      if (isWaiting()) await work();
      if (queue.length > 0) lose(queue.length);
      queue = [];
      if (current) await shut(current).catch(observe.failed);
    },
  };
}

function endOf({ file, first, end }: OpenFile): ClosedFile {
  return { file: file.name, hash: end.hash, records: end.next - first.next };
}

/** Whether the path leads to the open file. True if that cannot be checked. */
async function leadsTo(path: string, handle: FileHandle): Promise<boolean> {
  try {
    const [there, open] = await Promise.all([stat(path, { bigint: true }), handle.stat({ bigint: true })]);
    return there.ino === open.ino && there.dev === open.dev;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

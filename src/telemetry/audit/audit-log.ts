import { mkdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, createStepWatch } from '../../clock.ts';
import { createFile } from '../../parsing/replace-file.ts';
import { type AuditFile, auditFile, auditFilesIn, scanFile } from './audit-files.ts';
import {
  type AuditEntry,
  type AuditRecord,
  type ChainEnd,
  chainedLine,
  NEW_CHAIN,
  type RecordAudit,
  type RefusalSum,
  refusalIn,
} from './audit-record.ts';

/** Chains and writes all records of a node. */
export type AuditLog = {
  /** Never throws and never waits: records that cannot be written are counted. */
  readonly record: RecordAudit;
  /** Writes the waiting records, if the disk permits. */
  close(): Promise<void>;
};

export type AuditLogObserver = {
  /** The file has ended. The service's log then has a copy of its last hash, outside the folder of the audit log. */
  closed(file: string, hash: string): void;
  /** The newest file had an unfinished line at the start, which the next file records. */
  torn(file: string, bytes: number): void;
  /** The newest file was changed from this line on, as was found at the start. */
  damaged(file: string, line: number): void;
  pruned(files: readonly string[]): void;
  /** Writing failed, and will be repeated. */
  failed(error: unknown): void;
  /** These records will never be written. */
  lost(records: number): void;
};

const FILE_BYTES = 32 * 1024 * 1024;
const MAX_QUEUED = 20_000;
/** For each cause and each recognised assistant, so that strangers cannot fill the disk. */
const SINGLE_REFUSALS_A_MINUTE = 60;
const MINUTE_MS = 60_000;
const GATHERED_MS = 100;
/** So few that they occupy the event loop for about a millisecond. */
const RECORDS_AT_A_TIME = 200;
const SYNC_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** Deletion for age is not urgent, and a clock that was wrong at the start may have been corrected by then. */
const PRUNE_EVERY_MS = 15 * MINUTE_MS;
const PRUNED_AT_A_TIME = 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Readable only by the account that runs the service: the log says who did what. */
const FILE_MODE = 0o600;

type OpenFile = {
  readonly file: AuditFile;
  readonly handle: FileHandle;
  readonly first: number;
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
  fileBytes = FILE_BYTES,
  openForAppending = (path) => open(path, 'a'),
}: {
  readonly directory: string;
  /** How long files are retained. */
  readonly days: number;
  /** The limit of all files together: the oldest are deleted before the newest could exceed it. */
  readonly maxBytes?: number;
  readonly clock: Clock;
  readonly observe: AuditLogObserver;
  readonly fileBytes?: number;
  /** Tests replace it to simulate failing disks. */
  readonly openForAppending?: (path: string) => Promise<FileHandle>;
}): AuditLog {
  const queue: AuditRecord[] = [];
  const refusals = new Map<string, { -readonly [Key in keyof RefusalSum]: RefusalSum[Key] }>();
  let current: OpenFile | null = null;
  /** A batch whose write failed: how much of it is in the file is found out before the next file begins. */
  let unsure: { readonly first: number; readonly records: readonly AuditRecord[] } | null = null;
  let [lost, lostReported] = [0, 0];
  let isFailing = false;
  let isClosing = false;
  let isPruneDue = false;
  let working: Promise<void> | null = null;
  let cancelWork: (() => void) | null = null;
  let cancelMinute: (() => void) | null = null;
  let cancelSync: (() => void) | null = null;
  let cancelPrune = () => {};
  const wasStepped = createStepWatch(clock);
  schedulePruning();

  function enqueue(entry: AuditEntry): void {
    if (queue.length < MAX_QUEUED) queue.push({ at: clock.now(), ...entry });
    else lost += 1;
    cancelWork ??= clock.after(GATHERED_MS, wake);
  }

  function record(entry: AuditEntry): void {
    const refusal = refusalIn(entry);
    if (refusal) {
      const key = `${refusal.outcome} ${refusal.assistant}`;
      const sum = refusals.get(key) ?? { ...refusal, requests: 0 };
      sum.requests += 1;
      refusals.set(key, sum);
      cancelMinute ??= clock.after(MINUTE_MS, endMinute);
      if (sum.requests > SINGLE_REFUSALS_A_MINUTE) return;
    }
    enqueue(entry);
  }

  function endMinute(): void {
    cancelMinute?.();
    cancelMinute = null;
    const sums = [...refusals.values()]
      .filter(({ requests }) => requests > SINGLE_REFUSALS_A_MINUTE)
      .map((sum) => ({ ...sum, requests: sum.requests - SINGLE_REFUSALS_A_MINUTE }));
    refusals.clear();
    if (sums.length > 0) enqueue({ kind: 'refusals', sums });
  }

  function wake(): void {
    cancelWork?.();
    cancelWork = null;
    working ??= work().finally(() => {
      working = null;
      if (!isClosing && isWaiting()) cancelWork ??= clock.after(isFailing ? RETRY_AFTER_MS : 0, wake);
    });
  }

  function isWaiting(): boolean {
    return queue.length > 0 || lost > 0 || unsure !== null || isPruneDue;
  }

  async function work(): Promise<void> {
    try {
      while (isWaiting()) {
        const file = await fileToWriteTo();
        if (isPruneDue) {
          isPruneDue = false;
          await prune(file, new Date(clock.now() - days * DAY_MS).toISOString().slice(0, 10));
        }
        await append(file, nextRecords());
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) observe.failed(error);
      isFailing = true;
    }
    reportLost();
  }

  function nextRecords(): readonly AuditRecord[] {
    const records = queue.splice(0, RECORDS_AT_A_TIME);
    if (lost === 0) return records;
    reportLost();
    const loss: AuditRecord = { at: clock.now(), kind: 'lost', records: lost };
    [lost, lostReported] = [0, 0];
    return [loss, ...records];
  }

  function reportLost(): void {
    if (lost > lostReported) observe.lost(lost - lostReported);
    lostReported = lost;
  }

  async function fileToWriteTo(): Promise<OpenFile> {
    if (!current) return takeUp();
    const { file, end, first, bytes } = current;
    if (bytes < fileBytes && auditFile(directory, file.number, clock.now()).day === file.day) return current;
    await shut(current);
    return begin(file.number + 1, end, { file: file.name, records: end.next - first, torn: null });
  }

  /** Begins a file at the start, and after a failed write, whose result is unknown. */
  async function takeUp(): Promise<OpenFile> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const newest = auditFilesIn(directory).at(-1);
    if (!newest) return begin(1, NEW_CHAIN, null);
    const { end, records, tornBytes, fault } = await scanFile(newest, null);
    if (fault) observe.damaged(newest.name, fault.line);
    else if (tornBytes > 0) observe.torn(newest.name, tornBytes);
    if (unsure) queue.unshift(...unsure.records.slice(Math.max(0, end.next - unsure.first)));
    unsure = null;
    const torn = fault || tornBytes === 0 ? null : { bytes: tornBytes };
    return begin(newest.number + 1, end, { file: newest.name, records, torn });
  }

  async function begin(
    number: number,
    end: ChainEnd,
    before: { file: string; records: number; torn: { bytes: number } | null } | null,
  ): Promise<OpenFile> {
    const file = auditFile(directory, number, clock.now());
    const anchor = chainedLine(end, {
      ...{ at: clock.now(), kind: 'anchor', file: file.name },
      before: before && { file: before.file, hash: end.hash, records: before.records, torn: before.torn },
    });
    if (!createFile(file.path, anchor.text, FILE_MODE)) throw new Error(`${file.path} is there already`);
    const handle = await openForAppending(file.path);
    current = { file, handle, first: end.next, end: anchor.end, bytes: anchor.text.length };
    // At the start of a file only the size counts: the clock may be wrong.
    await prune(current, '');
    return current;
  }

  async function append(file: OpenFile, records: readonly AuditRecord[]): Promise<void> {
    if (records.length === 0) return;
    let text = '';
    let { end } = file;
    for (const one of records) {
      const line = chainedLine(end, one);
      text += line.text;
      end = line.end;
    }
    try {
      await file.handle.appendFile(text);
    } catch (error) {
      unsure = { first: file.end.next, records };
      await letGo(file);
      throw error;
    }
    file.end = end;
    file.bytes += Buffer.byteLength(text);
    cancelSync ??= clock.after(SYNC_AFTER_MS, () => {
      cancelSync = null;
      file.handle.datasync().catch(observe.failed);
    });
  }

  async function shut(file: OpenFile): Promise<void> {
    try {
      await file.handle.datasync();
    } finally {
      await letGo(file);
    }
    observe.closed(file.file.name, file.end.hash);
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

  /** Deletes the oldest files: those begun before a day, and those without which the rest does not exceed the limit. */
  async function prune(file: OpenFile, oldest: string): Promise<void> {
    const files = auditFilesIn(directory).filter(({ number }) => number < file.file.number);
    const sizes = files.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    let excess = sizes.reduce((sum, size) => sum + size, fileBytes - maxBytes);
    const old: AuditFile[] = [];
    for (const [at, one] of files.entries()) {
      if ((one.day >= oldest && excess <= 0) || old.length === PRUNED_AT_A_TIME) break;
      old.push(one);
      excess -= sizes[at] ?? 0;
    }
    if (old.length === 0) return;
    const names = old.map(({ name }) => name);
    await append(file, [{ at: clock.now(), kind: 'pruned', files: names.map((name) => ({ file: name })) }]);
    await file.handle.datasync();
    for (const { path } of old) rmSync(path, { force: true });
    observe.pruned(names);
  }

  return {
    record,
    async close() {
      endMinute();
      isClosing = true;
      cancelPrune();
      cancelWork?.();
      await working;
      // Try once more, even if the last attempt failed.
      if (isWaiting()) await work();
      lost += queue.length + (unsure?.records.length ?? 0);
      reportLost();
      if (current) await shut(current).catch(observe.failed);
    },
  };
}

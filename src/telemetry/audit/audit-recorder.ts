import type { Clock } from '../../clock.ts';
import {
  type AuditRecord,
  CONSOLE_ACTIONS,
  type RecordAudit,
  type SummedRefusalsEntry,
} from './audit-record.ts';

/** Gathers the records of a thread on their way to the log. */
export type AuditRecorder = {
  readonly record: RecordAudit;
  /** Hands on whatever it has. */
  close(): void;
};

const GATHERED_MS = 100;
const GATHERED_RECORDS = 500;
const MINUTE_MS = 60_000;
/** For each cause, and each assistant that was recognised: strangers must not fill the disk. */
const SINGLE_REFUSALS_A_MINUTE = 60;

/** `record` only keeps the record, because it runs at the end of every request. */
export function createAuditRecorder({
  clock,
  send,
  singleRefusals = SINGLE_REFUSALS_A_MINUTE,
}: {
  readonly clock: Clock;
  readonly send: (records: readonly AuditRecord[]) => void;
  readonly singleRefusals?: number;
}): AuditRecorder {
  let gathered: AuditRecord[] = [];
  let cancelSending = () => {};
  let cancelMinute = () => {};
  /** Refusals of this minute, by cause and assistant. */
  const refusals = new Map<string, RefusalCount>();

  function flush(): void {
    cancelSending();
    const records = gathered;
    gathered = [];
    if (records.length > 0) send(records);
  }

  function gather(record: AuditRecord): void {
    const count = gathered.push(record);
    if (count === 1) cancelSending = clock.after(GATHERED_MS, flush);
    if (count >= GATHERED_RECORDS) flush();
  }

  function isSummed({ outcome, assistant }: AuditedRefusal): boolean {
    if (refusals.size === 0) cancelMinute = clock.after(MINUTE_MS, endMinute);
    const key = `${outcome} ${assistant}`;
    const known = refusals.get(key);
    if (known) known.requests += 1;
    else refusals.set(key, { outcome, assistant, requests: 1 });
    return known !== undefined && known.requests > singleRefusals;
  }

  function endMinute(): void {
    cancelMinute();
    const sums = [...refusals.values()]
      .filter(({ requests }) => requests > singleRefusals)
      .map((sum) => ({ ...sum, requests: sum.requests - singleRefusals }));
    refusals.clear();
    if (sums.length > 0) gather({ at: clock.now(), kind: 'refusals', sums });
  }

  return {
    record(record) {
      const refusal = refusalIn(record);
      if (refusal && isSummed(refusal)) return;
      gather(record);
    },
    close() {
      endMinute();
      flush();
    },
  };
}

type RefusalCount = { -readonly [Key in keyof Sum]: Sum[Key] };
type Sum = SummedRefusalsEntry['sums'][number];
type AuditedRefusal = Pick<Sum, 'outcome' | 'assistant'>;

/** Of those who have proven who they are. */
const REFUSED_THOUGH_RECOGNISED: ReadonlySet<string> = new Set(['suspended', 'rate_limited']);

/** Of access, for having asked too often, or in the console of somebody who is not its owner; undefined for any other record. */
function refusalIn(record: AuditRecord): AuditedRefusal | undefined {
  if (record.kind === 'console') {
    const { action } = record;
    return CONSOLE_ACTIONS[action] === 'strangers' ? { outcome: action, assistant: null } : undefined;
  }
  if (record.kind !== 'request') return undefined;
  const { who, outcome } = record;
  const isRefused = who === null || who.way === null || REFUSED_THOUGH_RECOGNISED.has(outcome);
  return isRefused ? { outcome, assistant: who?.assistant ?? null } : undefined;
}

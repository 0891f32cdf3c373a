import { isDeepStrictEqual } from 'node:util';
import type { AccessDecision } from '../../access/caller-facts.ts';
import type { Assistant, Recognition } from '../../access/registry/assistant-registry.ts';
import { describeWay, risksOfAssistant } from '../../access/registry/recognition-ways.ts';
import type { Clock } from '../../clock.ts';
import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { operationAt } from '../../contract/operations.ts';
import type { FinishedRequest } from '../../requests/request-observer.ts';
import {
  type AssistantChange,
  type AuditRecord,
  CONSOLE_ACTIONS,
  MAX_LINE_BYTES,
  type RecordAudit,
  type RequestEntry,
  type SummedRefusalsEntry,
} from './audit-record.ts';

/** Batches records for the log. */
type AuditRecorder = {
  readonly record: RecordAudit;
  /** Sends all gathered records. */
  close(): void;
};

const GATHERED_MS = 100;
const GATHERED_RECORDS = 500;
const MINUTE_MS = 60_000;
/** For each cause and each recognised assistant, so that strangers cannot fill the disk. */
const SINGLE_REFUSALS_A_MINUTE = 60;

/** `record` only appends to an array, because it runs at the end of every request. */
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

/** Refusals of callers that have proven their identity. */
const REFUSED_THOUGH_RECOGNISED: ReadonlySet<string> = new Set(['suspended', 'rate_limited']);

/** The refusal in a record: of access, of a limit, or of a stranger in the console; undefined for any other record. */
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

/** Only identifiers, codes and names of a closed set. Addresses, paths and headers stay out. */
export function auditEntry(request: FinishedRequest, access: AccessDecision): RequestEntry {
  const { operation, path, tools, status, error, requestId } = request;
  // A refused request has no operation, but was addressed to one.
  const what = operation !== 'other' ? operation : path === MCP_SERVER.path ? 'mcp' : operationAt(path);
  return {
    kind: 'request',
    who: access.assistant === null ? null : { assistant: access.assistant, way: access.way },
    what: what ?? operation,
    ...(tools.length > 0 ? { tools } : {}),
    status,
    outcome: access.kind === 'refused' ? access.cause : (error ?? 'done'),
    request: requestId,
  };
}

/** Bounds the size of a record, whatever the registry holds. */
const MAX_DESCRIBED = 10;
/** Far below the limit of readers. The longest change has a tenth of it. */
const MAX_RECORD_BYTES = MAX_LINE_BYTES / 4;

/** The changes of a registry, grouped into audit records. At the start `before` is empty, so that the whole registry is recorded. */
export function registryChanges(
  before: readonly Assistant[],
  after: readonly Assistant[],
): readonly (readonly AssistantChange[])[] {
  const earlier = new Map(before.map((one) => [one.id, one]));
  const later = new Map(after.map((one) => [one.id, one]));
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((id) =>
    changeOf(id, earlier.get(id), later.get(id)),
  );
  return inRecords(changes);
}

function inRecords(changes: readonly AssistantChange[]): readonly (readonly AssistantChange[])[] {
  const records: AssistantChange[][] = [];
  let capacity = 0;
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change));
    if (bytes > capacity) {
      records.push([]);
      capacity = MAX_RECORD_BYTES;
    }
    records.at(-1)?.push(change);
    capacity -= bytes;
  }
  return records;
}

/** No change, or one. */
function changeOf(
  assistant: string,
  before: Assistant | undefined,
  after: Assistant | undefined,
): readonly AssistantChange[] {
  const state = { assistant, from: before?.status ?? null, to: after?.status ?? null };
  if (!after) return [state];
  const changed = before ? changedIn(before, after) : [];
  if (before && changed.length === 0 && state.from === state.to) return [];
  const known = before?.recognisedBy ?? [];
  const added = unknownIn(known, after.recognisedBy);
  const removed = unknownIn(after.recognisedBy, known);
  const risks = newRisks(before, after);
  return [
    {
      ...state,
      ...(changed.length > 0 ? { changed } : {}),
      ...(added.length + removed.length > 0
        ? { ways: { added: describeWays(added), removed: describeWays(removed) } }
        : {}),
      ...(changed.includes('limits') || (!before && after.limits) ? { limits: { ...after.limits } } : {}),
      ...(risks.length > 0 ? { risks: risks.slice(0, MAX_DESCRIBED) } : {}),
    },
  ];
}

function changedIn(before: Assistant, after: Assistant): ('name' | 'ways' | 'limits')[] {
  return [
    ...(before.name === after.name ? [] : ['name' as const]),
    ...(isDeepStrictEqual(before.recognisedBy, after.recognisedBy) ? [] : ['ways' as const]),
    ...(isDeepStrictEqual(before.limits, after.limits) ? [] : ['limits' as const]),
  ];
}

/** Includes ways that differ only in unrecorded parts, such as the query of a URL. */
function unknownIn(known: readonly Recognition[], ways: readonly Recognition[]): readonly Recognition[] {
  return ways.filter((way) => !known.some((other) => isDeepStrictEqual(way, other)));
}

/** The risks of a suspended assistant are new when it is approved. */
function newRisks(before: Assistant | undefined, after: Assistant): readonly string[] {
  const known = before ? risksOfAssistant(before) : [];
  return risksOfAssistant(after).filter((risk) => !known.includes(risk));
}

function describeWays(ways: readonly Recognition[]): readonly string[] {
  const listed = ways.slice(0, MAX_DESCRIBED).map(describeWay);
  return ways.length > MAX_DESCRIBED ? [...listed, `and ${ways.length - MAX_DESCRIBED} more`] : listed;
}

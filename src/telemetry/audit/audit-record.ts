import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AccessDecision } from '../../access/caller-facts.ts';
import type { Assistant, Recognition } from '../../access/registry/assistant-registry.ts';
import { describeWay } from '../../access/registry/recognition-ways.ts';
import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { operationAt } from '../../contract/operations.ts';
import type { FinishedRequest } from '../../requests/request-observer.ts';

/**
 * An entry of the audit log. Every text in it comes from a closed set, the registry or the owner's settings, and none from a caller, so the
 * log holds no token, no address and no caller's words.
 */
export type AuditEntry =
  | RequestEntry
  /** Refusals beyond the number that is written singly in a minute. */
  | { readonly kind: 'refusals'; readonly sums: readonly RefusalSum[] }
  | { readonly kind: 'started'; readonly node: string; readonly version: string }
  | { readonly kind: 'stopped' }
  /** Lists the whole registry when the service starts. */
  | RegistryEntry
  | { readonly kind: 'published_list'; readonly list: string; readonly state: 'on' | 'off' }
  | ConsoleEntry
  /** The number of records that could not be written because the disk was full or too many waited. */
  | { readonly kind: 'lost'; readonly records: number }
  /** Written before files are deleted because of their age or size, so that the deletion does not look like tampering. */
  | { readonly kind: 'pruned'; readonly files: readonly { readonly file: string }[] }
  /** The first record of every file, with the end of the file before; null in the very first file. */
  | { readonly kind: 'anchor'; readonly file: string; readonly before: FileBefore | null };

export type AuditRecord = AuditEntry & {
  /** Epoch milliseconds. */
  readonly at: number;
};

export type RecordAudit = (entry: AuditEntry) => void;

type RequestEntry = {
  readonly kind: 'request';
  /** Null for strangers. The way is null for an assistant whose signature the request only claims to have. */
  readonly who: { readonly assistant: string; readonly way: string | null } | null;
  /** The operation or the transport. */
  readonly what: string;
  /** The MCP tools that were called; `unknown` for any other name. */
  readonly tools?: readonly string[];
  readonly status: number;
  /** `done`, the code of the error, or why access was refused. */
  readonly outcome: string;
  readonly request: string;
};

type RegistryEntry = {
  readonly kind: 'registry';
  readonly changes: readonly AssistantChange[];
  readonly start?: true;
};

export type RefusalSum = {
  readonly outcome: string;
  readonly assistant: string | null;
  readonly requests: number;
};

export type AssistantChange = {
  readonly assistant: string;
  /** The state before; null for an assistant that was not in the registry. `to` is null for one that no longer is. */
  readonly from: string | null;
  readonly to: string | null;
  /** Other changed members; absent for a new assistant. */
  readonly changed?: readonly ('name' | 'ways' | 'limits')[];
  /** The added and removed ways of recognition, in a few words each. */
  readonly ways?: { readonly added: readonly string[]; readonly removed: readonly string[] };
};

/** An action in the owner's console, and the brand or the assistant concerned, if any. */
export type ConsoleEntry = {
  readonly kind: 'console';
  readonly action: ConsoleAction;
  readonly about: string | null;
};

/** Who can cause each action: strangers must not fill the disk. */
export const CONSOLE_ACTIONS = {
  signed_in: 'owner',
  signed_out: 'owner',
  /** The password was wrong. */
  sign_in_refused: 'strangers',
  /** After too many wrong passwords, none was checked. */
  sign_in_limited: 'strangers',
  /** No password is set yet. */
  sign_in_impossible: 'strangers',
  /** The form was not sent from a page of the console. */
  form_refused: 'strangers',
  paused: 'owner',
  resumed: 'owner',
  reading_requested: 'owner',
  suspended: 'owner',
  approved: 'owner',
  password_changed: 'owner',
} as const satisfies Readonly<Record<string, 'owner' | 'strangers'>>;
export type ConsoleAction = keyof typeof CONSOLE_ACTIONS;

type FileBefore = {
  readonly file: string;
  /** The hash of its last whole record. */
  readonly hash: string;
  /** The number of its whole records. */
  readonly records: number;
  /** The unfinished line that a crash left behind them. */
  readonly torn: { readonly bytes: number } | null;
};

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

/** Refusals of callers that have proven their identity. */
const REFUSED_THOUGH_RECOGNISED: ReadonlySet<string> = new Set(['suspended', 'rate_limited']);

/** The refusal in an entry: of access, of a limit, or of a stranger in the console; undefined for any other entry. */
export function refusalIn(entry: AuditEntry): Omit<RefusalSum, 'requests'> | undefined {
  if (entry.kind === 'console') {
    const { action } = entry;
    return CONSOLE_ACTIONS[action] === 'strangers' ? { outcome: action, assistant: null } : undefined;
  }
  if (entry.kind !== 'request') return undefined;
  const { who, outcome } = entry;
  const isRefused = who === null || who.way === null || REFUSED_THOUGH_RECOGNISED.has(outcome);
  return isRefused ? { outcome, assistant: who?.assistant ?? null } : undefined;
}

const CHANGES_IN_RECORD = 50;
const MAX_WAYS = 10;

/** The changes of a registry. At the start `before` is empty, so that the whole registry is recorded. */
export function registryEntries(
  before: readonly Assistant[],
  after: readonly Assistant[],
): readonly RegistryEntry[] {
  const earlier = new Map(before.map((one) => [one.id, one]));
  const later = new Map(after.map((one) => [one.id, one]));
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap(
    (id) => changeOf(id, earlier.get(id), later.get(id)) ?? [],
  );
  return Array.from({ length: Math.ceil(changes.length / CHANGES_IN_RECORD) }, (_, at) => ({
    kind: 'registry',
    changes: changes.slice(at * CHANGES_IN_RECORD, (at + 1) * CHANGES_IN_RECORD),
  }));
}

function changeOf(
  assistant: string,
  before: Assistant | undefined,
  after: Assistant | undefined,
): AssistantChange | null {
  const state = { assistant, from: before?.status ?? null, to: after?.status ?? null };
  if (!after) return state;
  const changed: AssistantChange['changed'] = before
    ? [
        ...(before.name === after.name ? [] : ['name' as const]),
        ...(isDeepStrictEqual(before.recognisedBy, after.recognisedBy) ? [] : ['ways' as const]),
        ...(isDeepStrictEqual(before.limits, after.limits) ? [] : ['limits' as const]),
      ]
    : [];
  if (before && changed.length === 0 && state.from === state.to) return null;
  const ways = {
    added: newWays(before?.recognisedBy ?? [], after.recognisedBy),
    removed: newWays(after.recognisedBy, before?.recognisedBy ?? []),
  };
  return {
    ...state,
    ...(changed.length > 0 ? { changed } : {}),
    ...(ways.added.length + ways.removed.length > 0 ? { ways } : {}),
  };
}

/** Includes ways that differ only in unrecorded parts, such as the query of a URL. */
function newWays(known: readonly Recognition[], ways: readonly Recognition[]): readonly string[] {
  const added = ways.filter((way) => !known.some((other) => isDeepStrictEqual(way, other)));
  const listed = added.slice(0, MAX_WAYS).map(describeWay);
  return added.length > MAX_WAYS ? [...listed, `and ${added.length - MAX_WAYS} more`] : listed;
}

/** The hash of the last record, and the number of the next one. */
export type ChainEnd = { readonly hash: string; readonly next: number };

export const NEW_CHAIN: ChainEnd = { hash: '0'.repeat(64), next: 1 };

/** A record as read from a file. */
export type ChainedRecord = AuditEntry & {
  readonly prev: string;
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
};

/**
 * A line of the log, with its newline. `prev` is the hash of the line before; `hash` is the SHA-256 of all bytes of this line before
 * `,"hash"`. docs/audit-log.md documents this form for other verifiers.
 */
export function chainedLine(
  { hash: prev, next }: ChainEnd,
  { at, ...entry }: AuditRecord,
): { readonly text: string; readonly end: ChainEnd } {
  const open = `{"prev":"${prev}","seq":${next},"at":"${new Date(at).toISOString()}",${JSON.stringify(entry).slice(1, -1)}`;
  const own = hash('sha256', open);
  return { text: `${open},"hash":"${own}"}\n`, end: { hash: own, next: next + 1 } };
}

const ENDING = /^,"hash":"([0-9a-f]{64})"\}$/;
const ENDING_BYTES = ',"hash":""}'.length + NEW_CHAIN.hash.length;

/** Expects a line without its newline. Undefined for a line that was changed. */
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

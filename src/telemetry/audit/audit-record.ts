import { hash } from 'node:crypto';

/**
 * An entry of the audit log. Every text in it comes from a closed set, the registry or the owner's settings, and none from a caller, so the
 * log holds no token, no address and no caller's words.
 */
export type AuditEntry =
  | RequestEntry
  | SummedRefusalsEntry
  | { readonly kind: 'started'; readonly node: string; readonly version: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'registry';
      readonly changes: readonly AssistantChange[];
      /** Lists the whole registry when the service starts, new or not. */
      readonly start?: true;
    }
  | { readonly kind: 'published_list'; readonly list: string; readonly state: 'on' | 'off' }
  | ConsoleEntry
  /**
   * The number of records that could not be written because the disk was full or too many waited, or that were taken away with their open
   * file.
   */
  | { readonly kind: 'lost'; readonly records: number }
  /** Written before files are deleted because of their age or size, so that the deletion does not look like tampering. */
  | { readonly kind: 'pruned'; readonly files: readonly ClosedFile[] }
  | AnchorEntry;

export type AuditRecord = AuditEntry & {
  /** Epoch milliseconds. */
  readonly at: number;
};

export type RecordAudit = (record: AuditRecord) => void;

export type RequestEntry = {
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

/** Refusals beyond the number that is written singly in a minute. */
export type SummedRefusalsEntry = {
  readonly kind: 'refusals';
  readonly sums: readonly {
    readonly outcome: string;
    readonly assistant: string | null;
    readonly requests: number;
  }[];
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
  /** The new limits, if they changed; a limit without a value follows the settings. */
  readonly limits?: Readonly<Record<string, number | undefined>>;
  /** Why the added ways admit other callers too. */
  readonly risks?: readonly string[];
};

/** An action in the owner's console. */
export type ConsoleEntry = {
  readonly kind: 'console';
  readonly action: ConsoleAction;
  /** The brand or the assistant concerned, if any. */
  readonly about: string | null;
};

/**
 * Who can cause each action. Those of strangers are written singly a few times a minute and then as a sum, so that strangers cannot fill
 * the disk.
 */
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

/** The end of a file, to which the next one is chained. */
export type ClosedFile = {
  readonly file: string;
  /** The hash of its last whole record. */
  readonly hash: string;
  /** The number of its whole records. */
  readonly records: number;
};

/** The first record of every file. */
export type AnchorEntry = {
  readonly kind: 'anchor';
  /** The file of this record. */
  readonly file: string;
  /** Null in the very first file. */
  readonly before: FileBefore | null;
};

type FileBefore = ClosedFile & {
  readonly torn: TornEnd | null;
  /** The first changed line when this file was begun. Recorded here, because the file before could be repaired later. */
  readonly damaged?: number;
};

/** The unfinished line that a crash left behind the last whole record of a file. */
export type TornEnd = { readonly bytes: number; readonly sha256: string };

/** Stands for the previous hash in the very first record. */
const NO_HASH = '0'.repeat(64);

/** No record may be longer, so that a file without newlines cannot fill a reader's memory. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** The point at which a chain continues. */
export type ChainEnd = {
  /** The hash of the last record. */
  readonly hash: string;
  /** The number of the next record. */
  readonly next: number;
};

export const NEW_CHAIN: ChainEnd = { hash: NO_HASH, next: 1 };

/** A record as read from a file. */
export type ChainedRecord = AuditEntry & Chained;

export type Chained = {
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
  return { text: `${open}${ENDING_BEFORE}${own}${ENDING_AFTER}\n`, end: { hash: own, next: next + 1 } };
}

const ENDING_BEFORE = ',"hash":"';
const ENDING_AFTER = '"}';
const ENDING = /^,"hash":"([0-9a-f]{64})"\}$/;
const ENDING_BYTES = ENDING_BEFORE.length + NO_HASH.length + ENDING_AFTER.length;

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

import { hash } from 'node:crypto';

/**
 * What is written down. Every text in it comes from a closed set, the registry or the settings of the owner, and none from a caller:
 * whoever reads the log finds no token, no address and nobody's words in it.
 */
export type AuditEntry =
  | RequestEntry
  | SummedRefusalsEntry
  | { readonly kind: 'started'; readonly node: string; readonly version: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'registry';
      readonly changes: readonly AssistantChange[];
      /** All that is in it when the service starts, be it new or not. */
      readonly start?: true;
    }
  | { readonly kind: 'published_list'; readonly list: string; readonly state: 'on' | 'off' }
  | ConsoleEntry
  /** Its last records, of a tenth of a second at most, may be missing. */
  | { readonly kind: 'thread_ended'; readonly thread: number }
  /** So many could not be written, because the disk was full or too many waited, or were taken away with their file while it was open. */
  | { readonly kind: 'lost'; readonly records: number }
  /** Written before they are deleted because of their age or size, so that nobody takes it for tampering. */
  | { readonly kind: 'pruned'; readonly files: readonly ClosedFile[] }
  | AnchorEntry;

export type AuditRecord = AuditEntry & {
  /** Epoch milliseconds. */
  readonly at: number;
};

export type RecordAudit = (record: AuditRecord) => void;

export type RequestEntry = {
  readonly kind: 'request';
  /** Null for strangers. The way is null for one whose signature the request only claims to have. */
  readonly who: { readonly assistant: string; readonly way: string | null } | null;
  /** The operation or the door. */
  readonly what: string;
  /** Those that were called through a door for models; `unknown` for any other name. */
  readonly tools?: readonly string[];
  readonly status: number;
  /** `done`, the code of the error, or why access was refused. */
  readonly outcome: string;
  readonly request: string;
};

/** Refusals beyond those of a minute that are written singly. */
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
  /** Its state; null for one that was not, or is no longer, in the registry. */
  readonly from: string | null;
  readonly to: string | null;
  /** What else is not as it was; left out for one that was not there. */
  readonly changed?: readonly ('name' | 'ways' | 'limits')[];
  /** The ways of recognition that it got and lost, in a few words each. */
  readonly ways?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** As they are from now on, where they are others; what is not named is as in the settings. */
  readonly limits?: Readonly<Record<string, number | undefined>>;
  /** Why ways that it got let in others too. */
  readonly risks?: readonly string[];
};

/** What was done in the console of the owner. */
export type ConsoleEntry = {
  readonly kind: 'console';
  readonly action: ConsoleAction;
  /** The brand or the assistant that it is about; null where it is about none. */
  readonly about: string | null;
};

/** Who can cause each. What strangers can cause is written singly a few times a minute and then as a sum: they must not fill the disk. */
export const CONSOLE_ACTIONS = {
  signed_in: 'owner',
  signed_out: 'owner',
  /** The password was wrong. */
  sign_in_refused: 'strangers',
  /** After too many wrong passwords none was looked at. */
  sign_in_limited: 'strangers',
  /** There is no password yet. */
  sign_in_impossible: 'strangers',
  /** It was not sent from a page of the console. */
  form_refused: 'strangers',
  paused: 'owner',
  resumed: 'owner',
  reading_requested: 'owner',
  suspended: 'owner',
  approved: 'owner',
  password_changed: 'owner',
} as const satisfies Readonly<Record<string, 'owner' | 'strangers'>>;
export type ConsoleAction = keyof typeof CONSOLE_ACTIONS;

/** The end of a file, by which the next one holds on to it. */
export type ClosedFile = {
  readonly file: string;
  /** Of its last whole record. */
  readonly hash: string;
  /** Its whole records. */
  readonly records: number;
};

/** The first record of every file. */
export type AnchorEntry = {
  readonly kind: 'anchor';
  /** The file that it is in. */
  readonly file: string;
  /** Null in the first file of all. */
  readonly before: FileBefore | null;
};

type FileBefore = ClosedFile & {
  readonly torn: TornEnd | null;
  /** The line from which on it was not as it was written when this file was begun. Said here, because it could be made to look whole later. */
  readonly damaged?: number;
};

/** The unfinished line that a crash left behind the last whole record of a file. */
export type TornEnd = { readonly bytes: number; readonly sha256: string };

/** What the first record of all has in place of the hash of the one before. */
const NO_HASH = '0'.repeat(64);

/** A file without newlines must not fill the memory of whoever reads it, so no record may be longer. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Where a chain goes on. */
export type ChainEnd = {
  /** Of the last record. */
  readonly hash: string;
  /** The number of the next record. */
  readonly next: number;
};

export const NEW_CHAIN: ChainEnd = { hash: NO_HASH, next: 1 };

/** A record as it is found in a file. */
export type ChainedRecord = AuditEntry & Chained;

export type Chained = {
  readonly prev: string;
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
};

/**
 * A line of the log, with its newline. `prev` is the hash of the line before; `hash` is the SHA-256 of every byte of this line that
 * stands before `,"hash"`. docs/audit-log.md promises this form to those who verify it with other tools.
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

/** Undefined for a line, without its newline, that is not as it was written. */
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

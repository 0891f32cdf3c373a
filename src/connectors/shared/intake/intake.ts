import type { BrandId } from '../../../catalogue/catalogue.ts';
import type { FailureKind } from '../../../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import type { INTAKE_TASKS } from '../../tasks.ts';

/**
 * Reads what operators send, away from the event loop: decoding, parsing, checking and cleaning a document can take
 * seconds, and its sender decides how many. Every error is a `BookingSystemFailure`.
 */
export type Intake = {
  run<Name extends IntakeTaskName>(order: IntakeOrder<Name>): Promise<IntakeResult<Name>>;
  /** Somebody will order on the lane: what it takes to begin is done now, so that no price waits for it. */
  prepare?(lane: IntakeLaneName): void;
  /** Orders that are not finished fail. */
  close(): Promise<void>;
};

/**
 * A traveller waits for live work, so it never queues behind what is read in the background; and an answer or a document
 * of some kilobytes never behind a document of some megabytes that another brand is priced from.
 */
export type IntakeLaneName = 'live' | 'live_document' | 'background';

export type IntakeOrder<Name extends IntakeTaskName = IntakeTaskName> = {
  readonly task: Name;
  readonly lane: IntakeLaneName;
  /** Brands take turns, so that one with much to read delays itself. */
  readonly brand: BrandId;
  /** Its memory moves to another thread: nobody may use it after this. */
  readonly document: OwnedBytes;
  readonly parameters: IntakeParameters<Name>;
  readonly signal: AbortSignal;
  /** Gets the items as they are read; `bytes` is their weight. What it throws ends the reading, and is what `run` rejects with. */
  readonly take: (items: readonly IntakeItem<Name>[], bytes: number) => void;
  /** Whether the result brings the document back. */
  readonly returnsDocument?: boolean;
};

export type IntakeResult<Name extends IntakeTaskName> = {
  readonly summary: IntakeSummary<Name>;
  /** Null unless it was asked for. */
  readonly document: OwnedBytes | null;
};

export type IntakeTaskName = keyof typeof INTAKE_TASKS;
export type IntakeParameters<Name extends IntakeTaskName> = Parameters<(typeof INTAKE_TASKS)[Name]>[1];
type TaskGenerator<Name extends IntakeTaskName> = ReturnType<(typeof INTAKE_TASKS)[Name]>;
export type IntakeItem<Name extends IntakeTaskName> =
  TaskGenerator<Name> extends Generator<infer Item> ? Item : never;
export type IntakeSummary<Name extends IntakeTaskName> =
  TaskGenerator<Name> extends Generator<unknown, infer Summary> ? Summary : never;

/** To the reading thread. One document at a time, and the next chunk of it only on demand: several at once would hold the event loop. */
export type IntakeRequest =
  | {
      readonly kind: 'start';
      readonly task: IntakeTaskName;
      readonly document: OwnedBytes;
      readonly parameters: unknown;
      readonly returnsDocument: boolean;
    }
  | { readonly kind: 'next' }
  /** Nobody wants the rest of the document. */
  | { readonly kind: 'drop' };

/** From the reading thread: once it is up, and then once for every `start` and `next`. */
export type IntakeReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'chunk'; readonly items: readonly unknown[]; readonly bytes: number }
  | { readonly kind: 'done'; readonly summary: unknown; readonly document: OwnedBytes | null }
  | { readonly kind: 'failed'; readonly failure: FailureKind; readonly message: string };

import type { BrandId } from '../../../catalogue/catalogue.ts';
import type { FailureKind } from '../../../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import type { INTAKE_TASKS } from '../../tasks.ts';

/**
 * Reads documents of operators off the event loop: decoding, parsing, checking and cleaning one can take seconds, and its sender
 * decides how many. Every error is a `BookingSystemFailure`.
 */
export type Intake = {
  run<Name extends IntakeTaskName>(order: IntakeOrder<Name>): Promise<IntakeResult<Name>>;
  /** Orders that are not finished fail. */
  close(): Promise<void>;
};

/** Live work never queues behind background work, because a traveller waits for it. */
export type IntakeLaneName = 'live' | 'background';

export type IntakeOrder<Name extends IntakeTaskName = IntakeTaskName> = {
  readonly task: Name;
  readonly lane: IntakeLaneName;
  /** Brands take turns, so that one with many documents delays only itself. */
  readonly brand: BrandId;
  /** Its memory moves to another thread: do not use it afterwards. */
  readonly document: OwnedBytes;
  readonly parameters: IntakeParameters<Name>;
  readonly signal: AbortSignal;
  /** Gets the items as they are read; `bytes` is their weight. If it throws, the reading ends and `run` rejects with that error. */
  readonly take: (items: readonly IntakeItem<Name>[], bytes: number) => void;
  /** Whether the result includes the document. */
  readonly returnsDocument?: boolean;
};

export type IntakeResult<Name extends IntakeTaskName> = {
  readonly summary: IntakeSummary<Name>;
  /** Null unless `returnsDocument` was set. */
  readonly document: OwnedBytes | null;
};

export type IntakeTaskName = keyof typeof INTAKE_TASKS;
export type IntakeParameters<Name extends IntakeTaskName> = Parameters<(typeof INTAKE_TASKS)[Name]>[1];
type TaskGenerator<Name extends IntakeTaskName> = ReturnType<(typeof INTAKE_TASKS)[Name]>;
export type IntakeItem<Name extends IntakeTaskName> =
  TaskGenerator<Name> extends Generator<infer Item> ? Item : never;
export type IntakeSummary<Name extends IntakeTaskName> =
  TaskGenerator<Name> extends Generator<unknown, infer Summary> ? Summary : never;

/** To the reading thread. One document at a time, and each chunk only on demand: several together would block the event loop. */
export type IntakeRequest =
  | {
      readonly kind: 'start';
      readonly task: IntakeTaskName;
      readonly document: OwnedBytes;
      readonly parameters: unknown;
      readonly returnsDocument: boolean;
    }
  | { readonly kind: 'next' }
  /** Skip the rest of the document. */
  | { readonly kind: 'drop' };

/** From the reading thread: once when it has started, then once for each `start` and `next`. */
export type IntakeReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'chunk'; readonly items: readonly unknown[]; readonly bytes: number }
  | { readonly kind: 'done'; readonly summary: unknown; readonly document: OwnedBytes | null }
  | { readonly kind: 'failed'; readonly failure: FailureKind; readonly message: string };

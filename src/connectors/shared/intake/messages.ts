import type { FailureKind } from '../../../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import type { IntakeTaskName } from './intake.ts';

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

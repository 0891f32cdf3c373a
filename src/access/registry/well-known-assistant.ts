import type { AssistantId } from '../../sessions/session.ts';
import type { WayInDocument } from './registry-file.ts';

/** An assistant that this software knows. It may call only once the owner has approved it by its id. */
export type WellKnownAssistant = {
  readonly id: AssistantId;
  readonly name: string;
  /** What it is, for an owner who wonders whom to approve. Where that was seen is in docs/known-assistants.md. */
  readonly about: string;
  readonly recognisedBy: readonly WayInDocument[];
  readonly snapshots: readonly RangesSnapshot[];
};

/** What was published at an address on a day. */
export type RangesSnapshot = {
  readonly url: string;
  /** `YYYY-MM-DD` */
  readonly takenAt: string;
  readonly cidrs: readonly string[];
};

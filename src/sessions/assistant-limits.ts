import type { AssistantId } from './session.ts';

/** What the owner allows one assistant as a whole, over all of its sessions and addresses. */
export type AssistantLimits = {
  /** In a window of the rate limit. */
  readonly requests?: number | undefined;
  /** Open at a time, in place of the settings, as what they keep in the store is. */
  readonly sessions?: number | undefined;
  readonly megabytes?: number | undefined;
  /** Which ask operators at the same time. */
  readonly searches?: number | undefined;
};

/** Asked at each use, because owners change limits while the service runs. */
export type LimitsOf = (assistant: AssistantId) => AssistantLimits;

export type LimitedAssistant = { readonly id: AssistantId; readonly limits?: AssistantLimits | undefined };

const NONE: AssistantLimits = {};

/** Of a list that is replaced as a whole when it changes. */
export function createLimitsOf(assistants: () => readonly LimitedAssistant[]): LimitsOf {
  let known: readonly LimitedAssistant[] | undefined;
  let limits = new Map<AssistantId, AssistantLimits>();
  return (assistant) => {
    const latest = assistants();
    if (latest !== known) {
      known = latest;
      limits = new Map(latest.map((one) => [one.id, one.limits ?? NONE]));
    }
    return limits.get(assistant) ?? NONE;
  };
}

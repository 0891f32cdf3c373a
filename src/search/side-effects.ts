import { revisionOfServiceKey } from '../sessions/idempotency.ts';
import type { SideEffects } from './answer-writer.ts';
import { type Decision, NOTHING_CLEARED } from './decide-step.ts';
import type { StepRequest } from './step-request.ts';
import type { UnsearchableScope } from './undecided-scope.ts';

export function sideEffectsOf(request: StepRequest, decision: Decision | UnsearchableScope): SideEffects {
  const fulfilled = decision.kind === 'unread' ? undefined : decision.fulfilled;
  return {
    cleared: decision.kind === 'answered' ? NOTHING_CLEARED : decision.cleared,
    ...(fulfilled ? { fulfilled } : {}),
    refusal: decision.kind === 'quote' ? decision.refusal : null,
    isFromEarlierStep: isFromEarlierStep(request),
  };
}

/** Whether it supplies values by an address that an earlier step offered. */
function isFromEarlierStep({ session, key, supplied }: StepRequest): boolean {
  const offeredAt = key === null || supplied.length === 0 ? undefined : revisionOfServiceKey(key);
  return offeredAt !== undefined && offeredAt < session.revision;
}

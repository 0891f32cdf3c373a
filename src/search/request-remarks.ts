import { revisionOfServiceKey } from '../sessions/idempotency.ts';
import type { Remarks } from './answer-writer.ts';
import type { Decision } from './decide-step.ts';
import type { StepRequest } from './step-request.ts';
import type { UnreadScope } from './undecided-scope.ts';

export function remarksOn(
  { session, key, supplied }: StepRequest,
  decision: Exclude<Decision, { kind: 'answered' }> | UnreadScope,
): Remarks {
  const offeredAt = key === null || supplied.length === 0 ? undefined : revisionOfServiceKey(key);
  return {
    cleared: decision.cleared,
    refusal: decision.kind === 'quote' ? decision.refusal : null,
    isFromEarlierStep: offeredAt !== undefined && offeredAt < session.revision,
  };
}

export function hasRemarks({ cleared, refusal, isFromEarlierStep }: Remarks): boolean {
  return cleared.fields.length > 0 || refusal !== null || isFromEarlierStep;
}

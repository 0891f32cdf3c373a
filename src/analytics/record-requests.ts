import type { FinishedRequest } from '../requests/request-observer.ts';
import { isCounted } from './counted-assistants.ts';
import type { CountActivity } from './sums.ts';

/** Counts requests that need access. Not counted: public pages, and requests that were abandoned before it was known whose they are. */
export function createRequestRecorder(count: CountActivity): (request: FinishedRequest) => void {
  return ({ access, operation, error, durationMs }) => {
    if (access === null) return;
    const assistant = provenAssistant(access);
    if (!isCounted(assistant)) return;
    const reason = access.kind === 'refused' ? access.cause : (error ?? '');
    count('requests', { assistant, facet: operation, reason }, { sum: durationMs });
  };
}

/** Empty for a stranger, also for one who only claims to be somebody. */
function provenAssistant({ assistant, way }: NonNullable<FinishedRequest['access']>): string {
  return way === null ? '' : (assistant ?? '');
}

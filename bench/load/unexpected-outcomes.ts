import type { Child } from '../child.ts';
import { EXPECTED_OUTCOMES, type RequestKind } from './slice.ts';

/** Outcome → count of answers that were not as expected, of all services, since they were asked last. */
export async function unexpectedOutcomes(
  services: readonly Child<string>[],
  kind: RequestKind,
): Promise<Readonly<Record<string, number>>> {
  const unexpected: Record<string, number> = {};
  for (const service of services) {
    const answered = await service.ask<Record<string, number>>('answered');
    for (const [outcome, count] of Object.entries(answered)) {
      // The load stops in the middle of some requests, which nobody waits for any more.
      if (outcome === EXPECTED_OUTCOMES[kind] || outcome === 'search abandoned') continue;
      unexpected[outcome] = (unexpected[outcome] ?? 0) + count;
    }
  }
  return unexpected;
}

import type { LimitsOf, SearchPlaces } from '../sessions/assistant-limits.ts';
import type { Completed, CompleteSearch } from './complete-search.ts';

/** Places become free with every search that ends, so nobody is sent away for long. */
const TOO_MANY: Completed = { kind: 'too_many_searches', retryAfterSeconds: 2 };

/**
 * Asks no operator for an assistant that has as many searches under way as its owner allows it. A search is under way until its last
 * call to an operator has ended: an assistant that hangs up and asks again would otherwise have any number of calls open.
 */
export function limitSearches(
  completeSearch: CompleteSearch,
  {
    places,
    limitsOf,
    maxMs,
  }: { readonly places: SearchPlaces; readonly limitsOf: LimitsOf; readonly maxMs: number },
): CompleteSearch {
  return async (criteria, sessionEnd, asker) => {
    const [assistant = ''] = asker.caller;
    const { searches: limit } = limitsOf(assistant);
    if (limit === undefined) return completeSearch(criteria, sessionEnd, asker);
    const leave = await places.take(assistant, { limit, maxMs });
    if (!leave) return TOO_MANY;
    const leftBehind: Promise<unknown>[] = [];
    try {
      return await completeSearch(criteria, sessionEnd, {
        ...asker,
        onLeftBehind: (call) => leftBehind.push(call),
      });
    } finally {
      // At once where nothing goes on: whoever has the answer finds the place free.
      if (leftBehind.length === 0) leave();
      else void Promise.allSettled(leftBehind).then(leave);
    }
  };
}

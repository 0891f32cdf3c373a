import { looseNumber, memberOf } from '../shared/vendors/loose-values.ts';

/** How many pages there are, where the body repeats that header. */
export function bookingsyncPageCount(document: unknown): number | null {
  return looseNumber(memberOf(memberOf(document, 'meta'), 'X-Total-Pages')) ?? null;
}

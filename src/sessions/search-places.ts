import type { AssistantId } from './session.ts';

/** How many searches of an assistant may ask operators at the same time, over everything that shares the places. */
export interface SearchPlaces {
  /**
   * What gives the place back, exactly once; null where all are taken. Whoever ends without giving it back has it for `maxMs`
   * at most, which is longer than any search and its calls last.
   */
  take(
    assistant: AssistantId,
    terms: { readonly limit: number; readonly maxMs: number },
  ): Promise<(() => void) | null>;
}

/** In the memory of this process: its places end with it. */
export function createSearchPlaces(): SearchPlaces {
  const taken = new Map<AssistantId, number>();
  return {
    async take(assistant, { limit }) {
      const count = taken.get(assistant) ?? 0;
      if (count >= limit) return null;
      taken.set(assistant, count + 1);
      return () => {
        const left = (taken.get(assistant) ?? 1) - 1;
        if (left > 0) taken.set(assistant, left);
        else taken.delete(assistant);
      };
    },
  };
}

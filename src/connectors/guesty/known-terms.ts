import type { Clock } from '../../clock.ts';
import { weightOf } from '../../parsing/owned-memory.ts';
import type { GuestyTerms } from './read-guesty-listings.ts';

/** Terms that the list leaves out cost a call for each listing, and change rarely. */
const MAX_AGE_MS = 86_400_000;

/** The terms of listings from one reading to the next, so that a reading that is given up is continued by the next. */
export type KnownTerms = {
  /** Undefined when they have to be read again. */
  get(reference: string): GuestyTerms | undefined;
  /** Beyond the weight that all may have they are not kept, and are read again next time. */
  keep(reference: string, terms: GuestyTerms): void;
  /** Forgets listings that are gone. After one that was given up, those that it has not come to stay until the next. */
  readingEnded(isWhole: boolean): void;
};

type Known = {
  readonly terms: GuestyTerms;
  readonly at: number;
  readonly bytes: number;
  /** In which reading the listing was there last. */
  seenIn: number;
};

export function createKnownTerms({
  clock,
  maxBytes,
}: {
  readonly clock: Clock;
  readonly maxBytes: number;
}): KnownTerms {
  const known = new Map<string, Known>();
  let bytes = 0;
  let reading = 1;

  function forget(reference: string): void {
    bytes -= known.get(reference)?.bytes ?? 0;
    known.delete(reference);
  }

  return {
    get(reference) {
      const last = known.get(reference);
      if (!last || clock.elapsed() - last.at >= MAX_AGE_MS) return undefined;
      last.seenIn = reading;
      return last.terms;
    },
    keep(reference, terms) {
      forget(reference);
      const weight = reference.length + weightOf(terms);
      if (bytes + weight > maxBytes) return;
      bytes += weight;
      known.set(reference, { terms, at: clock.elapsed(), bytes: weight, seenIn: reading });
    },
    readingEnded(isWhole) {
      const oldest = isWhole ? reading : reading - 1;
      for (const [reference, { seenIn }] of known) if (seenIn < oldest) forget(reference);
      reading += 1;
    },
  };
}

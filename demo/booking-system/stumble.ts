import { seededBy } from '../seeded.ts';

/** The bad days of a booking system on a schedule, so that a failure can be seen again: by the number of the call. */
export type Stumble = { readonly waitMs: number; readonly fails: boolean };

export function createStumbles(source: string): (kind: 'quotes' | 'calendars' | 'catalogue') => Stumble {
  let calls = 0;
  let quotes = 0;
  return (kind) => {
    calls += 1;
    if (kind === 'quotes') quotes += 1;
    return {
      waitMs: seededBy(`${source} call ${calls}`).integer(300, 900),
      fails: kind === 'quotes' && quotes % 7 === 0,
    };
  };
}

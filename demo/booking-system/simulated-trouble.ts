import { seededBy } from '../seeded.ts';

export type SimulatedTrouble = { readonly waitMs: number; readonly fails: boolean };

/** Delays and failures of an unreliable booking system. They follow from the number of the call, so that they can be reproduced. */
export function createSimulatedTrouble(
  source: string,
): (kind: 'quotes' | 'calendars' | 'catalogue') => SimulatedTrouble {
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

import type { TravellerFormat } from '../content/traveller-format.ts';

/** Passed to every function that draws a part of the page. */
export type PageTools = {
  readonly format: TravellerFormat;
  /** Time of the drawing, to find periods that have ended. */
  readonly now: number;
  readonly openLink: (url: string) => Promise<boolean>;
  /** Shows further options of the set; null where the host forwards no calls, or they are shown already. */
  readonly showMore: (() => void) | null;
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
};

import type { TravellerFormat } from '../content/traveller-format.ts';

/** What every part of the page is drawn with. */
export type PageTools = {
  readonly format: TravellerFormat;
  /** When the page is drawn, to tell what has ended by then. */
  readonly now: number;
  readonly openLink: (url: string) => Promise<boolean>;
  /** Shows further options of the set; null where the host passes no calls on, or they were shown. */
  readonly showMore: (() => void) | null;
  /** Says a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
};

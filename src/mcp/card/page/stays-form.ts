import type { CardStay } from '../content/card-stay.ts';
import type { StayOrder } from '../content/sort-stays.ts';

/** Cards or table. Its elements are created once, so that open details stay open when the order changes. */
export type StaysForm = {
  readonly root: HTMLElement;
  show(stays: readonly CardStay[], order: StayOrder): void;
};

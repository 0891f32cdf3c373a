import type { CardStay } from '../content/card-stay.ts';
import type { StayOrder } from '../content/sort-stays.ts';

/** One way to show the options. Their elements are made once, so that what is open stays open when the order changes. */
export type StaysForm = {
  readonly root: HTMLElement;
  show(stays: readonly CardStay[], order: StayOrder): void;
};

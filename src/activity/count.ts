import type { Measure } from './measures.ts';

/** What is counted is told apart by these; a label that does not apply is empty. None holds what a caller wrote, but for folded names of places. */
export type Labels = {
  readonly brand: string;
  readonly assistant: string;
  readonly place: string;
  readonly facet: string;
  readonly reason: string;
};

export const NO_LABELS: Labels = { brand: '', assistant: '', place: '', facet: '', reason: '' };

/** What came to a count in an hour. Both numbers can be negative: a session that moves on is taken away where it stood. */
export type Count = Labels & {
  readonly measure: Measure;
  /** Since the epoch, in UTC. */
  readonly hour: number;
  readonly count: number;
  /** Of what is measured, such as milliseconds; an integer, 0 where only numbers are counted. */
  readonly sum: number;
};

const HOUR_MS = 3_600_000;

export function hourOf(instant: number): number {
  return Math.floor(instant / HOUR_MS);
}

export function startOfHour(hour: number): number {
  return hour * HOUR_MS;
}

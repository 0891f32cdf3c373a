import type { Measure } from './measures.ts';

/** Counts are kept apart by these; a label that does not apply is empty. None holds what a caller wrote, except folded names of places. */
export type Labels = {
  readonly brand: string;
  readonly assistant: string;
  readonly place: string;
  readonly facet: string;
  readonly reason: string;
};

export const NO_LABELS: Labels = { brand: '', assistant: '', place: '', facet: '', reason: '' };

/** What was counted in an hour. Both numbers can be negative: a session that moves on is subtracted from its previous stage. */
export type Count = Labels & {
  readonly measure: Measure;
  /** Since the epoch, in UTC. */
  readonly hour: number;
  readonly count: number;
  /** Of what is measured, such as milliseconds; an integer, 0 for measures that are only counted. */
  readonly sum: number;
};

const HOUR_MS = 3_600_000;

export function hourOf(instant: number): number {
  return Math.floor(instant / HOUR_MS);
}

export function startOfHour(hour: number): number {
  return hour * HOUR_MS;
}

/** A line of the table. Texts are ready to be read, with their units. */
export type Figure = {
  readonly what: string;
  readonly figure: string;
  readonly p99: string | null;
  /** What it is compared with, measured in the same run. */
  readonly baseline: string | null;
  readonly ratio: string | null;
  readonly goal: string | null;
  /** Null where there is no goal, or nothing was measured. */
  readonly isMet: boolean | null;
};

const BLANK: Figure = {
  what: '',
  figure: '',
  p99: null,
  baseline: null,
  ratio: null,
  goal: null,
  isMet: null,
};

export function figure(what: string, said: string, others: Partial<Figure> = {}): Figure {
  return { ...BLANK, what, figure: said, ...others };
}

/** Whoever reads the table must not overlook it. */
export function notMeasured(what: string, reason: string, goal: string | null = null): Figure {
  return { ...BLANK, what, figure: `NOT MEASURED: ${reason}`, goal };
}

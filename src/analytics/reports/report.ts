/**
 * A page of figures as data. The console draws it, the command line prints it, both write its tables as CSV, and a test compares every
 * number in it with a plain count.
 */
export type Report = {
  /** Also part of addresses, such as `today`. */
  readonly id: string;
  readonly title: string;
  /** What the page answers, in one sentence. */
  readonly about: string;
  readonly tiles: readonly Tile[];
  readonly sections: readonly ReportTable[];
};

/** One figure that is seen at a glance. */
export type Tile = {
  readonly id: string;
  readonly label: string;
  readonly value: Cell;
  readonly unit: Unit;
  /** What it means, or how it was counted. */
  readonly note?: string;
};

/** Null where there is nothing to say, such as a share of nothing. */
export type Cell = string | number | null | NamedCell;

/** What programs go by, and what people read; the identifier is null where there is none, such as of sessions without a brand. */
export type NamedCell = { readonly id: string | number | null; readonly text: string };

/**
 * How a number is written; `text` for words, and `named` for identifiers with their words. A share is between 0 and 1, a time and an age in milliseconds, an instant in epoch milliseconds, as is the
 * beginning of a day; an amount is in whole units of its currency, which a table has in the column `currency`, and a month is the text YYYY-MM.
 */
export type Unit =
  | 'text'
  | 'named'
  | 'number'
  | 'share'
  | 'milliseconds'
  | 'age'
  | 'instant'
  | 'day'
  | 'month'
  | 'permille'
  | 'amount';

export type Column = {
  /** The head of the column in CSV and JSON. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
};

export type ReportTable = {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly Column[];
  /** One cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** Shown in place of a table without rows: why, and what to do. */
  readonly whenEmpty: string;
  /** How it can be drawn beside its rows; left out for a table alone. */
  readonly chart?: TableChart;
};

export type TableChart =
  /** The first column is an instant, a day, or a name; the others named here are lines or bars. */
  | { readonly kind: 'series' | 'bars'; readonly columns: readonly string[] }
  /** The first column names the rows; all others are cells whose shade is their number. */
  | { readonly kind: 'heat' };

/** Which days a report is about, and whose part; whole days in UTC, both inclusive. */
export type ReportRange = { readonly from: string; readonly to: string; readonly brand: string | null };

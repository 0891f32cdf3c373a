import type { Network } from '../../catalogue/catalogue.ts';
import type { AssistantLimits } from '../../sessions/assistant-limits.ts';
import { parseDay } from '../../stay/day.ts';
import type { HourSpan } from '../activity-store.ts';
import { hourOf, startOfHour } from '../count.ts';

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

type TableChart =
  /** The first column is an instant, a day, or a name; the others named here are lines or bars. */
  | { readonly kind: 'series' | 'bars'; readonly columns: readonly string[] }
  /** The first column names the rows; all others are cells whose shade is their number. */
  | { readonly kind: 'heat' };

/** Which days a report is about, and whose part; whole days in UTC, both inclusive. */
export type ReportRange = { readonly from: string; readonly to: string; readonly brand: string | null };

export const REPORT_IDS = ['today', 'demand', 'operators', 'assistants', 'outcomes'] as const;
export type ReportId = (typeof REPORT_IDS)[number];

/** Makes a report of what was counted. With a brand in the range, only of its part: what may be handed to its operator. */
export type MakeReport = (id: ReportId, range: ReportRange) => Promise<Report>;

/** How many days a report shows when nobody chooses: the same in the console and on the command line. */
export function usualDays(id: ReportId): 1 | 7 {
  return id === 'today' ? 1 : 7;
}

/** What a report says of an assistant that is registered. */
export type ReportedAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: 'approved' | 'suspended';
  readonly limits?: AssistantLimits | undefined;
};

/** Brands, places and assistants with what people call them; whoever is not known any more is called by the identifier. */
export type ReportNames = {
  brand(id: string): NamedCell;
  place(id: string): NamedCell;
  assistant(id: string): NamedCell;
};

export function createReportNames(network: Network, assistants: readonly ReportedAssistant[]): ReportNames {
  return {
    brand: namesOf([...network.brands.values()]),
    place: namesOf([...network.places.values()]),
    assistant: namesOf(assistants),
  };
}

/** Where two have the same name, each with its identifier. */
function namesOf(all: readonly { readonly id: string; readonly name: string }[]): (id: string) => NamedCell {
  const byId = new Map(all.map(({ id, name }) => [id, name]));
  const sharing = Map.groupBy(all, ({ name }) => name);
  return (id) => {
    const name = byId.get(id);
    if (name === undefined) return { id, text: id };
    return { id, text: (sharing.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name };
  };
}

const MS_PER_MINUTE = 60_000;
const HOURS_A_DAY = 24;
/** Two days are shown by the hour, a quarter by the day, what is longer by seven days. */
const [MAX_DAYS_BY_HOUR, MAX_DAYS_BY_DAY] = [2, 92];

/** A part of a range whose counts are read at once: all of it in one period, and on one side of what is over. */
export type PeriodSegment = HourSpan & {
  /** When its period begins, in epoch milliseconds. */
  readonly period: number;
  /** Every session that was opened in it has ended. */
  readonly isOver: boolean;
};

export type Periods = { readonly column: Column; readonly segments: readonly PeriodSegment[] };

export function hoursOf({ from, to }: Pick<ReportRange, 'from' | 'to'>): HourSpan {
  return { from: dayIn(from) * HOURS_A_DAY, to: (dayIn(to) + 1) * HOURS_A_DAY - 1 };
}

/** The periods of a range in which something can have been counted: from the first count on, and not in the future. */
export function periodsOf(
  range: Pick<ReportRange, 'from' | 'to'>,
  counted: HourSpan | null,
  { now, sessionMinutes }: { readonly now: number; readonly sessionMinutes: number },
): Periods {
  const { from, to } = hoursOf(range);
  const [length, column] = stepOf((to + 1 - from) / HOURS_A_DAY);
  if (counted === null) return { column, segments: [] };
  const last = Math.min(to, Math.max(hourOf(now), counted.to));
  const lastOver = hourOf(now - sessionMinutes * MS_PER_MINUTE) - 1;
  const segments: PeriodSegment[] = [];
  const skipped = Math.max(0, Math.floor((counted.from - from) / length));
  for (let start = from + skipped * length; start <= last; start += length) {
    const end = Math.min(start + length - 1, last);
    const period = startOfHour(start);
    if (start <= lastOver) segments.push({ period, from: start, to: Math.min(end, lastOver), isOver: true });
    if (end > lastOver) {
      segments.push({ period, from: Math.max(start, lastOver + 1), to: end, isOver: false });
    }
  }
  return { column, segments };
}

function stepOf(days: number): readonly [hours: number, Column] {
  if (days <= MAX_DAYS_BY_HOUR) return [1, { id: 'hour', label: 'Hour (UTC)', unit: 'instant' }];
  if (days <= MAX_DAYS_BY_DAY) return [HOURS_A_DAY, { id: 'day', label: 'Day (UTC)', unit: 'day' }];
  return [7 * HOURS_A_DAY, { id: 'week', label: 'Seven days from', unit: 'day' }];
}

function dayIn(text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`${text} is not a day`);
  return day;
}

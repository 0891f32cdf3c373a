import type { Network } from '../../catalogue/catalogue.ts';
import type { AssistantLimits } from '../../sessions/assistant-limits.ts';
import { parseDay } from '../../stay/day.ts';
import type { HourSpan } from '../activity-store.ts';
import { hourOf, startOfHour } from '../count.ts';

/** A page of figures as data. The console draws it, the command line prints it, and both write its tables as CSV. */
export type Report = {
  /** Also part of URLs, such as `today`. */
  readonly id: string;
  readonly title: string;
  /** The question that the page answers, in one sentence. */
  readonly about: string;
  readonly tiles: readonly Tile[];
  readonly sections: readonly ReportTable[];
};

/** One prominent figure. */
export type Tile = {
  readonly id: string;
  readonly label: string;
  readonly value: Cell;
  readonly unit: Unit;
  /** The meaning of the figure, or how it was counted. */
  readonly note?: string;
};

/** Null without a value, such as a share of nothing. */
export type Cell = string | number | null | NamedCell;

/** An identifier for programs and a text for people; the identifier is null if there is none, as for sessions without a brand. */
export type NamedCell = { readonly id: string | number | null; readonly text: string };

/**
 * The format of a cell; `text` for words, and `named` for identifiers with their words. A share is between 0 and 1, a time and an age in
 * milliseconds, an instant and the beginning of a day in epoch milliseconds; an amount is in whole units of its currency, which stands in
 * the column `currency`, and a month is the text YYYY-MM.
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
  /** The heading of the column in CSV and JSON. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
};

/** The labels of columns, by their identifiers. */
export type Labelled = Readonly<Record<string, string>>;

/** An identifier has one unit in all reports; those of shares begin with `share`, and one that is not here is of a number. */
const UNITS = new Map<string, Unit>([
  ...withUnit('named', 'brand place assistant state failure reason stage refusal end answer kind system'),
  ...withUnit('named', 'amenity entry cause time guests nights lead_time'),
  ...withUnit('text', 'id name reference rule value on_offer remedy budget currency'),
  ...withUnit('instant', 'last_read paused_since'),
  ...withUnit('age', 'age oldest_calendar'),
  ...withUnit('milliseconds', 'mean_time mean_latency mean_wait median_time mean_request_time'),
  ...withUnit('permille', 'mean mean_drift mean_difference'),
  ...withUnit('amount', 'amount cancelled_amount'),
]);

function withUnit(unit: Unit, ids: string): readonly (readonly [string, Unit])[] {
  return ids.split(' ').map((id) => [id, unit]);
}

function unitOf(id: string): Unit {
  return id.startsWith('share') ? 'share' : (UNITS.get(id) ?? 'number');
}

export function columns(labelled: Labelled): readonly Column[] {
  return Object.entries(labelled).map(([id, label]) => ({ id, label, unit: unitOf(id) }));
}

type TileEntry = readonly [id: string, label: string, value: Cell, note?: string];

/** `notes` are the meanings of the figures, by their identifiers. */
export function tilesOf(notes: Labelled, entries: readonly TileEntry[]): readonly Tile[] {
  return entries.map(([id, label, value, note = notes[id] ?? '']) => ({
    ...{ id, label, value, note },
    unit: unitOf(id),
  }));
}

export type ReportTable = {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly Column[];
  /** One cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
  /** Shown instead of an empty table: why it is empty, and what to do. */
  readonly whenEmpty: string;
  /** The chart beside the table, if any. */
  readonly chart?: TableChart;
};

type TableChart =
  /** The first column is an instant, a day, or a name; `columns` are the lines or bars. */
  | { readonly kind: 'series' | 'bars'; readonly columns: readonly string[] }
  /** The first column names the rows; all others are cells shaded by their number. */
  | { readonly kind: 'heat' };

/** The days of a report (UTC, both inclusive), and the brand to which it is limited. */
export type ReportRange = { readonly from: string; readonly to: string; readonly brand: string | null };

export const REPORT_IDS = ['today', 'demand', 'operators', 'assistants', 'outcomes'] as const;
export type ReportId = (typeof REPORT_IDS)[number];

/** Makes a report. With a brand in the range, the report holds only what its operator may see. */
export type MakeReport = (id: ReportId, range: ReportRange) => Promise<Report>;

/** The default length of a report in days, in the console and on the command line. */
export function usualDays(id: ReportId): 1 | 7 {
  return id === 'today' ? 1 : 7;
}

/** A registered assistant as reports show it. */
export type ReportedAssistant = {
  readonly id: string;
  readonly name: string;
  readonly status: 'approved' | 'suspended';
  readonly limits?: AssistantLimits | undefined;
};

/** The names of brands, places and assistants; an unknown one is called by its identifier. */
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

/** Adds the identifier to names that occur twice. */
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
/** Two days are shown by the hour, a quarter by the day, longer ranges by seven days. */
const [MAX_DAYS_BY_HOUR, MAX_DAYS_BY_DAY] = [2, 92];

/** A part of a range whose counts are read together: within one period, and either all over or not. */
export type PeriodSegment = HourSpan & {
  /** The beginning of its period, in epoch milliseconds. */
  readonly period: number;
  /** Every session that was opened in it has ended. */
  readonly isOver: boolean;
};

export type Periods = { readonly column: Column; readonly segments: readonly PeriodSegment[] };

export function hoursOf({ from, to }: Pick<ReportRange, 'from' | 'to'>): HourSpan {
  return { from: dayIn(from) * HOURS_A_DAY, to: (dayIn(to) + 1) * HOURS_A_DAY - 1 };
}

/** The periods of a range that can have counts: from the first count on, and not in the future. */
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

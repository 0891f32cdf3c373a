import type { ReportRange } from '../analytics/reports/report.ts';
import { parseDay } from '../stay/day.ts';

export const RANGES = { today: 'Today', '7d': '7 days', '30d': '30 days', custom: 'From … to …' } as const;
export type RangeName = keyof typeof RANGES;

/** Which days were asked for, and what of the question was not understood. */
export type AskedRange = {
  readonly name: RangeName;
  readonly range: ReportRange;
  /** The query that asks for the same again; begins with a question mark. */
  readonly query: string;
  /** The part that other pages take over: the days, or empty if none were chosen. */
  readonly chosenDays: string;
  /** A sentence for each thing that was not understood, with what is shown instead. */
  readonly faults: readonly string[];
};

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Exclude<RangeName, 'custom'>, number>> = { today: 1, '7d': 7, '30d': 30 };
const DAYS_IN_WORDS: Readonly<Record<keyof typeof DAYS, string>> = {
  today: 'today',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
};

type AskedQuery = Readonly<Record<string, unknown>>;

/** What is not understood falls back to the `usual` days or to all brands; the fault says so without repeating what was sent. */
export function readReportQuery(
  query: AskedQuery,
  {
    now,
    usual,
    brands,
    brand = null,
  }: {
    readonly now: number;
    readonly usual: Exclude<RangeName, 'custom'>;
    readonly brands: readonly string[];
    /** The brand in the address; a brand in the query is then ignored. */
    readonly brand?: string | null;
  },
): AskedRange {
  const days = readDays(query, usual, now);
  const isChosen = [query.range, query.from, query.to].some((one) => one !== undefined);
  const { name, from, to } = 'fault' in days ? { name: usual, ...daysBack(DAYS[usual], now) } : days;
  const named = brand === null ? parameterOf(query.brand) : undefined;
  const chosen = named !== undefined && brands.includes(named) ? named : null;
  const asked = { range: name, ...(name === 'custom' && { from, to }) };
  return {
    name,
    range: { from, to, brand: brand ?? chosen },
    query: `?${new URLSearchParams({ ...asked, ...(chosen !== null && { brand: chosen }) })}`,
    chosenDays: 'fault' in days || !isChosen ? '' : `?${new URLSearchParams(asked)}`,
    faults: [
      ...('fault' in days ? [`${days.fault} Shown instead: ${DAYS_IN_WORDS[usual]}.`] : []),
      ...(named !== undefined && chosen === null
        ? ['No brand of the network has that name. Shown instead: all brands.']
        : []),
    ],
  };
}

type ReadDays =
  | { readonly name: RangeName; readonly from: string; readonly to: string }
  | { readonly fault: string };

function readDays(query: AskedQuery, usual: keyof typeof DAYS, now: number): ReadDays {
  const [from, to] = [parameterOf(query.from), parameterOf(query.to)];
  // An address that somebody writes may name days without saying that it does.
  const name = parameterOf(query.range) ?? (from === undefined && to === undefined ? usual : 'custom');
  if (name === 'custom') return readCustomDays(from, to, dateOf(now));
  return isUsual(name) ? { name, ...daysBack(DAYS[name], now) } : { fault: 'That range is not known.' };
}

function readCustomDays(from: string | undefined, to: string | undefined, today: string): ReadDays {
  if (from === undefined || to === undefined) return { fault: 'A first and a last day are needed.' };
  if (parseDay(from) === undefined || parseDay(to) === undefined)
    return { fault: 'A day has to be one of the calendar, such as 2027-05-08.' };
  if (from > to) return { fault: 'The first day is after the last one.' };
  return to > today ? { fault: 'The last day is in the future.' } : { name: 'custom', from, to };
}

function isUsual(name: string): name is keyof typeof DAYS {
  return Object.hasOwn(DAYS, name);
}

function daysBack(days: number, now: number): { readonly from: string; readonly to: string } {
  return { from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now) };
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Undefined for a parameter that is empty or given twice. */
function parameterOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

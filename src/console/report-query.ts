import type { ReportRange } from '../activity/reports/report.ts';

export const RANGES = { today: 'Today', '7d': '7 days', '30d': '30 days', custom: 'From … to …' } as const;
export type RangeName = keyof typeof RANGES;

/** Which days were asked for, and what of the question was not understood. */
export type AskedRange = {
  readonly name: RangeName;
  readonly range: ReportRange;
  /** The query by which the same is asked for again; begins with a question mark. */
  readonly query: string;
  /** Null when all was understood. */
  readonly fault: string | null;
};

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Exclude<RangeName, 'custom'>, number>> = { today: 1, '7d': 7, '30d': 30 };
const DATE = /^\d{4}-\d{2}-\d{2}$/;

type AskedQuery = Readonly<Record<string, unknown>>;

/** What is not understood falls back to `usual`, and is said without being repeated. */
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
    /** The brand of the address; then the query names none. */
    readonly brand?: string | null;
  },
): AskedRange {
  const today = dateOf(now);
  const named = textOf(query.range);
  const isKnown = named === undefined || Object.hasOwn(RANGES, named);
  const name = (isKnown ? named : undefined) ?? usual;
  const askedBrand = textOf(query.brand);
  const isBrandKnown = askedBrand === undefined || brands.includes(askedBrand);
  const chosenBrand = brand ?? (isBrandKnown ? (askedBrand ?? null) : null);
  const fault = isKnown ? null : 'That range is not known.';
  const brandFault = isBrandKnown || brand !== null ? null : 'No brand of the network has that name.';
  if (name === 'custom') {
    const [from, to] = [textOf(query.from) ?? '', textOf(query.to) ?? ''];
    if (isDate(from) && isDate(to) && from <= to && to <= today) {
      return asked('custom', { from, to, brand: chosenBrand }, brandFault, brand);
    }
    const about = 'Give a first and a last day, in order and not in the future.';
    return asked(usual, { ...daysBack(DAYS[usual], now), brand: chosenBrand }, about, brand);
  }
  const days = DAYS[name as Exclude<RangeName, 'custom'>];
  return asked(name as RangeName, { ...daysBack(days, now), brand: chosenBrand }, fault ?? brandFault, brand);
}

function asked(
  name: RangeName,
  range: ReportRange,
  fault: string | null,
  brandOfAddress: string | null,
): AskedRange {
  const members = new URLSearchParams({ range: name });
  if (name === 'custom') {
    members.set('from', range.from);
    members.set('to', range.to);
  }
  if (range.brand !== null && brandOfAddress === null) members.set('brand', range.brand);
  return { name, range, query: `?${members}`, fault };
}

function daysBack(days: number, now: number): { readonly from: string; readonly to: string } {
  return { from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now) };
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && dateOf(instant) === text;
}

/** A parameter that is given twice, or empty, is none. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

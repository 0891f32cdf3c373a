import { csvCell } from '../../parsing/csv.ts';
import { decimalsOf, isCurrency } from '../../stay/money.ts';
import type { Cell, Column, ReportTable, Unit } from './report.ts';

/** Shown for an empty cell. */
const NOTHING = '–';
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A cell for people, in English; instants and days are in UTC. */
export function formatCell(value: Cell, unit: Unit): string {
  if (value === null) return NOTHING;
  if (typeof value === 'object') return value.text;
  if (typeof value === 'string') return unit === 'month' ? monthText(value) : value;
  return Number.isFinite(value) ? WRITERS[unit](value) : NOTHING;
}

/** The cells of a row for people: amounts with the decimals of their currency, so that a column aligns. */
export function formatRow(columns: readonly Column[], row: readonly Cell[]): readonly string[] {
  const currency = row[columns.findIndex(({ id }) => id === 'currency')];
  return columns.map(({ unit }, at) => {
    const value = row[at] ?? null;
    return unit === 'amount' && typeof value === 'number' && typeof currency === 'string'
      ? amountText(value, currency)
      : formatCell(value, unit);
  });
}

function amountText(value: number, currency: string): string {
  const decimals = isCurrency(currency) ? decimalsOf(currency) : 2;
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

const WRITERS: Readonly<Record<Unit, (value: number) => string>> = {
  text: String,
  named: String,
  month: String,
  number: (value) => withDecimals(value, Number.isInteger(value) ? 0 : 1),
  // Without a known currency, an amount without cents is shown as a whole number.
  amount: (value) =>
    value.toLocaleString('en', {
      minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
      maximumFractionDigits: 4,
    }),
  share: (value) => `${withDecimals(value * 100, 1)}%`,
  permille: (value) => `${signed(withDecimals(value / 10, 1))}%`,
  milliseconds: durationText,
  // Fractions of a second mean nothing for data that is read every few minutes.
  age: (value) => (value < SECOND ? 'under 1 s' : durationText(Math.floor(value / SECOND) * SECOND)),
  instant: (value) => new Date(value).toISOString().slice(0, 16).replace('T', ' '),
  day: (value) => new Date(value).toISOString().slice(0, 10),
};

function withDecimals(value: number, decimals: number): string {
  const text = value.toLocaleString('en', { maximumFractionDigits: decimals });
  return text === '-0' ? '0' : text;
}

/** A number that rounds to zero has no sign. */
function signed(number: string): string {
  return number === '0' || number.startsWith('-') ? number : `+${number}`;
}

/** In at most two units. */
function durationText(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${withDecimals(milliseconds / SECOND, 1)} s`;
  if (milliseconds < HOUR) return inTwoUnits(milliseconds, [MINUTE, 'min'], [SECOND, 's']);
  if (milliseconds < 2 * DAY) return inTwoUnits(milliseconds, [HOUR, 'h'], [MINUTE, 'min']);
  return `${withDecimals(milliseconds / DAY, 0)} days`;
}

function inTwoUnits(
  milliseconds: number,
  [large, largeName]: readonly [number, string],
  [small, smallName]: readonly [number, string],
): string {
  const rounded = Math.round(milliseconds / small) * small;
  const rest = Math.round((rounded % large) / small);
  const whole = `${Math.floor(rounded / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

function monthText(month: string): string {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? [];
  const name = MONTHS[Number(number) - 1];
  return name === undefined ? month : `${name} ${year}`;
}

/**
 * A table of a report as CSV (RFC 4180), in the words of the page: numbers plain, with a dot; instants as ISO 8601; empty cells stay empty.
 */
export function tableCsv({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): string {
  const lines = [
    columns.map((column) => csvCell(headingOf(column))),
    ...rows.map((row) => columns.map(({ unit }, at) => written(row[at] ?? null, unit))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** A page writes the unit with each number; CSV writes it in the heading. */
const UNITS: Readonly<Partial<Record<Unit, string>>> = { milliseconds: 'ms', permille: 'thousandths' };

function headingOf({ label, unit }: Column): string {
  const written = UNITS[unit];
  return written === undefined ? label : `${label} (${written})`;
}

/** A cell for programs: the identifier if it has one, instants and days in ISO 8601, all other numbers unchanged. */
export function plainCell(value: Cell, unit: Unit): string | number | null {
  if (value !== null && typeof value === 'object') return value.id;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  if (unit === 'instant') return new Date(value).toISOString();
  return unit === 'day' ? new Date(value).toISOString().slice(0, 10) : value;
}

function written(value: Cell, unit: Unit): string {
  const plain = value !== null && typeof value === 'object' ? value.text : plainCell(value, unit);
  if (plain === null) return '';
  // Our own numbers need no protection against formulas: a leading minus is safe.
  return typeof plain === 'string' ? csvCell(plain) : plainNumber(plain);
}

/** Without an exponent, which few spreadsheets read as a number. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e')
    ? value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 17 })
    : text;
}

/** An amount for people, with all decimals of its currency: 1,235.60 EUR. */
export function moneyText(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const text = amount.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${text} ${currency}`;
}

import { csvCell } from '../../parsing/csv.ts';
import type { Cell, Column, ReportTable, Unit } from './report.ts';

/** A table of a report as CSV (RFC 4180), in the words of the page: numbers plain, with a dot; instants as ISO 8601; nothing where there is nothing to say. */
export function tableCsv({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): string {
  const lines = [
    columns.map((column) => csvCell(headingOf(column))),
    ...rows.map((row) => columns.map(({ unit }, at) => written(row[at] ?? null, unit))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** A page writes the unit with each number, which stands alone here. */
const UNITS: Readonly<Partial<Record<Unit, string>>> = { milliseconds: 'ms', permille: 'thousandths' };

function headingOf({ label, unit }: Column): string {
  const written = UNITS[unit];
  return written === undefined ? label : `${label} (${written})`;
}

/** As programs read it: what has an identifier by that, instants and days as texts of ISO 8601, all other numbers as they are. */
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
  // A number is not a text that anybody wrote: a minus makes it no formula.
  return typeof plain === 'string' ? csvCell(plain) : plainNumber(plain);
}

/** Never in the form with an exponent, which few spreadsheets take for the number that it is. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e')
    ? value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 17 })
    : text;
}

import { decimalsOf, isCurrency } from '../../stay/money.ts';
import type { Cell, Column, Unit } from './report.ts';

/** Shown where there is nothing to say. */
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

/** The cells of a row for people: amounts with the decimals of their currency, so that those below each other are alike. */
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
  // Where its currency is not known: one without cents is whole in every currency.
  amount: (value) =>
    value.toLocaleString('en', {
      minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
      maximumFractionDigits: 4,
    }),
  share: (value) => `${withDecimals(value * 100, 1)}%`,
  permille: (value) => `${signed(withDecimals(value / 10, 1))}%`,
  milliseconds: durationText,
  // Of what is read every few minutes, parts of a second say nothing.
  age: (value) => (value < SECOND ? 'under 1 s' : durationText(Math.floor(value / SECOND) * SECOND)),
  instant: (value) => new Date(value).toISOString().slice(0, 16).replace('T', ' '),
  day: (value) => new Date(value).toISOString().slice(0, 10),
};

function withDecimals(value: number, decimals: number): string {
  const text = value.toLocaleString('en', { maximumFractionDigits: decimals });
  return text === '-0' ? '0' : text;
}

/** What is rounded to nothing is neither more nor less. */
function signed(number: string): string {
  return number === '0' || number.startsWith('-') ? number : `+${number}`;
}

/** In the two largest units that say something. */
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

import { MONTH_NAMES, WEEKDAY_NAMES } from './calendar-names.ts';

/** A date with its month as a word. */
type NamedDate = { readonly year: number; readonly month: number; readonly date?: number };

const MONTHS = MONTH_NAMES.map((name) => name.toLowerCase());
const WEEKDAYS = WEEKDAY_NAMES.map((name) => name.toLowerCase());
const FILLERS: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th', 'of', 'the', 'on', 'in']);
const MIN_ABBREVIATION_LENGTH = 3;

/** In lower case, with ASCII digits, hyphens and single spaces for their many lookalikes. */
export function plainDateText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `8 may 2027`, `sat, may 8th 2027`, `may 2027`: English words in any order, and nothing that is left over. */
export function readNamedDate(plain: string): NamedDate | undefined {
  let year: number | undefined;
  let month: number | undefined;
  let date: number | undefined;
  for (const token of plain.match(/\p{L}+|\d+/gu) ?? []) {
    if (/^\d{4}$/.test(token) && year === undefined) year = Number(token);
    else if (/^\d{1,2}$/.test(token) && date === undefined) date = Number(token);
    else if (positionIn(MONTHS, token) >= 0 && month === undefined) month = positionIn(MONTHS, token) + 1;
    else if (positionIn(WEEKDAYS, token) < 0 && !FILLERS.has(token)) return undefined;
  }
  if (year === undefined || month === undefined) return undefined;
  return { year, month, ...(date !== undefined && { date }) };
}

function positionIn(names: readonly string[], token: string): number {
  return token.length < MIN_ABBREVIATION_LENGTH ? -1 : names.findIndex((name) => name.startsWith(token));
}

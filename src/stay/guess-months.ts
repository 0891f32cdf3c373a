import { type Month, parseMonth } from './month.ts';
import { plainDateText, readNamedDate } from './named-date.ts';

const YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?月?$/;
const DIGITS_ONLY = /^(\d{4})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?[-/. ] ?(\d{4})$/;

/** The month that a person may have meant by a month in another form. For a short text: the caller bounds its length. */
export function guessMonths(text: string): readonly Month[] {
  const plain = plainDateText(text);
  const yearFirst = YEAR_FIRST.exec(plain) ?? DIGITS_ONLY.exec(plain);
  if (yearFirst) return existing(Number(yearFirst[1]), Number(yearFirst[2]));
  const yearLast = YEAR_LAST.exec(plain);
  if (yearLast) return existing(Number(yearLast[2]), Number(yearLast[1]));
  const named = readNamedDate(plain);
  return named && named.date === undefined ? existing(named.year, named.month) : [];
}

function existing(year: number, month: number): readonly Month[] {
  const found = parseMonth(`${year}-${String(month).padStart(2, '0')}`);
  return found === undefined ? [] : [found];
}

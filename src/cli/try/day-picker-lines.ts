import { WEEKDAY_NAMES } from '../../stay/calendar-names.ts';
import { dayText, monthText } from '../../stay/date-text.ts';
import { type Day, weekdayOf } from '../../stay/day.ts';
import { firstDayOf, monthOf } from '../../stay/month.ts';
import { counted } from '../counted.ts';
import type { Terminal } from '../terminal.ts';
import type { DayPicker } from './day-picker.ts';

const CELL_COLUMNS = 4;
const GRID_COLUMNS = CELL_COLUMNS * WEEKDAY_NAMES.length;

/** The month as a grid, what is chosen, and the keys. Without colours, days that are not on offer are dots. */
export function pickerLines(picker: DayPicker, { styled }: Pick<Terminal, 'styled'>): readonly string[] {
  return [
    title(picker, styled),
    styled(
      'faint',
      WEEKDAY_NAMES.map((name) => ` ${name.slice(0, 2)} `)
        .join('')
        .trimEnd(),
    ),
    ...weeksOf(picker).map((week) =>
      week
        .map((day) => (day === null ? ' '.repeat(CELL_COLUMNS) : cell(picker, day, styled)))
        .join('')
        .trimEnd(),
    ),
    '',
    chosenText(picker),
    styled('faint', keysText(picker)),
  ];
}

/** What is said of the day that Enter takes: `Sat 8 May 2027 · 3 nights`. */
export function chosenText({ day, arrival, today, offered, month }: DayPicker): string {
  if (day === null) return offered.has(month) ? 'No day of this month is on offer.' : 'Reading the days …';
  const nights = arrival === null ? [] : [counted(day - arrival, 'night')];
  return [dayText(day), ...nights, ...(day === today ? ['today'] : [])].join(' · ');
}

function title({ months, month }: DayPicker, styled: Terminal['styled']): string {
  const name = monthText(month);
  const [before, after] = [months.some((one) => one < month), months.some((one) => one > month)];
  const room = GRID_COLUMNS - 2;
  const left = Math.floor((room - name.length) / 2);
  const middle = ' '.repeat(left) + styled('strong', name) + ' '.repeat(room - name.length - left);
  return `${before ? '‹' : ' '}${middle}${after ? '›' : ' '}`.trimEnd();
}

function keysText({ months }: DayPicker): string {
  return `arrows day · ${months.length > 1 ? 'PgUp/PgDn month · ' : ''}Enter choose · Ctrl-C quit`;
}

/** Seven days each, from Monday on; null outside the month. */
function weeksOf({ month }: DayPicker): readonly (readonly (Day | null)[])[] {
  const first = firstDayOf(month);
  const weeks = Math.ceil((weekdayOf(first) + firstDayOf(month + 1) - first) / WEEKDAY_NAMES.length);
  const monday = first - weekdayOf(first);
  return Array.from({ length: weeks }, (_, week) =>
    WEEKDAY_NAMES.map((_name, weekday) => {
      const day = monday + week * WEEKDAY_NAMES.length + weekday;
      return monthOf(day) === month ? day : null;
    }),
  );
}

function cell(picker: DayPicker, day: Day, styled: Terminal['styled']): string {
  const number = String(day - firstDayOf(picker.month) + 1).padStart(2);
  if (day === picker.day) return styled('strong', `[${number}]`);
  const isNight = picker.arrival !== null && picker.day !== null && day >= picker.arrival && day < picker.day;
  if (isNight) return styled('good', `${day === picker.arrival ? '(' : '─'}${number}─`);
  const mark = day === picker.today ? '*' : ' ';
  if (picker.offered.get(picker.month)?.includes(day)) return ` ${number}${mark}`;
  const dimmed = styled('faint', number);
  return ` ${dimmed === number ? ' ·' : dimmed}${mark}`;
}

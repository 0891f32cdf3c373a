import { createInterface, type Key } from 'node:readline';
import { S_BAR, S_BAR_END, symbol } from '@clack/prompts';
import {
  type Day,
  dayText,
  firstDayOf,
  formatDay,
  type Month,
  monthOf,
  monthText,
  WEEKDAY_NAMES,
  weekdayOf,
} from '../../stay/day.ts';
import { counted, type DayQuestion, displayWidth, type Terminal } from '../terminal.ts';

/** The state of the calendar: a month on the screen, and the day in it that Enter chooses. Keys and loaded months change it. */
export type DayPicker = {
  /** Months with days on offer, in order. */
  readonly months: readonly Month[];
  /** The days on offer, in order, of the months that were loaded so far. */
  readonly offered: ReadonlyMap<Month, readonly Day[]>;
  readonly month: Month;
  /** Null while the month is loading, and when it has no day on offer. */
  readonly day: Day | null;
  /** The wanted day: the nearest one on offer is chosen. */
  readonly target: Day;
  readonly today: Day;
  /** For a departure: the day on which the nights begin. */
  readonly arrival: Day | null;
};

export type PickerKey = 'left' | 'right' | 'up' | 'down' | 'pageup' | 'pagedown' | 'home' | 'end';

const WEEK = 7;

export function openPicker({
  months,
  target,
  today,
  arrival,
}: Pick<DayPicker, 'months' | 'target' | 'today' | 'arrival'>): DayPicker {
  const wanted = monthOf(target);
  const month = months.includes(wanted) ? wanted : (months.find((one) => one > wanted) ?? months.at(-1));
  if (month === undefined) throw new RangeError('no month is on offer');
  return { months, offered: new Map(), month, day: null, target, today, arrival };
}

/** Adds the days of a loaded month. */
export function withOfferedDays(picker: DayPicker, month: Month, days: readonly Day[]): DayPicker {
  const offered = new Map(picker.offered).set(
    month,
    days.toSorted((one, other) => one - other),
  );
  return month === picker.month
    ? showMonth({ ...picker, offered }, month, picker.target)
    : { ...picker, offered };
}

export function afterKey(picker: DayPicker, key: PickerKey): DayPicker {
  const { month, day, months } = picker;
  const days = picker.offered.get(month) ?? [];
  const before = months.findLast((one) => one < month);
  const after = months.find((one) => one > month);
  // While a month loads, only the keys for months work.
  const from = day ?? picker.target;
  const isRead = day !== null;
  switch (key) {
    case 'left':
      return isRead ? back(1) : picker;
    case 'up':
      return isRead ? back(WEEK) : picker;
    case 'right':
      return isRead ? forth(1) : picker;
    case 'down':
      return isRead ? forth(WEEK) : picker;
    case 'pageup':
      return before === undefined ? picker : showMonth(picker, before, sameDate(before));
    case 'pagedown':
      return after === undefined ? picker : showMonth(picker, after, sameDate(after));
    case 'home':
      return { ...picker, day: days[0] ?? null };
    case 'end':
      return { ...picker, day: days.at(-1) ?? null };
  }

  function back(by: number): DayPicker {
    const found = days.findLast((one) => one <= from - by);
    if (found !== undefined) return { ...picker, day: found };
    return before === undefined
      ? { ...picker, day: days[0] ?? null }
      : showMonth(picker, before, Math.min(from - by, firstDayOf(before + 1) - 1));
  }

  function forth(by: number): DayPicker {
    const found = days.find((one) => one >= from + by);
    if (found !== undefined) return { ...picker, day: found };
    return after === undefined
      ? { ...picker, day: days.at(-1) ?? null }
      : showMonth(picker, after, Math.max(from + by, firstDayOf(after)));
  }

  function sameDate(other: Month): Day {
    return Math.min(firstDayOf(other) + from - firstDayOf(month), firstDayOf(other + 1) - 1);
  }
}

function showMonth(picker: DayPicker, month: Month, target: Day): DayPicker {
  return { ...picker, month, target, day: nearest(picker.offered.get(month) ?? [], target) };
}

/** Of two equally near days the earlier one. */
function nearest(days: readonly Day[], target: Day): Day | null {
  return days.reduce<Day | null>(
    (best, day) => (best === null || Math.abs(day - target) < Math.abs(best - target) ? day : best),
    null,
  );
}

const CELL_COLUMNS = 4;
const GRID_COLUMNS = CELL_COLUMNS * WEEKDAY_NAMES.length;

/** The month as a grid, the chosen day and the keys. Without colours, days that are not on offer are dots. */
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

/** Describes the day that Enter chooses: `Sat 8 May 2027 · 3 nights`. */
function chosenText({ day, arrival, today, offered, month }: DayPicker): string {
  if (day === null) return offered.has(month) ? 'No day of this month is on offer.' : 'Reading the days …';
  const nights = arrival === null ? [] : [counted(day - arrival, 'night')];
  return [dayText(day), ...nights, ...(day === today ? ['today'] : [])].join(' · ');
}

function title({ months, month }: DayPicker, styled: Terminal['styled']): string {
  const name = monthText(month);
  const [before, after] = [months.some((one) => one < month), months.some((one) => one > month)];
  const width = GRID_COLUMNS - 2;
  const left = Math.floor((width - name.length) / 2);
  const middle = ' '.repeat(left) + styled('strong', name) + ' '.repeat(width - name.length - left);
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

/** Also the vi keys of the other prompts, and `p` and `n` for keyboards without page keys. */
const KEYS: Readonly<Record<string, PickerKey>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  pageup: 'pageup',
  pagedown: 'pagedown',
  home: 'home',
  end: 'end',
  h: 'left',
  j: 'down',
  k: 'up',
  l: 'right',
  p: 'pageup',
  n: 'pagedown',
};

type PromptStreams = {
  readonly input: NodeJS.ReadStream;
  readonly output: { write(text: string): unknown; readonly columns: number };
};

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** How long to wait after Escape for the rest of a key sequence, as the other prompts do. */
const ESCAPE_MS = 50;

/**
 * Asks for a day in a calendar below the cursor, redrawn after each key. Loads each month when it is shown. Resolves with `undefined` at
 * Ctrl-C, Escape or the end of the input.
 */
export function askForDayByKeys(
  { message, months, daysOf, near, today, arrival }: DayQuestion,
  { input, output }: PromptStreams,
  { styled }: Pick<Terminal, 'styled'>,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // Drawn like the prompts of the library that asks the other questions.
    const bar = styled('faint', S_BAR);
    let picker = openPicker({ months, target: near, today, arrival });
    const asked = new Set<Month>();
    let rowsAbove = 0;
    let isOver = false;
    readMonth();
    const reader = createInterface({ input, terminal: true, escapeCodeTimeout: ESCAPE_MS });
    input.on('keypress', pressed);
    reader.once('close', () => end());
    output.write(HIDE_CURSOR);
    redraw();

    function readMonth(): void {
      const { month } = picker;
      if (asked.has(month)) return;
      asked.add(month);
      daysOf(month).then(
        (days) => {
          picker = withOfferedDays(picker, month, days);
          redraw();
        },
        (error) => {
          reject(error);
          end();
        },
      );
    }

    function pressed(_text: string | undefined, { name = '', ctrl }: Key): void {
      if (name === 'escape' || (ctrl && name === 'c')) end();
      else if ((name === 'return' || name === 'enter') && picker.day !== null) end(picker.day);
      else {
        const key = KEYS[name];
        if (key !== undefined) picker = afterKey(picker, key);
        readMonth();
        redraw();
      }
    }

    function redraw(): void {
      if (isOver) return;
      const calendar = pickerLines(picker, { styled }).map((line) => `${bar}  ${line}`);
      draw([bar, `${symbol('active')}  ${message}`, ...calendar, styled('faint', S_BAR_END)]);
    }

    function end(day?: Day): void {
      if (isOver) return;
      isOver = true;
      input.off('keypress', pressed);
      reader.close();
      draw([
        bar,
        `${symbol(day === undefined ? 'cancel' : 'submit')}  ${message}`,
        `${bar}  ${day === undefined ? '' : styled('faint', chosenText(picker))}`,
      ]);
      output.write(`\n${SHOW_CURSOR}`);
      resolve(day === undefined ? undefined : formatDay(day));
    }

    function draw(lines: readonly string[]): void {
      const up = rowsAbove > 0 ? `\u001b[${rowsAbove}A` : '';
      output.write(`\r${up}\u001b[J${lines.join('\n')}`);
      rowsAbove = rowsOf(lines, output.columns) - 1;
    }
  });
}

/** A line wider than the terminal takes several rows. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines
    .flatMap((line) => line.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / (columns || 80))), 0);
}

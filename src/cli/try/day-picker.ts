import type { Day } from '../../stay/day.ts';
import { firstDayOf, type Month, monthOf } from '../../stay/month.ts';

/** A month on the screen, and the day in it that Enter chooses. Keys and readings lead from one to the next. */
export type DayPicker = {
  /** Months with days on offer, in order. */
  readonly months: readonly Month[];
  /** The days on offer, in order, of the months that were read so far. */
  readonly offered: ReadonlyMap<Month, readonly Day[]>;
  readonly month: Month;
  /** Null while the days of the month are not known, and where it has none. */
  readonly day: Day | null;
  /** The day that is looked for in the month: the nearest one on offer is taken. */
  readonly target: Day;
  readonly today: Day;
  /** While a departure is chosen: the day on which the nights begin. */
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

/** Once the days of a month are known. */
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
  // A month that is being read can only be left by the keys for months.
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

/** The earlier of two that are equally near. */
function nearest(days: readonly Day[], target: Day): Day | null {
  return days.reduce<Day | null>(
    (best, day) => (best === null || Math.abs(day - target) < Math.abs(best - target) ? day : best),
    null,
  );
}

/** By their first three letters, as rate cards write them; from Monday on, as `weekdayOf` counts. */
const WEEKDAY_BY_CODE = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;

type WeekdayCode = keyof typeof WEEKDAY_BY_CODE;
export const WEEKDAY_CODES = Object.keys(WEEKDAY_BY_CODE) as WeekdayCode[];
export const WEEKDAY_NAMES: readonly string[] = Object.values(WEEKDAY_BY_CODE);

export const MONTH_NAMES: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

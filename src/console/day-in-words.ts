import { dayText, parseDay } from '../stay/day.ts';

/** Sat 15 May 2027. What is no day stays as it is. */
export function dayInWords(date: string): string {
  const day = parseDay(date);
  return day === undefined ? date : dayText(day);
}

/** Sat 15 May 2027 · 7 nights, where the arrival is known. */
export function departureInWords(checkOut: string, checkIn: string): string {
  const [from, to] = [parseDay(checkIn), parseDay(checkOut)];
  if (from === undefined || to === undefined) return dayInWords(checkOut);
  const nights = to - from;
  return `${dayText(to)} · ${nights} ${nights === 1 ? 'night' : 'nights'}`;
}

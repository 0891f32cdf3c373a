import type { Day } from '../../stay/day.ts';

/** Days of `[from, until)` as bits of 32-day words. All sets align their words alike, so that they combine word by word. */
export type DaySet = { readonly from: Day; readonly until: Day; readonly words: Int32Array };

export function createDaySet(from: Day, until: Day): DaySet {
  const words = until > from ? ((until - 1) >> 5) - (from >> 5) + 1 : 0;
  return { from, until, words: new Int32Array(words) };
}

export function hasDay(set: DaySet, day: Day): boolean {
  if (!(day >= set.from && day < set.until)) return false;
  return ((set.words[(day >> 5) - (set.from >> 5)] ?? 0) & (1 << day)) !== 0;
}

/** The day must lie within the set's bounds. */
export function addDay(set: DaySet, day: Day): void {
  const word = (day >> 5) - (set.from >> 5);
  set.words[word] = (set.words[word] ?? 0) | (1 << day);
}

/** Adds each day whose flag, in a column that begins on the set's first day, is the wanted one. */
export function addDaysFlagged(set: DaySet, flags: Uint8Array, wanted: 0 | 1): void {
  for (let position = 0; position < flags.length; position++) {
    if (flags[position] === wanted) addDay(set, set.from + position);
  }
}

export function deleteDay(set: DaySet, day: Day): void {
  const word = (day >> 5) - (set.from >> 5);
  set.words[word] = (set.words[word] ?? 0) & ~(1 << day);
}

/** Adds the days of `source` in `[from, until)` that lie within the bounds of `target`; returns how many were new. */
export function addDaysBetween(target: DaySet, source: DaySet, from: Day, until: Day): number {
  const first = Math.max(from, source.from, target.from);
  const last = Math.min(until, source.until, target.until) - 1;
  if (!(first <= last)) return 0;
  const [sourceOffset, targetOffset] = [source.from >> 5, target.from >> 5];
  let added = 0;
  for (let word = first >> 5; word <= last >> 5; word++) {
    const old = target.words[word - targetOffset] ?? 0;
    const fresh = (source.words[word - sourceOffset] ?? 0) & maskOfDays(word, first, last) & ~old;
    if (fresh === 0) continue;
    target.words[word - targetOffset] = old | fresh;
    added += countBits(fresh);
  }
  return added;
}

/** The first day from `day` on that is in the set, or its `until` when there is none. */
export function nextDayIn(set: DaySet, day: Day): Day {
  return nextDay(set, day, 0);
}

/** The first day from `day` on that is not in the set, at most its `until`. */
export function nextDayOutside(set: DaySet, day: Day): Day {
  return nextDay(set, day, -1);
}

export function daysIn(set: DaySet): readonly Day[] {
  const days: Day[] = [];
  for (let day = nextDayIn(set, set.from); day < set.until; day = nextDayIn(set, day + 1)) days.push(day);
  return days;
}

function nextDay(set: DaySet, day: Day, flip: number): Day {
  const first = Math.max(day, set.from);
  const offset = set.from >> 5;
  if (!(first < set.until)) return set.until;
  for (let word = first >> 5; word - offset < set.words.length; word++) {
    const bits = ((set.words[word - offset] ?? 0) ^ flip) & maskOfDays(word, first, set.until - 1);
    if (bits !== 0) return word * 32 + 31 - Math.clz32(bits & -bits);
  }
  return set.until;
}

/** The bits of one word that stand for days from `first` to `last`. */
export function maskOfDays(word: number, first: Day, last: Day): number {
  const fromFirst = word === first >> 5 ? -1 << (first & 31) : -1;
  return word === last >> 5 ? fromFirst & (-1 >>> (31 - (last & 31))) : fromFirst;
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const quads = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

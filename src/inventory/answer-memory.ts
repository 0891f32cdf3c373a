import type { Shelf } from './shelves.ts';
import type { Wish } from './wish.ts';

const MOST_ANSWERS = 500;

type AnswerMemory<Answer> = (wish: Wish, shelf: Shelf, minute: number, work: () => Answer) => Answer;

/**
 * Most sessions begin with the same few questions. An answer is good for as long as its shelf is unchanged, and for a
 * minute at most: no day of any time zone begins in between.
 */
export function createAnswerMemory<Answer>(): AnswerMemory<Answer> {
  const answers = new Map<string, { shelf: Shelf; version: number; answer: Answer }>();
  let minuteOfAnswers = Number.NaN;

  return (wish, shelf, minute, work) => {
    // Wishes for amenities come late and are rarely alike.
    if (wish.amenities.length > 0) return work();
    if (minute !== minuteOfAnswers || answers.size >= MOST_ANSWERS) answers.clear();
    minuteOfAnswers = minute;
    const key = `${wish.brand} ${wish.place} ${wish.checkInMonth} ${wish.checkIn} ${wish.checkOut} ${wish.guests}`;
    const known = answers.get(key);
    if (known && known.shelf === shelf && known.version === shelf.version) return known.answer;
    const answer = work();
    answers.set(key, { shelf, version: shelf.version, answer });
    return answer;
  };
}

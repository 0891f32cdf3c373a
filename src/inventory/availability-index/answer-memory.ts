import type { StayCriteria } from '../stay-criteria.ts';
import type { Shelf } from './partitions.ts';

const MAX_ANSWERS = 500;

type AnswerMemory<Answer> = (
  criteria: StayCriteria,
  shelf: Shelf,
  minute: number,
  work: () => Answer,
) => Answer;

/**
 * Most sessions begin with the same few questions. An answer is good for as long as its shelf is unchanged, and for a
 * minute at most: no day of any time zone begins in between.
 */
export function createAnswerMemory<Answer>(): AnswerMemory<Answer> {
  const answers = new Map<string, { shelf: Shelf; version: number; answer: Answer }>();
  let minuteOfAnswers = Number.NaN;

  return (criteria, shelf, minute, work) => {
    // Criteria for amenities come late and are rarely alike.
    if (criteria.amenities.length > 0) return work();
    if (minute !== minuteOfAnswers || answers.size >= MAX_ANSWERS) answers.clear();
    minuteOfAnswers = minute;
    const key = `${criteria.brand} ${criteria.place} ${criteria.checkInMonth} ${criteria.checkIn} ${criteria.checkOut} ${criteria.guests}`;
    const known = answers.get(key);
    if (known && known.shelf === shelf && known.version === shelf.version) return known.answer;
    const answer = work();
    answers.set(key, { shelf, version: shelf.version, answer });
    return answer;
  };
}

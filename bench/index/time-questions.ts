import { median, quantile } from '../median.ts';

/** Of different questions: half of them, and 99 of 100, take at most as long. */
export type QuestionTimes = { readonly medianUs: number; readonly p99Us: number };

/**
 * Every question is asked in each pass, and its quickest answer counts: what else the machine does slows down one pass,
 * what a question costs all of them. Ends early when the time is over, but not before all were asked once, or a dozen of them. Others are asked
 * before, without being timed: a service that runs has compiled the code that answers them.
 */
export function timeQuestions<Question>(
  questions: readonly Question[],
  ask: (question: Question) => unknown,
  {
    passes,
    maxMs,
    warmUpMs,
    others,
  }: {
    readonly passes: number;
    readonly maxMs: number;
    readonly warmUpMs: number;
    readonly others: readonly Question[];
  },
): QuestionTimes {
  for (const other of inTurn(others, warmUpMs)) ask(other);
  const quickest: number[] = [];
  const endsAt = performance.now() + maxMs;
  const isOver = () => quickest.length >= MIN_QUESTIONS && performance.now() > endsAt;
  for (let pass = 0; pass < passes && !isOver(); pass += 1) {
    for (const [position, question] of questions.entries()) {
      if (isOver()) break;
      const startedAt = performance.now();
      ask(question);
      const took = performance.now() - startedAt;
      quickest[position] = Math.min(quickest[position] ?? Number.POSITIVE_INFINITY, took * 1000);
    }
  }
  return timesAmong(quickest);
}

/** Of how long each question took at best. */
export function timesAmong(quickest: readonly number[]): QuestionTimes {
  return { medianUs: median(quickest), p99Us: quantile(quickest, 0.99) };
}

const MIN_QUESTIONS = 12;

/** One after the other, and from the first again, until the time is over; at least one, if there is any. */
export function* inTurn<Question>(questions: readonly Question[], ms: number): Generator<Question> {
  const endsAt = performance.now() + ms;
  for (let number = 0; questions.length > 0; number = (number + 1) % questions.length) {
    yield questions[number] as Question;
    if (performance.now() >= endsAt) return;
  }
}

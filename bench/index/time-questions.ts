import { median, quantile } from '../median.ts';

/** Of different questions: half of them, and 99 of 100, take at most as long. */
export type QuestionTimes = { readonly medianUs: number; readonly p99Us: number };

/**
 * Every question is asked in each pass, and its quickest answer counts: what else the machine does slows down one pass,
 * what a question costs all of them. Ends early when the time is over, but not before all were asked once, or a dozen of them.
 */
export function timeQuestions<Question>(
  questions: readonly Question[],
  ask: (question: Question) => unknown,
  { passes, maxMs }: { readonly passes: number; readonly maxMs: number },
): QuestionTimes {
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

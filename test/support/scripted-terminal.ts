import { Interrupted, UsageFault } from '../../src/cli/faults.ts';
import type { Question, Terminal } from '../../src/cli/terminal.ts';
import { formatDay, parseMonth } from '../../src/stay/day.ts';

export type ScriptedTerminal = Terminal & {
  readonly printed: readonly string[];
  readonly noted: readonly string[];
  /** What was shown for a while. */
  readonly waited: readonly string[];
  readonly questions: readonly Question[];
};

/** Ctrl-C instead of an answer. */
export const GIVE_UP = Symbol('give up');

/** Escape, which makes a choice of its own at some questions and gives up at the others. */
export const ESCAPE = '(Escape)';

/** Enter, where several can be chosen. */
export const AS_SUGGESTED = '(as suggested)';

/**
 * A person who answers the questions that they expect, each by a part of its message; any other question fails the test. Without
 * answers there is nobody to ask.
 */
export function createScriptedTerminal(
  answers?: readonly (readonly [about: string, answer: string | typeof GIVE_UP])[],
): ScriptedTerminal {
  const [printed, noted, waited, questions]: [string[], string[], string[], Question[]] = [[], [], [], []];
  const waiting = [...(answers ?? [])];

  function answerTo(question: Question): string {
    const { message, option } = question;
    if (!answers) throw new UsageFault([`${message} is not given`], `give it with ${option}`);
    questions.push(question);
    const at = waiting.findIndex(([about]) => message.includes(about));
    const [found] = at < 0 ? [] : waiting.splice(at, 1);
    if (!found) throw new Error(`nobody answers “${message}”`);
    const [, answer] = found;
    if (answer === GIVE_UP) throw new Interrupted();
    return answer;
  }

  function assertOffered({ message, choices }: Question, answer: string): void {
    if (choices && !choices.some(({ value }) => value === answer))
      throw new Error(`“${message}” does not offer ${answer}`);
  }

  return {
    printed,
    noted,
    waited,
    questions,
    canAsk: answers !== undefined,
    isSeen: answers !== undefined,
    columns: 80,
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    async ask(question) {
      const given = answerTo(question);
      if (given === ESCAPE && question.atEscape === undefined) throw new Interrupted();
      const answer = given === ESCAPE ? (question.atEscape ?? '') : given;
      const fault = question.faultOf?.(answer);
      if (fault !== undefined) throw new Error(`“${question.message}” does not take ${answer}: ${fault}`);
      assertOffered(question, answer);
      return answer;
    },
    async askForSome({ initial, ...rest }) {
      const question = { ...rest, initial: initial.join(' ') };
      const answer = answerTo(question);
      if (answer === AS_SUGGESTED) return initial;
      const chosen = answer.split(' ').filter((word) => word !== '');
      for (const one of chosen) assertOffered(question, one);
      return chosen;
    },
    async askForDay({ message, option, daysOf }) {
      const answer = answerTo({ message, option });
      const month = parseMonth(answer.slice(0, 7)) ?? 0;
      const offered = (await daysOf(month)).map(formatDay);
      if (!offered.includes(answer)) throw new Error(`“${message}” does not offer ${answer}`);
      return answer;
    },
    wait: () => ({ show: (text) => void waited.push(text), end: (text) => void noted.push(text) }),
    progress: () => ({ update: () => undefined, end: (text) => void noted.push(text) }),
    styled: (_, text) => text,
  };
}

import { Interrupted, UsageFault } from '../../src/cli/faults.ts';
import type { Question, Terminal } from '../../src/cli/terminal.ts';

export type ScriptedTerminal = Terminal & {
  readonly printed: readonly string[];
  readonly noted: readonly string[];
  readonly questions: readonly Question[];
};

/** Ctrl-C instead of an answer. */
export const GIVE_UP = Symbol('give up');

/**
 * A person who answers the questions that they expect, each by a part of its message; any other question fails the test. Without
 * answers there is nobody to ask.
 */
export function createScriptedTerminal(
  answers?: readonly (readonly [about: string, answer: string | typeof GIVE_UP])[],
): ScriptedTerminal {
  const [printed, noted, questions]: [string[], string[], Question[]] = [[], [], []];
  const waiting = [...(answers ?? [])];

  return {
    printed,
    noted,
    questions,
    canAsk: answers !== undefined,
    isSeen: answers !== undefined,
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    async ask(question) {
      const { message, option, choices, faultOf } = question;
      if (!answers) throw new UsageFault([`${message} is not given`], `give it with ${option}`);
      questions.push(question);
      const at = waiting.findIndex(([about]) => message.includes(about));
      const [found] = at < 0 ? [] : waiting.splice(at, 1);
      if (!found) throw new Error(`nobody answers “${message}”`);
      const [, answer] = found;
      if (answer === GIVE_UP) throw new Interrupted();
      const fault = faultOf?.(answer);
      if (fault !== undefined) throw new Error(`“${message}” does not take ${answer}: ${fault}`);
      if (choices && !choices.some(({ value }) => value === answer))
        throw new Error(`“${message}” does not offer ${answer}`);
      return answer;
    },
    progress: () => ({ update: () => undefined, end: (text) => void noted.push(text) }),
    styled: (_, text) => text,
  };
}

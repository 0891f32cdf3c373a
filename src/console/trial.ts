import { wordsFor } from '../analytics/reports/words.ts';
import type { OperationName } from '../contract/operations.ts';
import { valid } from '../parsing/reading.ts';
import type { Random } from '../random.ts';
import { operationRequest } from '../requests/operation-request.ts';
import type { ServeOperation } from '../requests/serve-operation.ts';
import { CONSOLE_ASSISTANT } from '../sessions/session.ts';

/** A search that the owner walks through, as an assistant would. */
export type Trial = {
  /** Never in a page or an address. */
  readonly token: string | null;
  /** The oldest first. */
  readonly steps: readonly TrialStep[];
};

export type TrialStep = {
  /** What was asked, in words. */
  readonly sent: string;
  /** The answer as assistants get it. */
  readonly answer: Readonly<Record<string, unknown>>;
};

export type Trials = {
  open(source: string | null): Promise<Trial>;
  /** A value of blanks is none: then it is shown where the search stands, without the last refusal. */
  supply(trial: Trial, field: string, value: string): Promise<Trial>;
};

/** Whoever tries the service is no assistant: nothing of it is counted as what travellers ask for. What operators answer is. */
const CALLER = { assistant: CONSOLE_ASSISTANT, address: '127.0.0.1' };
const ID_BYTES = 8;
/** A result is large, so the oldest answers are let go. */
const MAX_STEPS = 20;

export function createTrials({
  serveOperation,
  random,
}: {
  readonly serveOperation: ServeOperation;
  readonly random: Random;
}): Trials {
  async function call(
    operation: OperationName,
    token: string | undefined,
    values: Readonly<Record<string, string>>,
  ): Promise<TrialStep['answer']> {
    const { body } = await serveOperation(
      operationRequest({
        id: `console-${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`,
        operation,
        caller: CALLER,
        token,
        keys: [],
        versions: [],
        values: valid(new Map(Object.entries(values))),
        // Answers repeat the method, so it is the one that an assistant uses.
        method: operation === 'readResult' ? 'GET' : 'POST',
      }),
    );
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  }

  async function lookAgain(token: string, hasResult: boolean): Promise<TrialStep> {
    return hasResult
      ? { sent: 'The result again', answer: await call('readResult', token, {}) }
      : { sent: 'What is asked for now?', answer: await call('search', token, {}) };
  }

  return {
    async open(source) {
      const opened = await call('openSession', undefined, source === null ? {} : { source });
      const sent = source === null ? 'Open a session' : `Open a session through ${source}`;
      const token = typeof opened.session === 'string' ? opened.session : null;
      const steps = [{ sent, answer: opened }];
      if (token === null) return { token, steps };
      const first = await call('search', token, {});
      return { token, steps: [...steps, { sent: 'What is asked for first?', answer: first }] };
    },
    async supply(trial, field, value) {
      const { token } = trial;
      if (token === null) return trial;
      const step =
        value.trim() === ''
          ? await lookAgain(token, isComplete(trial))
          : {
              sent: `${wordsFor(field)}: ${value}`,
              answer: await call('search', token, { [field]: value }),
            };
      return { ...trial, steps: [...trial.steps, step].slice(-MAX_STEPS) };
    },
  };
}

function isComplete({ steps }: Trial): boolean {
  const last = steps.at(-1)?.answer;
  return last?.object === 'search_result' || last?.result_ready === true;
}

import type { Network } from '../inventory/catalogue.ts';
import type { AnswerWriter } from '../search/answer-writer.ts';
import type { Links } from './links.ts';
import { resultAnswer } from './result-answer.ts';
import { sessionAnswer } from './session-answer.ts';
import { refusedStepAnswer, stepText } from './step-answer.ts';

/** Writes outcomes as bodies of the contract. */
export function createAnswerWriter({
  links,
  network,
}: {
  readonly links: Links;
  readonly network: Network;
}): AnswerWriter {
  return {
    opened: (session, request, context) => JSON.stringify(sessionAnswer(session, request, context, links)),
    step: (step, cleared, method) => stepText(step, cleared, method, links),
    refusal: (code, step, details, context) =>
      JSON.stringify(refusedStepAnswer(code, step, details, { ...context, links })),
    result: (comparison, session, token) =>
      JSON.stringify(resultAnswer(comparison, session, { links, token, network })),
  };
}

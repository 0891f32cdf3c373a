import type { Network } from '../inventory/catalogue.ts';
import type { WrittenAnswers } from '../search/written-answers.ts';
import type { Links } from './links.ts';
import { resultAnswer } from './result-answer.ts';
import { sessionAnswer } from './session-answer.ts';
import { refusedStepAnswer } from './step-answer.ts';
import { createStepText } from './step-text.ts';

/** Outcomes in the shape of the contract. */
export function createWrittenAnswers({
  links,
  network,
}: {
  readonly links: Links;
  readonly network: Network;
}): WrittenAnswers {
  return {
    opened: (session, request, token) => JSON.stringify(sessionAnswer(session, request, token, links)),
    step: createStepText(links),
    refusal: (code, step, details, about) =>
      JSON.stringify(refusedStepAnswer(code, step, details, { ...about, links })),
    result: (comparison, session, token) =>
      JSON.stringify(resultAnswer(comparison, session, { links, token, network })),
  };
}

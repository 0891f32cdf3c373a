import type { ResultBody } from '../contract/result-body.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { FindExampleStay } from '../inventory/example-stay.ts';
import type { AnswerWriter } from '../search/answer-writer.ts';
import { compactResult } from './compact-result.ts';
import type { Links } from './links.ts';
import { resultText, withRemarks } from './result-text.ts';
import { sessionAnswer } from './session-answer.ts';
import { refusedStepAnswer, stepText } from './step-answer.ts';

/** Writes outcomes as bodies of the contract. */
export function createAnswerWriter({
  links,
  network,
  findExampleStay,
}: {
  readonly links: Links;
  readonly network: Network;
  readonly findExampleStay: FindExampleStay;
}): AnswerWriter {
  return {
    opened: (session, request, context) =>
      JSON.stringify(sessionAnswer(session, request, context, { links, findExampleStay })),
    step: (step, remarks, form) => stepText(step, remarks, form, { links, network }),
    refusal: (code, step, details, context) =>
      JSON.stringify(refusedStepAnswer(code, step, details, { ...context, links, network })),
    result: (comparison, session, token, remarks) =>
      resultText(comparison, session, { links, token, network, remarks }),
    withRemarks: (result, remarks) => {
      const stored: ResultBody = JSON.parse(result);
      const remarked = withRemarks(stored, remarks);
      return remarked === stored ? result : JSON.stringify(remarked);
    },
    compactResult: (result) => JSON.stringify(compactResult(JSON.parse(result))),
  };
}

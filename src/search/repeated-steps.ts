import { LRUCache } from 'lru-cache';
import type { Session } from '../sessions/session.ts';
import type { AnswerWriter, StepText } from './answer-writer.ts';
import { criteriaOf } from './field-rules.ts';
import type { SearchFacts } from './search-facts.ts';
import { refineStep, type Step, searchStep } from './step.ts';

const MAX_STEPS = 500;

export type RenderedStep = { readonly step: Step; readonly text: StepText };

/** The step of a session whose payload is settled, and its text but for token and revision. */
export type RenderStep = (session: Session, method: string, facts: SearchFacts) => RenderedStep;

/**
 * Most sessions stand at the same few steps. What a step says follows from the kind of session and from what was received,
 * as long as the index has the same answers: then it is neither asked for nor written again.
 */
export function createRepeatedSteps(answers: Pick<AnswerWriter, 'step'>): RenderStep {
  const steps = new LRUCache<string, RenderedStep & { readonly revision: string }>({ max: MAX_STEPS });

  return (session, method, facts) => {
    // What a refine step offers was counted for this one result.
    if (session.result?.answersPayload) return rendered(refineStep(session), method);
    const revision = facts.index.revision(criteriaOf(session, session.payload), facts.now);
    const key = JSON.stringify([method, session.source, session.onlyPlace, session.payload]);
    const known = steps.get(key);
    if (known?.revision === revision) return known;
    const fresh = { ...rendered(searchStep(session, session.payload, facts), method), revision };
    steps.set(key, fresh);
    return fresh;
  };

  function rendered(step: Step, method: string): RenderedStep {
    let text: StepText | undefined;
    return {
      step,
      // Written when it is asked for: a step without values has no text.
      text: (context) => {
        text ??= answers.step(step, [], method);
        return text(context);
      },
    };
  }
}

import { LRUCache } from 'lru-cache';
import type { Session } from '../sessions/session.ts';
import type { AnswerWriter, StepText } from './answer-writer.ts';
import { criteriaOf } from './field-rules.ts';
import type { SearchFacts } from './search-facts.ts';
import { refineStep, type Step, searchStep } from './step.ts';

const MAX_STEPS = 500;

export type RenderedStep = { readonly step: Step; readonly text: StepText };

/** Expects a payload without stale values. */
export type RenderStep = (session: Session, method: string, facts: SearchFacts) => RenderedStep;

/**
 * Caches steps, because most sessions are at the same few. A step depends only on the kind of session, its payload and the
 * index, so it is valid until the revision of the index changes.
 */
export function createRepeatedSteps(answers: Pick<AnswerWriter, 'step'>): RenderStep {
  const steps = new LRUCache<string, RenderedStep & { readonly revision: string }>({ max: MAX_STEPS });

  return (session, method, facts) => {
    // Not cached: a refine step offers what was counted for one result.
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
      // Lazy, because a step without values has no text.
      text: (context) => {
        text ??= answers.step(step, [], method);
        return text(context);
      },
    };
  }
}

import { LRUCache } from 'lru-cache';
import type { Session } from '../sessions/session.ts';
import type { AnswerForm, AnswerWriter, StepText } from './answer-writer.ts';
import { NO_SIDE_EFFECTS } from './answer-writer.ts';
import { criteriaOf } from './criteria.ts';
import type { SearchFacts } from './search-facts.ts';
import { refineStep, type Step, searchStep } from './step.ts';

const MAX_STEPS = 500;

export type RenderedStep = { readonly step: Step; readonly text: StepText };

/** Expects a payload without stale values. */
export type RenderStep = (session: Session, form: AnswerForm, facts: SearchFacts) => RenderedStep;

/**
 * Caches steps, because most sessions are at the same few. A step depends only on the kind of session, its payload and the
 * index, so it is valid until the revision of the index changes.
 */
export function createRepeatedSteps(answers: Pick<AnswerWriter, 'step'>): RenderStep {
  const steps = new LRUCache<string, RenderedStep & { readonly revision: string }>({ max: MAX_STEPS });

  return (session, form, facts) => {
    // Not cached: a refine step offers what was counted for one result.
    if (session.result?.answersPayload) return rendered(refineStep(session), form);
    const revision = facts.index.revision(criteriaOf(session, session.payload), facts.now);
    const { source, onlyPlace, payload, amenities, result } = session;
    const { method, view } = form;
    const key = JSON.stringify([method, view, source, onlyPlace, payload, amenities, result === null]);
    const known = steps.get(key);
    if (known?.revision === revision) return known;
    const fresh = { ...rendered(searchStep(session, payload, facts), form), revision };
    steps.set(key, fresh);
    return fresh;
  };

  function rendered(step: Step, form: AnswerForm): RenderedStep {
    let text: StepText | undefined;
    return {
      step,
      // Lazy, because a step without values has no text.
      text: (context) => {
        text ??= answers.step(step, NO_SIDE_EFFECTS, form);
        return text(context);
      },
    };
  }
}

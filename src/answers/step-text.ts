import type { Step } from '../search/step.ts';
import type { WrittenAnswers } from '../search/written-answers.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import type { Links } from './links.ts';
import { stepAnswer } from './step-answer.ts';

/** Stand where token and revision belong. JSON text holds no raw control character, and no session has this revision. */
const NO_TOKEN = '\u0001';
const NO_REVISION = -1;
const TOKEN_GAP = JSON.stringify(NO_TOKEN).slice(1, -1);
const KEY_GAP = serviceKey(NO_REVISION, '');

type Fill = (token: string, revision: number) => string;

/**
 * Many sessions stand at the same step, and what it says differs only in their tokens and revisions. A step that comes a
 * second time is written with gaps, and from then on the gaps are filled: that takes a quarter of the time of writing it anew.
 */
export function createStepText(links: Links): WrittenAnswers['step'] {
  const seen = new WeakMap<Step, Map<string, Fill>>();

  return (step, cleared, about) => {
    const { token, session, method } = about;
    const texts = cleared.length === 0 ? seen.get(step) : undefined;
    if (!texts) {
      seen.set(step, seen.get(step) ?? new Map());
      return JSON.stringify(stepAnswer(step, cleared, { ...about, links }));
    }
    const fill = texts.get(method) ?? writeWithGaps(step, { ...about, links });
    texts.set(method, fill);
    return fill(token, session.revision);
  };
}

function writeWithGaps(step: Step, context: Parameters<typeof stepAnswer>[2]): Fill {
  const session = { ...context.session, revision: NO_REVISION };
  const text = JSON.stringify(stepAnswer(step, [], { ...context, session, token: NO_TOKEN }));
  const parts = text.split(TOKEN_GAP).map((part) => part.split(KEY_GAP));
  return (token, revision) => {
    const key = serviceKey(revision, '');
    return parts.map((part) => part.join(key)).join(token);
  };
}

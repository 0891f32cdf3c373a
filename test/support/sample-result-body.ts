import type { ResultBody } from '../../src/contract/result-body.ts';
import { createLinks } from '../../src/search/answers/links.ts';
import { resultAnswer } from '../../src/search/answers/result-answer.ts';
import { NO_SIDE_EFFECTS } from '../../src/search/answers/side-effects.ts';
import type { Comparison } from '../../src/search/comparison.ts';
import { casas, sampleComparison } from './sample-comparison.ts';
import { sampleSession } from './sample-session.ts';

/** A result as the interface writes it. */
export function sampleResultBody(facts: Partial<Comparison> = {}): ResultBody {
  const tools = {
    links: createLinks(null),
    token: 'ses_a',
    network: { brands: new Map([['casas', casas]]), places: new Map() },
    sideEffects: NO_SIDE_EFFECTS,
  };
  return resultAnswer(sampleComparison(facts), sampleSession('id', 6), tools).body;
}

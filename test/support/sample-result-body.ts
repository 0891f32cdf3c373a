import type { ResultBody } from '../../src/contract/result-body.ts';
import { NO_SIDE_EFFECTS } from '../../src/search/answer-writer.ts';
import { createLinks } from '../../src/search/answers/links.ts';
import { resultText } from '../../src/search/answers/result-text.ts';
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
  return JSON.parse(resultText(sampleComparison(facts), sampleSession('id', 6), tools));
}

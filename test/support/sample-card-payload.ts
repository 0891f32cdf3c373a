import type { ResultBody } from '../../src/contract/result-body.ts';
import type { ComparisonPayload } from '../../src/mcp/card/content/card-content.ts';
import { compactResult } from '../../src/search/answers/compact-result.ts';
import { createLinks } from '../../src/search/answers/links.ts';
import { resultAnswer } from '../../src/search/answers/result-answer.ts';
import { NO_SIDE_EFFECTS } from '../../src/search/answers/side-effects.ts';
import type { Comparison } from '../../src/search/comparison.ts';
import { casas, sampleComparison } from './sample-comparison.ts';
import { sampleSession } from './sample-session.ts';

const tools = {
  links: createLinks('https://stay.example'),
  token: 'ses_a',
  network: { brands: new Map([['casas', casas]]), places: new Map() },
  sideEffects: NO_SIDE_EFFECTS,
};

/** What the card is given for a comparison: the compact view that the service itself writes. */
export function sampleCardPayload(facts: Partial<Comparison> = {}): ComparisonPayload {
  return cardPayload(compactResult(resultAnswer(sampleComparison(facts), sampleSession('id'), tools).body));
}

/** A result without its session and without the addresses that are for assistants. */
export function cardPayload(result: ResultBody): ComparisonPayload {
  const { session: _s, session_expires_at: _e, available_requests: _r, self_url: _u, ...rest } = result;
  const { terms_url: _t, ...payload } = rest;
  return payload;
}

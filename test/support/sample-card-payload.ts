import type { ResultBody } from '../../src/contract/result-body.ts';
import type { ComparisonPayload } from '../../src/mcp/card/comparison-payload.ts';
import { NO_SIDE_EFFECTS } from '../../src/search/answer-writer.ts';
import { createAnswerWriter } from '../../src/search/answers/create-answer-writer.ts';
import { createLinks } from '../../src/search/answers/links.ts';
import type { Comparison } from '../../src/search/comparison.ts';
import { casas, sampleComparison } from './sample-comparison.ts';
import { sampleSession } from './sample-session.ts';

const write = createAnswerWriter({
  links: createLinks('https://stay.example'),
  network: { brands: new Map([['casas', casas]]), places: new Map() },
  findExampleStay: () => ({ place: 'lisbon-pt', checkIn: '2026-12-15', checkOut: '2026-12-18' }),
});

/** What the card is given for a comparison: the compact view that the service itself writes. */
export function sampleCardPayload(facts: Partial<Comparison> = {}): ComparisonPayload {
  const result = write.result(sampleComparison(facts), sampleSession('id'), 'ses_a', NO_SIDE_EFFECTS);
  return cardPayload(JSON.parse(write.compactResult(result)));
}

/** A result without its session and without the addresses that are for assistants. */
export function cardPayload(result: ResultBody): ComparisonPayload {
  const { session: _s, session_expires_at: _e, available_requests: _r, self_url: _u, ...rest } = result;
  const { terms_url: _t, ...payload } = rest;
  return payload;
}

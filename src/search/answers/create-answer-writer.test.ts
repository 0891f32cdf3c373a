import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casas, sampleComparison } from '../../../test/support/sample-comparison.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import { NO_SIDE_EFFECTS } from '../answer-writer.ts';
import type { Step } from '../step.ts';
import { createAnswerWriter } from './create-answer-writer.ts';
import { createLinks } from './links.ts';

const write = createAnswerWriter({
  links: createLinks('https://stay.example'),
  network: { brands: new Map([['casas', casas]]), places: new Map() },
  findExampleStay: () => ({ place: 'lisbon-pt', checkIn: '2026-12-15', checkOut: '2026-12-18' }),
});
const context = { session: sampleSession('id', 3), token: 'ses_a', method: 'GET', view: 'full' } as const;
const guests: Step = {
  received: {},
  missing: ['guests'],
  allowed: { guests: ['2'] },
  truncated: null,
  order: ['guests'],
  dependsOn: {},
  resultReady: false,
  next: 'guests',
};
const SUPPLY = 'https://stay.example/ai/v1/search?session=ses_a&field=guests&value=2&idempotency_key=sw.3.0';

const SIDE_EFFECTS = {
  cleared: { fields: ['check_out'], amenities: [] },
  refusal: null,
  isFromEarlierStep: false,
} as const;

test('every outcome is the text of its body, with the addresses of its session', () => {
  const opened = JSON.parse(write.opened(context.session, { source: null }, context));
  assert.deepEqual([opened.object, opened.session, opened.request], ['session', 'ses_a', { source: null }]);

  const step = JSON.parse(write.step(guests, SIDE_EFFECTS, { method: 'GET', view: 'full' })(context));
  assert.deepEqual([step.error, step.method, step.next_request.url], ['incomplete_payload', 'GET', SUPPLY]);
  assert.deepEqual(step.cleared_fields, ['check_out']);

  const details = { sideEffects: SIDE_EFFECTS, retryAfterSeconds: 5 };
  const refusal = JSON.parse(write.refusal('upstream_unavailable', guests, details, context));
  assert.deepEqual(
    [refusal.error, refusal.method, refusal.retry_after_seconds, refusal.available_requests[0].url],
    ['upstream_unavailable', 'GET', 5, SUPPLY],
  );
  assert.deepEqual(refusal.cleared_fields, ['check_out']);

  const text = write.result(sampleComparison(), context.session, 'ses_a', NO_SIDE_EFFECTS);
  const result = JSON.parse(text);
  assert.deepEqual([result.object, result.session, result.view], ['search_result', 'ses_a', undefined]);
  assert.equal(result.comparison_set.coverage[0].brand, 'Casas de Lisboa');
  const updated = JSON.parse(write.result(sampleComparison(), context.session, 'ses_a', SIDE_EFFECTS));
  assert.deepEqual(updated.cleared_fields, ['check_out']);
  const compact = JSON.parse(write.compactResult(text));
  assert.deepEqual([compact.object, compact.view], ['search_result', 'compact']);
});

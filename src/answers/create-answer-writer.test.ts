import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casas, sampleComparison } from '../../test/support/sample-comparison.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { Step } from '../search/step.ts';
import { createAnswerWriter } from './create-answer-writer.ts';
import { createLinks } from './links.ts';

const write = createAnswerWriter({
  links: createLinks('https://stay.example'),
  network: { brands: new Map([['casas', casas]]), places: new Map() },
});
const context = { session: sampleSession('id', 3), token: 'ses_a', method: 'GET' };
const guests: Step = {
  received: {},
  missing: ['guests'],
  allowed: { guests: ['2'] },
  truncated: null,
  order: ['guests'],
  dependsOn: {},
  next: 'guests',
};
const SUPPLY = 'https://stay.example/ai/v1/search?session=ses_a&field=guests&value=2&idempotency_key=sw.3.0';

test('every outcome is the text of its body, with the addresses of its session', () => {
  const opened = JSON.parse(write.opened(context.session, { source: null }, { ...context, view: 'full' }));
  assert.deepEqual([opened.object, opened.session, opened.request], ['session', 'ses_a', { source: null }]);

  const step = JSON.parse(write.step(guests, ['check_out'], 'GET')(context));
  assert.deepEqual([step.error, step.method, step.next_request.url], ['incomplete_payload', 'GET', SUPPLY]);
  assert.deepEqual(step.cleared_fields, ['check_out']);

  const refusal = JSON.parse(write.refusal('invalid_value', guests, { field: 'guests' }, context));
  assert.deepEqual(
    [refusal.error, refusal.invalid_field, refusal.method, refusal.next_request.url],
    ['invalid_value', 'guests', 'GET', SUPPLY],
  );

  const result = JSON.parse(write.result(sampleComparison(), context.session, 'ses_a'));
  assert.deepEqual([result.object, result.session], ['search_result', 'ses_a']);
  assert.equal(result.comparison_set.coverage[0].brand, 'Casas de Lisboa');
});

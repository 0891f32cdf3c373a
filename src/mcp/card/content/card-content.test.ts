import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { isWebLink, readToolResult } from './card-content.ts';

const payload = sampleCardPayload();
const view = { sort: 'rating', max_total: null, free_cancellation: false, max_options: 5 };
const content = [{ type: 'text', text: 'From when?' }];

test('the comparison beside the result is taken, with what was asked for', () => {
  const _meta = { 'staywire/comparison': payload, 'staywire/view': view };
  assert.deepEqual(readToolResult({ content, _meta }), { kind: 'comparison', payload, view, calls: null });
});

test('an answer for models says how to get what it leaves out, and more options', () => {
  const comparison = { currency: 'EUR', options: [{}], view };
  assert.deepEqual(readToolResult({ content, structuredContent: { session: 'ses_a', comparison } }), {
    kind: 'comparison',
    payload: null,
    view,
    calls: {
      details: { session: 'ses_a', sort: 'rating', free_cancellation: false, max_options: 5, for_card: true },
      more: { session: 'ses_a', max_options: 20, for_card: true },
    },
  });
});

test('a question and a refusal are read from their members, never from the text for the model', () => {
  const question = { field: 'guests', asks: 'People who stay.', offered: [], offered_in_all: 0 };
  const refusals = [{ field: 'check_out', error: 'invalid_value', message: 'It is in the past.' }];
  const asked = { outcome: 'question', session: 'ses_a', question };
  assert.deepEqual(readToolResult({ content, structuredContent: asked }), {
    kind: 'question',
    isRefused: false,
    refusals: [],
    question,
  });
  assert.deepEqual(readToolResult({ content, structuredContent: { outcome: 'refused', refusals } }), {
    kind: 'question',
    isRefused: true,
    refusals,
    question: undefined,
  });
  assert.deepEqual(readToolResult({ content, structuredContent: { outcome: 'problem' } }), {
    kind: 'problem',
  });
  assert.deepEqual(readToolResult({ content }), { kind: 'nothing' });
});

test('what is broken is nothing rather than an error', () => {
  for (const broken of [
    null,
    'text',
    {},
    { _meta: { 'staywire/comparison': { results: 3 } }, content: 'x' },
  ]) {
    assert.deepEqual(readToolResult(broken), { kind: 'nothing' });
  }
});

test('only addresses of the web become links or pictures', () => {
  assert.ok(isWebLink('https://casas.example/1?from=2027-04-10'));
  for (const other of ['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', '/1', '']) {
    assert.ok(!isWebLink(other), other);
  }
});

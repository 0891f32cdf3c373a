import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { TermsBody, termsBody } from './terms-body.ts';

test('the terms name their version, from when they govern and where to write to', () => {
  const {
    purpose: _purpose,
    may_share,
    proprietary,
    conduct,
    updates: _updates,
    ...facts
  } = termsBody('a@b.example');
  assert.deepEqual(facts, {
    api_version: '2026-11-01',
    status: 200,
    object: 'terms',
    version: '1',
    effective_at: '2026-11-01',
    contact: 'a@b.example',
    self_url: '/ai/v1/terms',
  });
  for (const rules of [may_share, proprietary, conduct]) assert.ok(rules.length > 0);
  assert.deepEqual([...Value.Errors(TermsBody, termsBody('a@b.example'))], []);
});

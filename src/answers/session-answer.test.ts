import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSession } from '../../test/support/sample-session.ts';
import { createLinks } from './links.ts';
import { sessionAnswer } from './session-answer.ts';

const session = { ...sampleSession('id'), expiresAt: Date.parse('2026-11-15T10:00:00.999Z') };
const links = createLinks('https://stay.example');

test('an opened session says where the search begins', () => {
  const sourced = { ...session, source: 'casas' };
  assert.deepEqual(sessionAnswer(sourced, { source: 'casas' }, 'ses_a', links), {
    api_version: '2026-11-01',
    status: 200,
    endpoint: '/ai/v1/auth',
    method: 'POST',
    object: 'session',
    session: 'ses_a',
    source: 'casas',
    request: { source: 'casas' },
    expires_at: '2026-11-15T10:00:00Z',
    next_request: {
      url: 'https://stay.example/ai/v1/search?session=ses_a&idempotency_key=sw.0.read',
      method: 'GET',
    },
    self_url: '/ai/v1/auth',
    terms_url: '/ai/v1/terms',
  });
});

test('the request is echoed as it came: null and nothing are both a direct session', () => {
  for (const request of [{ source: null }, {}]) {
    const body = sessionAnswer(session, request, 'ses_a', links);
    assert.deepEqual([body.source, body.request], [null, request]);
  }
});

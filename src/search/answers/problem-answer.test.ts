import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Answer } from '../../contract/exchange.ts';
import type { Problem } from '../../contract/problem-body.ts';
import { createLinks } from './links.ts';
import { accessDenied, authRequest, problemAnswer } from './problem-answer.ts';

const bodyOf = ({ body }: Answer) => body as Problem;
const result = { endpoint: 'result', path: '/ai/v1/result', method: 'GET' } as const;
const search = { endpoint: 'search', path: '/ai/v1/search', method: 'POST' } as const;

describe('a problem', () => {
  it('says what was called, what was wrong and where to read on', () => {
    const answer = problemAnswer('session_not_found', result);
    assert.deepEqual(bodyOf(answer), {
      api_version: '2026-11-01',
      status: 404,
      endpoint: '/ai/v1/result',
      method: 'GET',
      error: 'session_not_found',
      message: 'There is no such session.',
      schema_url: '/ai/v1/schema',
      terms_url: '/ai/v1/terms',
      self_url: '/ai/v1/result',
    });
    assert.deepEqual(
      { ...answer, body: '' },
      {
        body: '',
        error: 'session_not_found',
        replayed: false,
        retryAfterSeconds: null,
        tag: null,
        current: null,
      },
    );
  });

  it('mirrors the status of its endpoint: on search 200, unless the caller or the address is wrong', () => {
    const statuses = (code: ErrorCode) =>
      [result, search].map((called) => bodyOf(problemAnswer(code, called)).status);
    assert.deepEqual(statuses('rate_limited'), [429, 200]);
    assert.deepEqual(statuses('internal_error'), [500, 200]);
    assert.deepEqual(statuses('access_denied'), [403, 403]);
    assert.deepEqual(statuses('not_found'), [404, 404]);
    assert.deepEqual(statuses('method_not_allowed'), [405, 405]);
  });

  it('carries the details of the case, in the body and for the transport', () => {
    const answer = problemAnswer('overloaded', search, { retry_after_seconds: 7 });
    assert.equal(bodyOf(answer).retry_after_seconds, 7);
    assert.equal(answer.retryAfterSeconds, 7);
    const details = { message: 'Go back.', reason: 'end_user_access' } as const;
    const { message, reason } = bodyOf(problemAnswer('access_denied', search, details));
    assert.deepEqual({ message, reason }, details);
  });
});

describe('a denied access', () => {
  const HELP = 'https://stays.example/for-assistants';

  it('sends a person back to the assistant, and says to all whom the interface is for', () => {
    const person = bodyOf(accessDenied(search, HELP, true));
    assert.deepEqual([person.status, person.error, person.reason], [403, 'access_denied', 'end_user_access']);
    assert.match(person.message, /go back to your assistant/);
    const stranger = bodyOf(accessDenied(search, HELP, false));
    assert.equal('reason' in stranger, false);
    for (const { access, help_url } of [person, stranger]) {
      assert.deepEqual(access, { audience: 'ai_assistants', end_user_access: false });
      assert.equal(help_url, HELP);
    }
  });
});

describe('the request that begins again', () => {
  const links = createLinks('https://stay.example');
  const byPost = { method: 'POST', view: 'full' } as const;
  const byGet = { method: 'GET', view: 'full' } as const;

  it('names the source where it is known', () => {
    const url = 'https://stay.example/ai/v1/auth';
    assert.deepEqual(authRequest(links, null, byPost), { url, method: 'POST' });
    assert.deepEqual(authRequest(links, 'casas', byPost), {
      url: `${url}?source=casas`,
      method: 'POST',
      body: { source: 'casas' },
    });
  });

  it('is one that can be opened for a caller that opens addresses, and has no body then', () => {
    const url = 'https://stay.example/ai/v1/auth';
    assert.deepEqual(authRequest(links, null, byGet), { url, method: 'GET' });
    assert.deepEqual(authRequest(links, 'casas', byGet), { url: `${url}?source=casas`, method: 'GET' });
    for (const method of ['HEAD', 'PUT', 'call']) {
      assert.equal(authRequest(links, null, { method, view: 'full' }).method, 'POST', method);
    }
  });

  it('carries the compact view on', () => {
    for (const method of ['GET', 'POST']) {
      const { url } = authRequest(links, 'casas', { method, view: 'compact' });
      assert.equal(url, 'https://stay.example/ai/v1/auth?source=casas&view=compact');
    }
  });
});

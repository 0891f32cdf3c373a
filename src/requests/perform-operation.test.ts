import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writtenBody } from '../../test/support/sample-body.ts';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { RequestFault } from '../contract/errors.ts';
import { type Answer, answerWith, textOf } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';
import { invalid, valid } from '../parsing/reading.ts';
import { createLinks } from '../search/answers/links.ts';
import type { OpeningOutcome } from '../search/open-session.ts';
import type { ResultReading } from '../search/read-result.ts';
import type { Step } from '../search/step.ts';
import type { StepOutcome } from '../search/step-request.ts';
import { createPerformOperation, type SessionLookup } from './perform-operation.ts';

const session = { ...sampleSession('id', 4), source: 'casas', expiresAt: Date.parse('2026-11-15T10:00:00Z') };
const LIVE: SessionLookup = { kind: 'live', session, token: 'ses_a' };
const NOT_GIVEN: SessionLookup = { kind: 'no_token' };
const AUTH = { url: '/ai/v1/auth', method: 'POST' };
const AUTH_CASAS = { url: '/ai/v1/auth?source=casas', method: 'POST', body: { source: 'casas' } };
const done = answerWith(writtenBody('{"done":true}'));

/** A use case that a test does not pass must not be called. */
function setUp({ opening, step, reading }: Outcomes = {}) {
  const outcomeOf = async <Outcome>(outcome: Outcome | undefined): Promise<Outcome> => {
    assert.ok(outcome, 'this use case is not called');
    return outcome;
  };
  return createPerformOperation({
    openSession: () => outcomeOf(opening),
    takeStep: () => outcomeOf(step),
    readResult: () => outcomeOf(reading),
    links: createLinks(null),
    sources: ['casas', 'quintas'],
    schemaDocument: answerWith(writtenBody('{"object":"schema"}'), { tag: 's' }),
    termsDocument: answerWith(writtenBody('{"object":"terms"}'), { tag: 't' }),
  });
}

type Outcomes = {
  readonly opening?: OpeningOutcome;
  readonly step?: StepOutcome;
  readonly reading?: ResultReading;
};

/** Only the members that differ between problems. */
function problemOf(answer: Answer) {
  const { api_version, message, schema_url, terms_url, self_url, ...rest } = JSON.parse(
    String(textOf(answer)),
  );
  assert.equal(rest.error, answer.error);
  return rest;
}

describe('openSession', () => {
  const request = sampleRequest({ operation: 'openSession' });
  const called = { endpoint: '/ai/v1/auth', method: 'POST', next_request: AUTH };
  const open = (opening: OpeningOutcome, facts: object = {}) =>
    setUp({ opening })({ ...request, ...facts }, NOT_GIVEN);

  it('answers with the session', async () => {
    assert.equal(await open({ kind: 'opened', answer: done }), done);
  });

  it('names the source that was probably meant when it does not exist', async () => {
    const meant = async (source: unknown) =>
      problemOf(await open({ kind: 'unknown_source' }, { values: valid(new Map([['source', source]])) }))
        .did_you_mean;
    assert.equal(await meant('cassas'), 'casas');
    assert.equal(await meant('Quintas '), 'quintas');
    for (const other of ['atlantis', '', 7, 'c'.repeat(5_000)]) assert.equal(await meant(other), undefined);
  });

  it('refuses a key that was used for another request', async () => {
    const reused = problemOf(await open({ kind: 'idempotency_key_reused' }));
    assert.deepEqual(reused, { ...called, status: 422, error: 'idempotency_key_reused' });
  });
});

const byGet = ({ url }: { readonly url: string }) => ({ url, method: 'GET' });

/** Lookup → error code, status and details when there is no live session. */
const BEGIN_AGAIN = [
  [{ kind: 'no_token' }, 'session_required', 400, { next_request: AUTH }],
  [{ kind: 'not_found' }, 'session_not_found', 404, { next_request: AUTH }],
  [
    { kind: 'expired', session },
    'session_expired',
    410,
    { expired_at: '2026-11-15T10:00:00Z', next_request: AUTH_CASAS },
  ],
] as const;

describe('search', () => {
  const request = sampleRequest({ operation: 'search' });
  const called = { endpoint: '/ai/v1/search', method: 'POST', status: 200 };

  it('answers with the step or the result', async () => {
    assert.equal(await setUp({ step: { kind: 'answered', answer: done } })(request, LIVE), done);
  });

  it('says why there is no session', async () => {
    for (const [lookup, error, , details] of BEGIN_AGAIN) {
      assert.deepEqual(problemOf(await setUp()(request, lookup)), { ...called, error, ...details });
    }
    const whileTaken = await setUp({ step: { kind: 'session_expired' } })(request, LIVE);
    const [, error, , details] = BEGIN_AGAIN[2];
    assert.deepEqual(problemOf(whileTaken), { ...called, error, ...details });
  });

  it('says when to come back if too many requests of the session wait already', async () => {
    const answer = await setUp({ step: { kind: 'queue_full', retryAfterSeconds: 1 } })(request, LIVE);
    assert.deepEqual([answer.error, answer.retryAfterSeconds], ['overloaded', 1]);
    const { message, next_request } = JSON.parse(String(textOf(answer)));
    assert.equal(
      message,
      'This session has 8 requests waiting: wait for their answers, then repeat this one.',
    );
    const url = '/ai/v1/search?session=ses_a&idempotency_key=sw.0.read';
    assert.deepEqual(next_request, { url, method: 'GET' });
  });
});

describe('readResult', () => {
  const request = sampleRequest({ operation: 'readResult', method: 'GET' });
  const called = { endpoint: '/ai/v1/result', method: 'GET' };
  const step: Step = {
    received: {},
    missing: ['check_out', 'guests'],
    allowed: {},
    truncated: null,
    order: [],
    given: [],
    dependsOn: {},
    resultReady: false,
    next: 'check_out',
  };

  it('answers with the stored bytes', async () => {
    const body = writtenBody('{"object":"search_result"}');
    const answer = await setUp({ reading: { kind: 'result', answer: answerWith(body) } })(request, LIVE);
    assert.equal(answer.body, body);
    assert.equal(answer.error, null);
  });

  it('takes a session whose result was deleted for expired', async () => {
    const answer = await setUp({ reading: { kind: 'deleted' } })(request, LIVE);
    assert.deepEqual(problemOf(answer), {
      ...called,
      status: 410,
      error: 'session_expired',
      expired_at: '2026-11-15T10:00:00Z',
      next_request: { url: AUTH_CASAS.url, method: 'GET' },
    });
  });

  it('says what is missing while there is none, and how to go on', async () => {
    const reading: ResultReading = { kind: 'not_ready', step, retryAfterSeconds: 5 };
    const answer = await setUp({ reading })(request, LIVE);
    assert.deepEqual(problemOf(answer), {
      ...called,
      status: 409,
      error: 'result_not_ready',
      missing_fields: ['check_out', 'guests'],
      next_required: 'check_out',
      next_request: { url: '/ai/v1/search?session=ses_a&idempotency_key=sw.4.read', method: 'GET' },
    });
  });

  const complete = {
    kind: 'not_ready',
    step: { ...step, missing: [], next: null },
    retryAfterSeconds: null,
  } as const;

  it('says that the operators were silent when nothing is missing', async () => {
    const silent = { ...complete, retryAfterSeconds: 180 };
    const answer = await setUp({ reading: silent })(request, LIVE);
    assert.deepEqual(problemOf(answer), {
      ...called,
      status: 503,
      error: 'upstream_unavailable',
      retry_after_seconds: 180,
      next_request: { url: '/ai/v1/search?session=ses_a&idempotency_key=sw.4.read', method: 'GET' },
    });
    assert.equal(answer.retryAfterSeconds, 180);
    assert.match(
      JSON.parse(String(textOf(answer))).message,
      /No booking system gave a usable answer.*answers are kept/,
    );
  });

  it('says why there is no session to read', async () => {
    for (const [lookup, error, status, details] of BEGIN_AGAIN) {
      const next_request = byGet(details.next_request);
      assert.deepEqual(problemOf(await setUp()(request, lookup)), {
        ...called,
        status,
        error,
        ...details,
        next_request,
      });
    }
  });
});

describe('documents', () => {
  const documents = [
    ['readSchema', 's', '/ai/v1/schema'],
    ['readTerms', 't', '/ai/v1/terms'],
  ] as const;

  it('are not sent to a request that cannot be read, which is told how to get them', async () => {
    for (const [operation, , url] of documents) {
      const answer = await setUp()(
        sampleRequest({ operation, values: invalid('invalid_request') }),
        NOT_GIVEN,
      );
      const { error, next_request } = problemOf(answer);
      assert.deepEqual([error, next_request], ['invalid_request', { url, method: 'GET' }]);
    }
  });
});

describe('a request that cannot be read', () => {
  it('is told what to change', async () => {
    const messageOn = async (operation: OperationName, fault: RequestFault, lookup: SessionLookup) => {
      const answer = await setUp()(sampleRequest({ operation, values: invalid(fault) }), lookup);
      return JSON.parse(String(textOf(answer))).message;
    };
    assert.equal(await messageOn('readSchema', 'unknown_view', NOT_GIVEN), 'view must be full or compact.');
    assert.match(await messageOn('search', 'unreadable_body', NOT_GIVEN), /send a JSON object/);
    assert.match(await messageOn('openSession', 'body_too_large', NOT_GIVEN), /at most 16384 bytes/);
    assert.match(await messageOn('readResult', 'repeated_parameter', LIVE), /give it once/);
    assert.match(
      await messageOn('readTerms', 'invalid_idempotency_key', NOT_GIVEN),
      /1 to 255 printable ASCII characters/,
    );
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAgainstContract } from '../support/contract-check.ts';
import { setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

/** The check under every other test must itself be able to fail. */

const GET_RESULT = { method: 'GET', url: '/ai/v1/result?session=x' } as const;

function changed(answer: TestAnswer, change: (body: TestAnswer['body']) => void): TestAnswer {
  const body = structuredClone(answer.body);
  change(body);
  return { ...answer, body, raw: JSON.stringify(body) };
}

test('a result is held against its schema and against itself', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const result = await conversation.search();
  assert.deepEqual(checkAgainstContract(GET_RESULT, result), result.body);
  const faults: Record<string, (body: TestAnswer['body']) => void> = {
    'a null key left out': (body) => delete body.results[0].check_in_time,
    'signature left out': (body) => delete body.results[0].quote.signature,
    'all_results_url left out': (body) => delete body.all_results_url,
    'an unknown field': (body) => Object.assign(body, { extra: 1 }),
    'an unknown field within': (body) => Object.assign(body.results[0].quote, { extra: 1 }),
    'a text for a number': (body) => Object.assign(body.results[0].quote, { amount: '100' }),
    'a timestamp with milliseconds': (body) =>
      Object.assign(body, { session_expires_at: '2027-03-01T12:30:00.000Z' }),
    'another status in the body': (body) => Object.assign(body, { status: 201 }),
    'a wrong count': (body) => Object.assign(body.comparison_set, { options_count: 7 }),
    'a wrong order': (body) => body.results.reverse(),
    'a wrong rank': (body) => Object.assign(body.results[1], { rank: 3 }),
    'an address of the interface': (body) =>
      Object.assign(body.results[0], { url: 'https://stay.example/ai/v1/result' }),
    'a token in a link': (body) =>
      Object.assign(body.results[0], { url: `https://stay.example/?s=${body.session}` }),
    'two ends': (body) => Object.assign(body.comparison_set, { quotes_valid_until: '2027-03-01T12:31:00Z' }),
    'wrong nights': (body) => Object.assign(body.query, { nights: 4 }),
    'a wrong sum of coverage': (body) => Object.assign(body.comparison_set.coverage[0], { asked: 9 }),
  };
  for (const [name, change] of Object.entries(faults)) {
    assert.throws(() => checkAgainstContract(GET_RESULT, changed(result, change)), name);
  }
});

test('a step cannot pass for an error, nor an error for a step', async (t) => {
  const { open } = await setScene(t);
  const step = await (await open('acme')).read();
  const search = { method: 'GET', url: '/ai/v1/search?session=x' } as const;
  assert.doesNotThrow(() => checkAgainstContract(search, step));
  for (const key of ['next_required', 'depends_on', 'terms_notice', 'available_requests', 'session']) {
    assert.throws(
      () =>
        checkAgainstContract(
          search,
          changed(step, (body) => delete body[key]),
        ),
      key,
    );
  }
  assert.throws(() =>
    checkAgainstContract(
      search,
      changed(step, (body) => Object.assign(body, { message: 'Hm.' })),
    ),
  );
});

test('every header counts', async (t) => {
  const { service } = await setScene(t);
  const terms = await service.get('/ai/v1/terms');
  const request = { method: 'GET', url: '/ai/v1/terms' } as const;
  for (const name of [
    'content-type',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-api-version',
    'x-request-id',
  ]) {
    const headers = { ...terms.headers, [name]: undefined };
    assert.throws(() => checkAgainstContract(request, { ...terms, headers }), name);
  }
  const headers = { ...terms.headers, 'content-type': 'application/json; charset=utf-8' };
  assert.throws(() => checkAgainstContract(request, { ...terms, headers }));
  assert.throws(() => checkAgainstContract(request, { ...terms, raw: '' }), 'an empty body');
  assert.throws(() => checkAgainstContract(request, { ...terms, raw: '<html>' }), 'no JSON');
});

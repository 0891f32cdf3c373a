import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemFrom, searchAnswerFrom } from './read-answer.ts';

const received = (json: Record<string, unknown>, status = 200) => ({
  status,
  headers: new Headers({ 'x-request-id': 'req_12345678' }),
  retryAfterSeconds: 3,
  json,
});

describe('an answer of search', () => {
  for (const error of ['invalid_value', 'unknown_field', 'prerequisite_missing', 'refine_not_available']) {
    it(`with ${error} is a refusal where there is a session, and a problem where there is none`, () => {
      const body = { error, message: 'No.', invalid_field: 'guests' };
      assert.equal(searchAnswerFrom(received({ ...body, session: 's' })).kind, 'refusal');
      assert.equal(searchAnswerFrom(received(body)).kind, 'problem');
    });
  }

  it('with any other error is a problem, with what is needed to go on', () => {
    const body = { error: 'session_used_up', message: 'Enough.', session: 's' };
    assert.deepEqual(searchAnswerFrom(received(body, 409)), {
      kind: 'problem',
      session: 's',
      code: 'session_used_up',
      status: 409,
      message: 'Enough.',
      retryAfterSeconds: 3,
      requestId: 'req_12345678',
      body,
    });
  });

  it('about a field without values on offer asks for the next one, and tells why the other was refused', () => {
    const answer = searchAnswerFrom(
      received({
        error: 'unknown_field',
        message: 'No such field.',
        invalid_field: 'colour',
        session: 's',
        next_required: 'guests',
        missing_fields: ['guests'],
        allowed_values: { guests: ['1', '2'] },
        allowed_values_truncated: { guests: { shown: 2, total: 9 } },
        field_hints: { guests: 'Count everybody.' },
      }),
    );
    assert.equal(answer.kind, 'refusal');
    assert.deepEqual(answer.refusals, [
      { field: 'colour', error: 'unknown_field', message: 'No such field.' },
    ]);
    assert.deepEqual(answer.question, {
      field: 'guests',
      choices: [
        { value: '1', label: '1' },
        { value: '2', label: '2' },
      ],
      total: 9,
      hint: 'Count everybody.',
      refusal: null,
      missing: ['guests'],
    });
  });
});

it('what has no error of the interface is no problem of it', () => {
  for (const json of [{}, { error: { code: 7 }, message: 'x' }, { error: 'x' }]) {
    assert.throws(() => problemFrom(received(json, 502)), { code: 'unreadable_answer', status: 502 });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenedSession, SearchAnswer, SearchQuestion } from './answers.ts';
import { searchAnswerFrom } from './read-answer.ts';
import { walkSearch } from './walk-search.ts';

const STEP = {
  session: 's',
  error: 'incomplete_payload',
  message: 'Missing required field: check_out',
  next_required: 'check_out',
  missing_fields: ['check_out'],
  allowed_values: { check_out: ['2027-04-13'] },
};

function answerOf(json: Record<string, unknown>): SearchAnswer {
  return searchAnswerFrom({ status: 200, headers: new Headers(), retryAfterSeconds: null, json });
}

/** Sends the given answers in turn. */
function scripted(...answers: readonly SearchAnswer[]) {
  let sent = 0;
  return {
    open: async () => ({ session: 's', source: null }) as OpenedSession,
    step: async () => {
      sent += 1;
      return answers[sent - 1] ?? assert.fail('asked once too often');
    },
  };
}

test('a value that was taken after all is asked for again without the old reason', async () => {
  const refusal = { ...STEP, error: 'invalid_value', invalid_field: 'check_out', message: 'Too short.' };
  const asked: (string | null)[] = [];
  await walkSearch(
    {
      choose: ({ refusal: reason }: SearchQuestion) => {
        asked.push(reason?.message ?? null);
        return asked.length < 3 ? '2027-04-13' : null;
      },
    },
    scripted(answerOf(refusal), answerOf(refusal), answerOf(STEP)),
  );
  assert.deepEqual(asked, ['Too short.', 'Too short.', null]);
});

test('an amenity that tells nothing apart is met where every match has it, and not where none has', async () => {
  const set = answerOf({ object: 'search_result', session: 's' });
  const refused = (having: number) =>
    answerOf({
      ...STEP,
      error: 'invalid_value',
      invalid_field: 'amenities',
      reason: { code: 'not_discriminating', having, of: 2 },
    });
  const outcome = await walkSearch({ amenities: ['wifi', 'moat'] }, scripted(set, refused(2), refused(0)));
  assert.equal(outcome.kind, 'comparison');
  assert.deepEqual(
    outcome.unmetAmenities.map(({ amenity }) => amenity),
    ['moat'],
  );
});

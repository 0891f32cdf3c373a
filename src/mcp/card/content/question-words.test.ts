import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionInWords, refusalsInWords } from './question-words.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'UTC', currency: '' });
const question = (field: string, offered: readonly (string | boolean)[], means?: string) => ({
  field,
  asks: 'What it stands for, for a model.',
  offered: offered.map((value) => ({ value, ...(means === undefined ? {} : { means }) })),
  offered_in_all: offered.length,
  missing_fields: [field],
});
const refusal = (field: string, code: string, message: string, suggestions: string[] = []) => ({
  field,
  error: 'invalid_value',
  message,
  reason: { code: code as 'in_the_past' },
  suggestions,
});

test('each field is asked for in words, and its values are written as people write them', () => {
  const asked = (...given: Parameters<typeof question>) => {
    const { words, choices } = questionInWords(question(...given), format) ?? {};
    return [words, ...(choices ?? [])];
  };
  assert.deepEqual(asked('destination', ['lisbon-pt'], 'Lisboa'), ['Where to?', 'Lisboa']);
  assert.deepEqual(asked('destination', ['lisbon-region-pt']), ['Where to?', 'Lisbon Region, PT']);
  assert.deepEqual(asked('check_in_month', ['2027-05']), ['In which month do you arrive?', 'May 2027']);
  assert.deepEqual(asked('check_out', ['2027-05-08']), ['On which day do you leave?', 'Sat, 8 May 2027']);
  assert.deepEqual(asked('brand_locked', [true, false], 'When it applies.'), [
    'Only this brand, or others too?',
    'Only this brand',
    'Other brands too',
  ]);
  assert.equal(questionInWords(question('something_new', ['1']), format), null);
});

test('of many values some are shown, and the others are counted', () => {
  const guests = Array.from({ length: 30 }, (_, at) => String(at + 1));
  const { choices, more } = questionInWords(question('guests', guests), format) ?? {};
  assert.deepEqual([choices?.length, more], [12, 18]);
});

test('a refusal is its reason in words, without the names of arguments and what is for the model', () => {
  const said = refusalsInWords(
    [
      refusal('check_out', 'minimum_stay', 'The stay is too short: at least 3 nights are needed.', [
        '2027-05-11',
      ]),
      refusal(
        'guests',
        'conflicts_with',
        'It does not fit together with what stands for: check_in_day, guests. Ask the traveller first.',
      ),
      refusal('destination', 'ambiguous', 'Several places have that name; choose one of candidates.', [
        'lisbon-pt',
      ]),
      refusal('check_in_day', 'not_a_date', 'It is not written as YYYY-MM-DD.'),
    ],
    question('destination', ['lisbon-pt'], 'Lisboa'),
    format,
  );
  assert.deepEqual(
    said.map(({ words, choices }) => [words, ...choices]),
    [
      ['Departure: The stay is too short: at least 3 nights are needed.', 'Tue, 11 May 2027'],
      ['Guests: It does not fit together with what stands for: arrival, guests.'],
      ['Where to: Several places have that name.', 'Lisboa'],
      ['Arrival: It could not be read.'],
    ],
  );
});

test('a call that was made wrongly is nothing for the traveller', () => {
  const unknown = { field: 'nights', error: 'unknown_field', message: 'There is no such argument.' };
  assert.deepEqual(refusalsInWords([unknown], undefined, format), []);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS } from '../../contract/errors.ts';
import { answerCell, answerWords, refusalWords } from './answer-words.ts';

describe('the words for an answer', () => {
  it('are no code of a program, whatever the error or the cause', () => {
    const causes = [
      'unknown_caller',
      'suspended',
      'browser',
      'other_host',
      'unknown_address',
      'invalid_signature',
      'replayed_signature',
    ];
    const codes = [...Object.keys(ERRORS), ...causes];
    const unworded = codes.filter((code) => answerWords(code) === code.replaceAll('_', ' '));
    assert.deepEqual(unworded, []);
    assert.equal(new Set(codes.map(answerWords)).size, codes.length, 'each has its own');
  });

  it('are those of the code where it is not known, and of an answer without an error', () => {
    assert.deepEqual(['of_a_later_release', 'constructor', ''].map(answerCell), [
      { id: 'of_a_later_release', text: 'of a later release' },
      { id: 'constructor', text: 'constructor' },
      { id: null, text: 'answered' },
    ]);
  });

  it('name the field that was refused, or what else was wrong', () => {
    assert.deepEqual(
      ['', 'check_in_day:nothing_free', 'unknown_field', 'operators_silent'].map(refusalWords),
      ['none', 'day of arrival: nothing free', 'no such field', 'operators did not answer'],
    );
  });
});

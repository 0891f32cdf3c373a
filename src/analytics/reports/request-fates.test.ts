import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS } from '../../contract/errors.ts';
import { fateOf } from './request-fates.ts';

describe('what became of a request', () => {
  it('is an error where the service or its operators failed, and nowhere else', () => {
    assert.deepEqual(
      Object.keys(ERRORS).filter((code) => fateOf(code) === 'failed'),
      ['upstream_unavailable', 'overloaded', 'storage_unavailable', 'internal_error'],
    );
  });

  it('is a mistake where the request was written wrong, and a refusal where a wish could not be met', () => {
    for (const code of ['unknown_field', 'invalid_request', 'session_required'])
      assert.equal(fateOf(code), 'mistaken');
    for (const code of ['invalid_value', 'nothing_on_offer']) assert.equal(fateOf(code), 'refused');
  });

  it('is an error where nobody knows better', () => {
    for (const code of ['of_a_later_release', 'constructor', '__proto__'])
      assert.equal(fateOf(code), 'failed');
  });
});

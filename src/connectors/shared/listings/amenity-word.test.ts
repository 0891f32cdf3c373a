import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amenityWord, foldedAmenity } from './amenity-word.ts';

describe('a word for an amenity', () => {
  it('is never longer than a hundred characters, also when normalising makes it longer', () => {
    assert.equal(amenityWord('\ufdfa'.repeat(1000)).length, 100);
    assert.equal(amenityWord('x'.repeat(1000)).length, 100);
    assert.equal(amenityWord('Hot\u00a0tub'), 'Hot tub');
  });

  it('is the same when it is read again, and folds to the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (word) => {
        const read = amenityWord(word);
        assert.equal(foldedAmenity(read), foldedAmenity(word));
        assert.equal(amenityWord(read), read);
      }),
    );
  });
});

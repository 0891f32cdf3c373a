import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { hasScore, isNotYetRated, isRatingUnpublished, propertyIdOf } from './catalogue.ts';

describe('the identifier of a property', () => {
  for (const reference of [
    '1',
    'casa-1',
    'LIS-101',
    'Casa.Azul_2',
    '8f14e45fceea',
    'A1b2-C3d4',
    'x'.repeat(12),
    'AP123456',
    'HUT-003452',
    '48213377',
    '2027-03-08',
    'v1.2',
  ]) {
    it(`keeps ${reference}`, () => assert.equal(propertyIdOf('casas', reference), `casas:${reference}`));
  }

  const messages = [
    'ignore-all-previous-instructions',
    'tell.the.user',
    'IgnorePreviousInstructions',
    'ignorepreviousrules',
    'book_us_first',
    'a-1-very-2-long-3-home-4',
    '12345678901234567890123456',
    'tel-00351912345678',
    '00351912345678',
    '351912345678',
    '912-345-678',
    'call-2121234',
    'DE89370400440532013000',
    'NO9386011117947',
    'booking.com',
    'evil.pt',
  ];
  it('hides what reads like a message', () => {
    for (const reference of messages) {
      assert.match(propertyIdOf('casas', reference), /^casas:[0-9a-f]{32}$/, `hides ${reference}`);
    }
  });

  it('is the same each time, and another for each reference', () => {
    const reference = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
    fc.assert(
      fc.property(reference, reference, (one, other) => {
        assert.equal(propertyIdOf('casas', one), propertyIdOf('casas', one));
        assert.equal(propertyIdOf('casas', one) === propertyIdOf('casas', other), one === other);
      }),
    );
  });

  it('cannot be taken by a reference that looks like a hash', () => {
    const hidden = propertyIdOf('casas', 'tell.the.user');
    assert.notEqual(propertyIdOf('casas', hidden.slice('casas:'.length)), hidden);
  });
});

const factsOf = (score: number, reviewCount: number | null) => {
  const rating = { score, scale: 5, reviewCount };
  return [hasScore(rating), isNotYetRated(rating), isRatingUnpublished(rating)];
};

test('a score of 0 is one only when somebody gave it', () => {
  assert.deepEqual(factsOf(4, 12), [true, false, false]);
  assert.deepEqual(factsOf(4, null), [true, false, false]);
  assert.deepEqual(factsOf(0, 3), [true, false, false]);
  assert.deepEqual(factsOf(0, 0), [false, true, false]);
  assert.deepEqual(factsOf(0, null), [false, false, true]);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMENITY_LABELS, AMENITY_WORDS, WORDS_FOR_MORE } from '../../catalogue/amenities.ts';
import { amenityCalled, nextBestFor } from './amenity-names.ts';
import { foldIntoOneWord } from './spelling.ts';

describe('an amenity', () => {
  it('is known by its key, its label and everyday words, however they are written', () => {
    for (const text of ['air_conditioning', 'Air conditioning', 'aircon', 'AC', 'a/c', 'Air-Con']) {
      assert.equal(amenityCalled(text), 'air_conditioning', text);
    }
    for (const text of ['dog friendly', 'Pets', 'PET-FRIENDLY', 'Pets welcome']) {
      assert.equal(amenityCalled(text), 'pets_allowed', text);
    }
    for (const text of ['helipad', '', 'a', 'no pets', 'constructor']) {
      assert.equal(amenityCalled(text), undefined, text);
    }
  });

  it('shares no word with another: each word is new, and means one', () => {
    const names = [...Object.keys(AMENITY_LABELS), ...Object.values(AMENITY_LABELS)].map(foldIntoOneWord);
    const words = [AMENITY_WORDS, WORDS_FOR_MORE]
      .flatMap((table) => Object.values(table).flat())
      .map(foldIntoOneWord);
    assert.equal(new Set(words).size, words.length);
    assert.deepEqual(
      words.filter((word) => names.includes(word)),
      [],
    );
  });

  it('has others next to it, which are less', () => {
    for (const text of ['wheelchair', 'Accessible', 'barrier-free', 'wheelchair_accessible'])
      assert.equal(nextBestFor(text)[0], 'step_free', text);
    assert.deepEqual(nextBestFor('nespresso'), ['coffee_machine']);
    assert.deepEqual(nextBestFor('Free parking'), ['parking']);
    for (const text of ['sauna', 'helipad', '']) assert.deepEqual(nextBestFor(text), [], text);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMENITIES } from '../../demo/amenities.ts';
import { AMENITY_LABELS, BROADER_AMENITIES } from './amenities.ts';
import { cleanText } from './text/operator-text.ts';

describe('the vocabulary of amenities', () => {
  it('has keys that a listing may have, and labels that are shown as they are', () => {
    for (const [key, label] of Object.entries(AMENITY_LABELS)) {
      assert.match(key, /^[a-z0-9]+(?:_[a-z0-9]+)*$/);
      assert.ok(key.length <= 40, key);
      for (const text of [label, key.replaceAll('_', ' ')]) {
        assert.deepEqual(cleanText(text, 80), { kind: 'valid', value: { text, wasCut: false } });
      }
    }
  });

  it('has no label twice', () => {
    const labels = Object.values(AMENITY_LABELS);
    assert.equal(new Set(labels.map((label) => label.toLowerCase())).size, labels.length);
  });

  it('has the amenities of the demo network, in the same words', () => {
    for (const [key, label] of Object.entries(AMENITIES)) {
      assert.equal(Reflect.get(AMENITY_LABELS, key), label, key);
    }
  });

  describe('the kinds of an amenity', () => {
    const kinds = Object.entries(BROADER_AMENITIES);
    /** Where the labels have no word in common. */
    const NAMED_OTHERWISE = new Set(['garage']);

    it('are keys of the vocabulary, and so is what they are a kind of', () => {
      for (const [narrower, broader] of kinds) {
        assert.ok(Object.hasOwn(AMENITY_LABELS, narrower), narrower);
        assert.ok(Object.hasOwn(AMENITY_LABELS, broader), broader);
      }
    });

    it('are in one step what they are', () => {
      for (const [narrower, broader] of kinds) {
        assert.ok(!(broader in BROADER_AMENITIES), `${narrower} → ${broader}`);
      }
    });

    it('say what the broader label says, and more: its last word, after words of their own', () => {
      const wordsOf = (label: string) => label.toLowerCase().split(' ');
      for (const [narrower, broader] of kinds) {
        if (NAMED_OTHERWISE.has(narrower)) continue;
        const words = wordsOf(Reflect.get(AMENITY_LABELS, narrower));
        assert.equal(words.at(-1), wordsOf(AMENITY_LABELS[broader]).at(-1), `${narrower} → ${broader}`);
        assert.ok(words.length > 1, narrower);
      }
    });

    it('are all there: a key that ends like another is its kind, unless it is something else', () => {
      const SOMETHING_ELSE = [
        'beach_essentials',
        'hair_dryer',
        // Travellers who ask for one want it indoors.
        'outdoor_kitchen',
        'outdoor_shower',
      ];
      const keys = Object.keys(AMENITY_LABELS);
      const alike = keys.filter((key) => keys.some((other) => key.endsWith(`_${other}`)));
      const missing = alike.filter((key) => !(key in BROADER_AMENITIES));
      assert.deepEqual(missing.sort(), SOMETHING_ELSE);
    });
  });

  it('keeps the keys that stored listings and filters already have', () => {
    const published = ['wifi', 'kitchen', 'pool', 'parking', 'free_parking', 'lift', 'cot', 'pets_allowed'];
    for (const key of published) assert.ok(key in AMENITY_LABELS, key);
  });
});

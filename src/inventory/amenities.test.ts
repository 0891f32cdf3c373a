import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMENITIES } from '../../demo/amenities.ts';
import { cleanText } from '../operators/model-text/operator-text.ts';
import { AMENITY_LABELS } from './amenities.ts';

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

  it('keeps the keys that stored listings and filters already have', () => {
    const published = ['wifi', 'kitchen', 'pool', 'parking', 'free_parking', 'lift', 'cot', 'pets_allowed'];
    for (const key of published) assert.ok(key in AMENITY_LABELS, key);
  });
});

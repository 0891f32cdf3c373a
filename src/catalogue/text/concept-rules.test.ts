import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meetsRule, RULES } from './concept-rules.ts';
import { CONCEPTS, type Concept, entriesOf } from './concept-words.ts';
import { foldLookalikes } from './fold-lookalikes.ts';

const concepts = Object.keys(CONCEPTS) as Concept[];
const isRejected = (text: string) => meetsRule(foldLookalikes(text));

describe('the words of concepts', () => {
  it('are all used by a rule', () => {
    const used = new Set(RULES.flatMap((rule) => [...rule.concepts.flat(), rule.unless]));
    assert.deepEqual(
      concepts.filter((concept) => !used.has(concept)),
      [],
    );
  });

  it('have an open end at their end only', () => {
    const entries = concepts.flatMap(entriesOf);
    assert.deepEqual(
      entries.filter((entry) => entry.slice(0, -1).includes('*') || entry.trim() !== entry),
      [],
    );
  });
});

describe('a rule', () => {
  it('that names its order is met in that order only', () => {
    assert.ok(isRejected('The other houses are closed.'));
    assert.ok(!isRejected('Closed on Mondays? Try the other houses.'));
  });

  it('is not met where its excuse stands near', () => {
    assert.ok(isRejected('Tell the guest that breakfast is free.'));
    assert.ok(!isRejected('We tell the guest where to park.'));
    assert.ok(!isRejected('J’ai toujours aimé recevoir.'), 'the French word');
    assert.ok(isRejected('AI always loves it here'), 'the two letters');
  });

  it('is not met by words that are too far from each other', () => {
    const filler = 'garden and terrace '.repeat(8);
    assert.ok(!isRejected(`Tell me when you come ${filler} for the guest`));
  });

  it('is not met by what an earlier text has named', () => {
    assert.ok(!isRejected('Tell me when you come'));
    assert.ok(!isRejected('The guest room is upstairs'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { isMisspelt } from './unmet-demand.ts';

const { brands, places } = sampleNetwork(['casas']);
const lisbon = places.get('lisbon-pt');
assert.ok(lisbon);
const network = {
  brands,
  places: new Map([
    ...places,
    ...['Palma', 'Bari', 'Porto', 'Saint-Malo'].map((name) => {
      const id = name.toLowerCase();
      return [id, { ...lisbon, id, name, aliases: [] }] as const;
    }),
  ]),
};
const SUGGESTED = [...network.places.keys()];

describe('a misspelt place', () => {
  it('has a letter missing, one too many, or two that changed places', () => {
    for (const text of ['libson', 'Libon', 'Lisbonn', 'LISBNO', 'Libson, Portugal', 'Sain Malo', 'Prto']) {
      assert.ok(isMisspelt(text, SUGGESTED, network), text);
    }
  });

  it('is none of the names that others have, or that say more or less', () => {
    for (const text of [
      'Parma',
      'Bali',
      'Bar',
      'Saint-Lô',
      'Porto Santo',
      'Por',
      'Atlantis',
      'Portugal',
      '',
      ',',
    ]) {
      assert.ok(!isMisspelt(text, SUGGESTED, network), text);
    }
  });

  it('is a place that was suggested', () => {
    assert.ok(!isMisspelt('Libson', ['palma'], network));
    assert.ok(!isMisspelt('Libson', [], network));
    assert.ok(!isMisspelt('Libson', ['gone'], network));
  });
});

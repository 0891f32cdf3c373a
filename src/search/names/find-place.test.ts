import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { networkOfPlaces } from '../../../test/support/named-places.ts';
import { findPlace } from './find-place.ts';

const network = networkOfPlaces([
  ['portugal', 'Portugal', { kind: 'country', aliases: ['PT'] }],
  ['france', 'France', { kind: 'country', aliases: ['Frankreich'] }],
  ['ile-de-france-fr', 'Île-de-France', { kind: 'region', parent: 'france', aliases: ['Paris Region'] }],
  ['usa', 'United States', { kind: 'country', aliases: ['USA', 'The States'] }],
  ['texas-us', 'Texas', { kind: 'region', parent: 'usa', aliases: ['TX'] }],
  ['new-york-state-us', 'New York State', { kind: 'region', parent: 'usa', aliases: ['New York', 'NY'] }],
  ['new-york-us', 'New York', { parent: 'new-york-state-us', aliases: ['NYC', 'New York City'] }],
  ['lisbon-pt', 'Lisbon', { parent: 'portugal', aliases: ['Lisboa', 'リスボン'] }],
  ['evora-pt', 'Évora', { parent: 'portugal' }],
  ['paris-fr', 'Paris', { parent: 'ile-de-france-fr' }],
  ['paris-tx', 'Paris', { parent: 'texas-us' }],
  ['sao-bras', 'São Brás de Alportel', { parent: 'portugal' }],
  ['le-mans-fr', 'Le Mans', { parent: 'france' }],
  ['laquila', 'L’Aquila'],
  ['la-us', 'Los Angeles', { parent: 'usa', aliases: ['LA'] }],
  ['a', 'Å'],
  ['die-fr', 'Die', { parent: 'france' }],
  ['bath', 'Bath (Somerset), England'],
  ['riviera-fr', 'French Riviera', { kind: 'region', parent: 'france', aliases: ['Côte d’Azur'] }],
]);
const everywhere = [...network.places.keys()];
const find = (text: string, offered: readonly string[] = everywhere) =>
  findPlace(text, network, () => offered);

const found = (place: string) => ({ kind: 'found', place });
const unknown = { kind: 'unknown' };

describe('a place', () => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'lisbon-pt': [
      'lisbon-pt',
      ' lisbon-pt ',
      'Lisbon PT',
      'LISBON',
      ' lisbon. ',
      'Lisboa',
      'リスボン',
      'the Lisbon',
    ],
    'evora-pt': ['evora', 'E\u0301VORA ', 'Évora, portugal', 'Évora (PT)', 'ÉVORA - Portugal'],
    'sao-bras': ['sao bras  de-alportel', 'São Brás de Alportel'],
    'new-york-us': [
      'N.Y.C.',
      'nyc',
      'new-york-us',
      'New York City, NY',
      'New York City, The States',
      'New York City the USA',
    ],
    'le-mans-fr': ['Le Mans', 'mans', 'le mans, france', 'Mans France'],
    laquila: ['L’Aquila', "l'aquila", 'L Aquila', 'aquila', 'LAQUILA'],
    'la-us': ['LA', 'L.A.', 'la', 'Los Angeles', 'los angeles, usa', 'LA, USA'],
    a: ['å', 'Å', 'a'],
    'die-fr': ['Die', 'die', 'Die, Frankreich'],
    bath: ['Bath (Somerset), England', 'bath somerset england'],
    'riviera-fr': ['the Riviera', 'Riviera', 'la Riviera, France', 'the French Riviera', 'the Cote d Azur'],
    usa: ['USA', 'U.S.A.', 'the states', 'States', 'the United States'],
    'paris-fr': [
      'Paris, France',
      'paris (france)',
      'Paris France',
      'Paris, Île-de-France, France',
      'Paris, ile de france, Frankreich',
      'Paris Île de France France',
      'Paris, Île-de-France France',
      'Paris / France',
      'Paris，France',
      'Paris, france,',
      'Paris, ile-de-france-fr',
    ],
    'paris-tx': [
      'Paris, TX',
      'Paris TX',
      'Paris, TX, USA',
      'Paris, TX USA',
      'Paris TX, USA',
      'paris tx the states',
    ],
  };
  for (const [place, texts] of Object.entries(spellings)) {
    it(`is ${place} for ${texts.map((text) => JSON.stringify(text)).join(', ')}`, () => {
      for (const text of texts) assert.deepEqual(find(text), found(place), text);
    });
  }

  it('is unknown where a part of the text names nothing that contains it', () => {
    for (const text of [
      'Lisbon, Japan',
      'Lisbon, France',
      'Paris, Portugal',
      'Paris, TX, France',
      'Portugal, Lisbon',
    ]) {
      assert.deepEqual(find(text), unknown, text);
    }
    for (const text of [
      'Lisbon Japan',
      'Lisbon centre',
      'Lisbon, Lisbon',
      'Atlantis, Portugal',
      'Paris, USA, TX, Mars',
    ]) {
      assert.deepEqual(find(text), unknown, text);
    }
  });

  it('is unknown for nonsense', () => {
    for (const text of [
      '',
      ' ',
      ',',
      '()',
      'Atlantis',
      '__proto__',
      'constructor',
      'the',
      'l’',
      'Lisb',
      'the French',
    ]) {
      assert.deepEqual(find(text), unknown, text);
    }
  });
});

describe('a name that several places have', () => {
  it('is ambiguous among those on offer, in their order', () => {
    assert.deepEqual(find('Paris'), { kind: 'ambiguous', candidates: ['paris-fr', 'paris-tx'] });
    assert.deepEqual(find('paris', ['lisbon-pt', 'paris-tx', 'usa', 'paris-fr']), {
      kind: 'ambiguous',
      candidates: ['paris-tx', 'paris-fr'],
    });
  });

  it('stands for the only one on offer', () => {
    assert.deepEqual(find('Paris', ['paris-tx', 'lisbon-pt']), found('paris-tx'));
  });

  it('is looked for on the whole network when none is on offer', () => {
    assert.deepEqual(find('Paris', ['lisbon-pt']), {
      kind: 'ambiguous',
      candidates: ['paris-fr', 'paris-tx'],
    });
    assert.deepEqual(find('Lisboa', []), found('lisbon-pt'));
    assert.deepEqual(find('Paris, TX', []), found('paris-tx'));
  });

  it('stands for the place whose own name it is rather than for one that has it as an alias', () => {
    assert.deepEqual(find('New York'), found('new-york-us'));
    assert.deepEqual(find('New York, USA'), found('new-york-us'));
    assert.deepEqual(find('New York', []), found('new-york-us'));
    assert.deepEqual(find('New York', ['usa', 'new-york-state-us']), found('new-york-state-us'));
    assert.deepEqual(find('New York, New York'), found('new-york-us'));
    assert.deepEqual(find('New York, New York', ['new-york-state-us']), found('new-york-us'));
  });

  it('names ten candidates at most', () => {
    const crowd = networkOfPlaces(Array.from({ length: 12 }, (_, at) => [`p-${at}`, 'Springfield'] as const));
    const lookup = findPlace('springfield', crowd, () => [...crowd.places.keys()]);
    assert.deepEqual(lookup, {
      kind: 'ambiguous',
      candidates: ['p-0', 'p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'p-6', 'p-7', 'p-8', 'p-9'],
    });
  });
});

describe('looking a place up', () => {
  it('does not ask what is on offer for an identifier or for a name of nothing', () => {
    const never = () => assert.fail('asked');
    assert.deepEqual(findPlace('lisbon-pt', network, never), found('lisbon-pt'));
    assert.deepEqual(findPlace('Atlantis', network, never), unknown);
  });

  it('answers any text, and a place on offer when one has the name', () => {
    const piece = fc.constantFrom(
      'paris',
      'France',
      'the',
      'New York',
      ',',
      '(',
      ')',
      ' ',
      'NY',
      'é',
      '\u0301',
      '東',
      '\ud800',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
    );
    fc.assert(
      fc.property(texts, fc.subarray(everywhere), (text, offered) => {
        const lookup = find(text, offered);
        if (lookup.kind === 'found') assert.ok(network.places.has(lookup.place));
        if (lookup.kind !== 'ambiguous') return;
        assert.ok(lookup.candidates.length > 1);
        const onOffer = lookup.candidates.filter((place) => offered.includes(place));
        assert.ok(onOffer.length === 0 || onOffer.length === lookup.candidates.length);
      }),
    );
  });

  it('takes long texts in linear time', () => {
    const texts = ['paris ', ',', 'paris, ', '\u0301', 'ﷺ', '(', 'the ', 'l’', ' ', '𝕃', '\ud800', '-'];
    for (const text of texts) {
      assert.deepEqual(find(text.repeat(10_000)), unknown, text);
      find(text.repeat(400 / text.length));
    }
  });
});

describe('a text of many parts', () => {
  it('names no place, however many of them are known', () => {
    const offered = () => ['lisbon-pt'];
    const four = 'Lisbon, Portugal, Portugal, Portugal';
    assert.deepEqual(findPlace(four, network, offered), { kind: 'found', place: 'lisbon-pt' });
    for (const five of [`${four}, Portugal`, `${four}, France`]) {
      assert.deepEqual(findPlace(five, network, offered), { kind: 'unknown' }, five);
    }
  });
});

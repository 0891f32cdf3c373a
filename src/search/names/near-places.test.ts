import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { networkOfPlaces } from '../../../test/support/named-places.ts';
import { nearPlaces } from './near-places.ts';

const network = networkOfPlaces([
  ['portugal', 'Portugal', { kind: 'country', aliases: ['PT', 'ポルトガル'] }],
  ['lisbon-region', 'Lisbon Region', { kind: 'region', parent: 'portugal' }],
  ['lisbon', 'Lisbon', { parent: 'lisbon-region', aliases: ['Lisboa', 'Lissabon', 'リスボン', '里斯本'] }],
  ['sintra', 'Sintra', { parent: 'lisbon-region' }],
  ['cascais', 'Cascais', { parent: 'lisbon-region' }],
  ['northern-portugal', 'Northern Portugal', { kind: 'region', parent: 'portugal' }],
  ['porto', 'Porto', { parent: 'northern-portugal' }],
  ['spain', 'Spain', { kind: 'country', aliases: ['ES'] }],
  ['catalonia', 'Catalonia', { kind: 'region', parent: 'spain' }],
  ['barcelona', 'Barcelona', { parent: 'catalonia' }],
  ['girona', 'Girona', { parent: 'catalonia' }],
  ['japan', 'Japan', { kind: 'country', aliases: ['日本'] }],
  ['tokyo', 'Tokyo', { parent: 'japan', aliases: ['東京', '東京都', 'LA'] }],
  ['germany', 'Germany', { kind: 'country' }],
  ['berlin', 'Berlin', { parent: 'germany' }],
  ['porto-novo', 'Porto Novo'],
  ['kyoto', 'Kyoto', { aliases: ['京都', '교토'] }],
]);
const everywhere = [...network.places.keys()];
const without = (...ids: readonly string[]) => everywhere.filter((id) => !ids.includes(id));
const near = (text: string, offered: readonly string[] = everywhere) => nearPlaces(text, network, offered);

describe('places near a text, by name', () => {
  const similar: Readonly<Record<string, readonly string[]>> = {
    Lisbn: ['lisbon'],
    Lisobn: ['lisbon'],
    Lissabonn: ['lisbon'],
    Barcelone: ['barcelona'],
    lisb: ['lisbon-region', 'lisbon'],
    'Lisbon centre': ['lisbon'],
    'old town of Lisbon': ['lisbon'],
    'flat in Gironna': [],
    novo: ['porto-novo'],
    portos: ['porto'],
    'Porto, Europe': ['porto', 'porto-novo'],
    東京駅: ['tokyo'],
    近く京都: ['kyoto'],
    京都の近く: ['kyoto'],
    京都附近: ['kyoto'],
    'near Kyoto': ['kyoto'],
    '교토 근처': ['kyoto'],
    // The longest name is meant: one of Tokyo has that of Kyoto in it.
    近く東京都: ['tokyo', 'kyoto'],
    東京都内: ['tokyo', 'kyoto'],
    'the Novo': ['porto-novo'],
    'la Region': ['lisbon-region'],
    リスボ: ['lisbon'],
    北京: [],
  };
  it('are the nearest names first', () => {
    for (const [text, places] of Object.entries(similar)) {
      assert.deepEqual(near(text), places, `are ${places.join(', ') || 'none'} for ${text}`);
    }
  });

  it('come in the order of the offer where they are equally near', () => {
    assert.deepEqual(near('lisb', ['lisbon', 'lisbon-region']), ['lisbon', 'lisbon-region']);
    assert.deepEqual(near('lisb', ['lisbon-region', 'lisbon']), ['lisbon-region', 'lisbon']);
    assert.deepEqual(
      near('Portu', ['porto', 'portugal']),
      ['portugal', 'porto'],
      'a beginning is nearer than a typo',
    );
  });

  it('are none for what is like nothing', () => {
    for (const text of [
      '',
      ' ',
      ',',
      'Atlantis',
      'Rio',
      'la playa',
      'where is it',
      'x, y, z',
      '京',
      'constructor',
      'li',
      'somewhere es',
      'Portofino',
    ]) {
      assert.deepEqual(near(text), [], text);
    }
  });

  it('are never places far from a known one', () => {
    assert.deepEqual(near('Berlin', without('berlin', 'germany')), []);
    assert.deepEqual(near('Porto', ['sintra', 'spain', 'girona']), ['sintra']);
    assert.deepEqual(near('berlin', ['portugal', 'lisbon', 'spain']), []);
    assert.deepEqual(near('Berlin, Germany', without('berlin', 'germany')), []);
    assert.deepEqual(near('Munich, Bavaria', everywhere), []);
  });

  it('are not those that a known one differs from by a typo', () => {
    const alike = networkOfPlaces([
      ['verona', 'Verona'],
      ['gerona', 'Gerona'],
    ]);
    assert.deepEqual(nearPlaces('Gerona', alike, ['verona']), []);
    assert.deepEqual(nearPlaces('Herona', alike, ['verona']), ['verona']);
  });
});

describe('places near a text, by what they lie in', () => {
  it('are in the same region, then the region, then in the country, then the country', () => {
    const offered = without('sintra', 'porto-novo');
    assert.deepEqual(near('Sintra', offered), [
      'lisbon',
      'cascais',
      'lisbon-region',
      'northern-portugal',
      'porto',
    ]);
    assert.deepEqual(near('sintra', ['portugal', 'spain', 'porto', 'cascais']), [
      'cascais',
      'porto',
      'portugal',
    ]);
    assert.deepEqual(near('Sintra, Portugal', ['portugal', 'porto']), ['porto', 'portugal']);
    assert.deepEqual(near('Sintra Portugal', ['portugal', 'porto']), ['porto', 'portugal']);
    assert.deepEqual(near('Catalonia', ['spain', 'girona']), ['girona', 'spain']);
  });

  it('come after those with a similar name', () => {
    assert.deepEqual(near('Lissabon', ['portugal', 'sintra', 'lisbon-region']), [
      'lisbon-region',
      'sintra',
      'portugal',
    ]);
    assert.deepEqual(near('Porto', ['portugal', 'northern-portugal', 'porto-novo']), [
      'porto-novo',
      'northern-portugal',
      'portugal',
    ]);
  });

  it('are the country that follows an unknown name, and places in it', () => {
    const portugal = ['portugal', 'lisbon-region', 'lisbon', 'sintra', 'cascais'];
    for (const text of [
      'Aldeia Nova, Portugal',
      'Aldeia Nova (PT)',
      'Aldeia Nova Portugal',
      'x, ポルトガル',
    ]) {
      assert.deepEqual(near(text), portugal, text);
    }
    assert.deepEqual(near('x, Portugal', ['porto', 'spain']), ['porto']);
    assert.deepEqual(near('Alfama, Lisbon, Spain'), ['lisbon', 'spain', 'catalonia', 'barcelona', 'girona']);
  });

  it('are those within the country first when the name is nearly right', () => {
    assert.deepEqual(near('Lisbn, Portugal')[0], 'lisbon');
    assert.deepEqual(near('Lisbn Portugal')[0], 'lisbon');
    assert.deepEqual(near('Northern Spain', ['northern-portugal', 'girona', 'spain']), [
      'spain',
      'girona',
      'northern-portugal',
    ]);
  });

  it('are the place itself and the other country when the two do not belong together', () => {
    assert.deepEqual(near('Lisbon, Japan'), ['lisbon', 'japan', 'tokyo', 'lisbon-region']);
  });
});

describe('places near any text', () => {
  it('are five at most, each on offer, and the same every time', () => {
    const piece = fc.constantFrom('Lisbon', 'Porto', 'portugal', 'spain', ',', '(', ' ', 'é', '東京', 'x');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
    );
    fc.assert(
      fc.property(texts, fc.shuffledSubarray(everywhere), (text, offered) => {
        const places = near(text, offered);
        assert.ok(places.length <= 5);
        assert.equal(new Set(places).size, places.length);
        assert.ok(places.every((place) => offered.includes(place)));
        assert.deepEqual(near(text, [...offered]), places);
      }),
    );
  });

  it('include a place on offer whose name has one typo', () => {
    const cities = ['lisbon', 'barcelona', 'catalonia', 'girona', 'cascais'];
    fc.assert(
      fc.property(fc.constantFrom(...cities), fc.nat(), fc.constantFrom('', 'q'), (place, at, letter) => {
        const position = at % place.length;
        const text = place.slice(0, position) + letter + place.slice(position + 1);
        assert.ok(near(text).includes(place), text);
      }),
    );
  });

  it('take long texts as well', () => {
    for (const text of ['lisbon ', 'x, ', 'portugal, ', '\u0301', 'ﷺ', '𝕃', '\ud800', '東京', '(']) {
      assert.ok(near(text.repeat(10_000)).length <= 5);
    }
  });
});

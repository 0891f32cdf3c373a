import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyOfCountry, readCountry } from './countries.ts';

describe('a country', () => {
  it('is known by its code and by its English names, however they are written', () => {
    const codes = {
      PT: ['PT', 'pt', 'Portugal', ' PORTUGAL '],
      GB: ['GB', 'UK', 'United Kingdom', 'Great Britain'],
      NL: ['Netherlands', 'The Netherlands', 'Holland'],
      TT: ['Trinidad & Tobago', 'Trinidad and Tobago'],
      LC: ['St. Lucia', 'Saint Lucia'],
      TR: ['Turkey', 'Türkiye', 'Turkiye'],
      CI: ['Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast'],
      US: ['USA', 'U.S.A.', 'United States of America'],
    };
    for (const [code, texts] of Object.entries(codes)) {
      for (const text of texts) assert.equal(readCountry(text)?.code, code, text);
    }
    assert.deepEqual(readCountry('pt'), { code: 'PT', name: 'Portugal', aliases: ['PT'] });
  });

  it('has a currency', () => {
    for (const [code, currency] of [
      ['FR', 'EUR'],
      ['HR', 'EUR'],
      ['CH', 'CHF'],
      ['PR', 'USD'],
      ['JP', 'JPY'],
    ] as const) {
      assert.equal(currencyOfCountry(code), currency);
    }
    assert.equal(currencyOfCountry('ZZ'), undefined);
  });

  it('is none that is given up, a group of countries, a part of one or no country at all', () => {
    for (const text of [
      'SU',
      'YU',
      'EU',
      'European Union',
      'ZZ',
      'XX',
      'Lisbon',
      'Portugal, Lisbon',
      '',
      'x',
    ])
      assert.equal(readCountry(text), undefined, text);
    assert.equal(readCountry(`Portugal${' '.repeat(100)}`), undefined);
  });
});

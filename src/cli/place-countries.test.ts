import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlaceEntry } from '../network/network-file.ts';
import { readPlaces } from '../network/read-places.ts';
import { findPlace } from '../search/names/find-place.ts';
import type { PlaceInFile } from './edit-network-file.ts';
import { type NewCity, placeInCountries } from './place-countries.ts';

const portugal = {
  id: 'portugal',
  name: 'Portugal',
  aliases: ['PT'],
  kind: 'country',
  time_zone: 'Europe/Lisbon',
  currency: 'EUR',
};

function city(
  name: string,
  { country = 'PT', currency = 'EUR', zone = 'Europe/Lisbon', listings = 1 } = {},
): NewCity {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return { place: { id, name, kind: 'city', time_zone: zone, currency }, country, listings };
}

function understood(places: readonly PlaceInFile[], text: string): string {
  const faults: string[] = [];
  const network = {
    brands: new Map(),
    places: readPlaces(places as unknown as PlaceEntry[], ({ message }) => faults.push(message)),
  };
  assert.deepEqual(faults, []);
  const found = findPlace(text, network, () => [...network.places.keys()]);
  return found.kind === 'found' ? found.place : found.kind;
}

const parents = (places: readonly PlaceInFile[]) => places.map(({ id, parent }) => [id, parent]);

describe('new cities', () => {
  it('are put into a country that is new too, and are understood with it', () => {
    const { places, apart } = placeInCountries([city('Lisbon'), city('Porto')], []);
    assert.deepEqual(places, [
      portugal,
      { ...city('Lisbon').place, parent: 'portugal' },
      { ...city('Porto').place, parent: 'portugal' },
    ]);
    assert.deepEqual(apart, []);
    for (const text of ['Lisbon', 'Lisbon, Portugal', 'Lisbon PT', 'lisbon portugal', 'Lisbon (pt)'])
      assert.equal(understood(places, text), 'lisbon', text);
    for (const text of ['Portugal', 'pt']) assert.equal(understood(places, text), 'portugal', text);
  });

  it('are put into the country that the file has, by its identifier, name or code', () => {
    const others = [
      { ...portugal, name: 'O nosso país', aliases: [] },
      { ...portugal, id: 'home', aliases: [] },
      { ...portugal, id: 'home', name: 'Lusitania' },
      { ...portugal, id: 'pt', name: 'Lusitania', aliases: [] },
    ];
    for (const known of others) {
      const { places } = placeInCountries([city('Lisbon')], [known]);
      assert.deepEqual(parents(places), [['lisbon', known.id]]);
    }
  });

  it('stay by themselves when nobody says their country, or the file has two that it could be', () => {
    const nowhere = { ...city('Lisbon'), country: null };
    assert.deepEqual(placeInCountries([nowhere], []).places, [nowhere.place]);
    const two = [portugal, { ...portugal, id: 'lusitania', name: 'Lusitania' }];
    assert.deepEqual(parents(placeInCountries([city('Lisbon')], two).places), [['lisbon', undefined]]);
    // A city of the file by that name is no country.
    const town = { ...portugal, id: 'portugal-town', kind: 'city' };
    assert.deepEqual(parents(placeInCountries([city('Lisbon')], [town]).places), [['lisbon', undefined]]);
  });

  it('stay out of a country in another currency, which is that of most listings', () => {
    const cities = [
      city('Lagos', { currency: 'GBP', zone: 'Europe/London' }),
      city('Lisbon', { listings: 2 }),
      city('Ponta Delgada', { zone: 'Atlantic/Azores', listings: 3 }),
    ];
    const { places, apart } = placeInCountries(cities, []);
    assert.deepEqual(parents(places), [
      ['portugal', undefined],
      ['lagos', undefined],
      ['lisbon', 'portugal'],
      ['ponta-delgada', 'portugal'],
    ]);
    assert.deepEqual([places[0]?.currency, places[0]?.time_zone], ['EUR', 'Atlantic/Azores']);
    assert.deepEqual(
      apart.map(({ city, country }) => [city.id, country.id]),
      [['lagos', 'portugal']],
    );
    assert.equal(understood(places, 'Lisbon, Portugal'), 'lisbon');

    const file = placeInCountries([city('Lisbon')], [{ ...portugal, currency: 'USD' }]);
    assert.deepEqual(parents(file.places), [['lisbon', undefined]]);
    assert.equal(file.apart.length, 1);
  });

  it('that are called like their country stay the only place of the name', () => {
    const { places } = placeInCountries([city('Singapore', { country: 'SG', currency: 'SGD' })], []);
    assert.deepEqual(parents(places), [['singapore', undefined]]);
    assert.equal(understood(places, 'Singapore'), 'singapore');
  });

  it('lie in a country without the code that another place goes by', () => {
    const known = { ...city('Los Angeles').place, aliases: ['LA'] };
    const { places } = placeInCountries([city('Vientiane', { country: 'LA', currency: 'LAK' })], [known]);
    assert.deepEqual(parents(places), [
      ['laos', undefined],
      ['vientiane', 'laos'],
    ]);
    assert.equal(places[0]?.aliases, undefined);
    assert.equal(understood([known, ...places], 'LA'), 'los-angeles');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amenityWord, createAmenityMap, createUnmappedAmenities } from './amenities.ts';

describe('a map of amenities', () => {
  const map = createAmenityMap({
    'Wireless Internet': 'wifi',
    WIFI: 'wifi',
    'Air  Conditioning': 'air_conditioning',
    'Hot tub': 'hot_tub',
  });

  it('gives the canonical key and label, each once, whatever the capitals and blanks', () => {
    assert.deepEqual(map(['wireless internet', 'Wifi', ' AIR CONDITIONING\t', 'Hot\u00a0tub']), {
      amenities: { wifi: 'Wi-Fi', air_conditioning: 'Air conditioning', hot_tub: 'Hot tub' },
      unmapped: [],
    });
  });

  it('takes a label of the vocabulary among names for what it says, unless the table has it', () => {
    const names = createAmenityMap({ Parking: 'paid_parking' }, { areNames: true });
    assert.deepEqual(names(['WI-FI', 'Board  games']).amenities, {
      wifi: 'Wi-Fi',
      board_games: 'Board games',
    });
    assert.deepEqual(Object.keys(names(['parking']).amenities ?? {}), ['paid_parking', 'parking']);
    assert.equal(map(['Board games']).amenities, null, 'no code');
  });

  it('gives what a kind of something is beside it', () => {
    const pools = createAmenityMap({ 'My pool': 'private_pool', Warm: 'heated_pool', Garage: 'garage' });
    assert.deepEqual(pools(['my pool', 'Warm']).amenities, {
      private_pool: 'Private pool',
      pool: 'Swimming pool',
      heated_pool: 'Heated pool',
    });
    assert.deepEqual(pools(['Garage']).amenities, { garage: 'Garage', parking: 'Parking' });
  });

  it('cannot be made with a word that means two things', () => {
    assert.throws(() => createAmenityMap({ Pool: 'pool', 'pool ': 'private_pool' }), /both pool and private/);
    assert.doesNotThrow(() => createAmenityMap({ Pool: 'pool', POOL: 'pool' }));
  });
});

describe('what is unmapped', () => {
  it('is counted by listings, those of most first', () => {
    const unmapped = createUnmappedAmenities();
    unmapped.add('a', ['Igloo', 'Moat', 'MOAT']);
    unmapped.add('a', ['moat']);
    unmapped.add('b', ['moat', 'Drawbridge']);
    unmapped.addCounted([
      { amenity: 'Moat', listings: 10 },
      { amenity: 'Crypt\\u{200b}', listings: 2 },
    ]);
    assert.deepEqual(unmapped.all(), [
      { amenity: 'Moat', listings: 12 },
      { amenity: 'Crypt\\u{200b}', listings: 2 },
      { amenity: 'Drawbridge', listings: 1 },
      { amenity: 'Igloo', listings: 1 },
    ]);
  });

  it('is safe to print and bounded, whatever an operator calls its amenities', () => {
    const unmapped = createUnmappedAmenities();
    unmapped.add('a', ['\u001b[31mred', 'x'.repeat(5000), ' ', '']);
    for (let at = 0; at < 2000; at += 1) unmapped.add(`b${at}`, [`amenity ${at}`, 'common']);
    const all = unmapped.all();
    assert.equal(all.length, 500);
    assert.deepEqual(all[0], { amenity: 'common', listings: 2000 });
    assert.ok(all.some(({ amenity }) => amenity === '\\u{1b}[31mred'));
    assert.ok(all.every(({ amenity }) => amenity.length <= 80));
  });
});

describe('a word for an amenity', () => {
  it('is never longer than a hundred characters, also when normalising makes it longer', () => {
    assert.equal(amenityWord('\ufdfa'.repeat(1000)).length, 100);
    assert.equal(amenityWord('x'.repeat(1000)).length, 100);
    assert.equal(amenityWord('Hot\u00a0tub'), 'Hot tub');
  });
});

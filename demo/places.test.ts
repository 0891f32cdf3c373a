import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlaceId } from '../src/catalogue/catalogue.ts';
import { describeNetwork } from '../src/network/read-network.ts';
import { findPlace } from '../src/search/names/find-place.ts';
import { foldIntoOneWord } from '../src/search/names/spelling.ts';
import { demoNetworkFile } from './network-file.ts';

const reading = describeNetwork(demoNetworkFile('http://127.0.0.1:8090'), { env: {}, directory: '/' });
assert.ok(reading.kind === 'valid', JSON.stringify(reading));
const { network } = reading.value;
const places = [...network.places.values()];
const everywhere = () => places.map(({ id }) => id);
const find = (text: string) => findPlace(text, network, everywhere);
const found = (place: PlaceId) => ({ kind: 'found', place });

describe('the names of the demo’s places', () => {
  it('each stand for one place, but for the state that shares its name with the city in it', () => {
    const shared = new Map<string, Set<PlaceId>>();
    for (const { id, name, aliases } of places) {
      for (const one of [name, ...aliases]) {
        const key = foldIntoOneWord(one);
        shared.set(key, new Set([...(shared.get(key) ?? []), id]));
      }
    }
    assert.deepEqual(
      [...shared].filter(([, ids]) => ids.size > 1),
      [['newyork', new Set(['new-york-state-us', 'new-york-us'])]],
    );
  });

  it('are found in any case, alone and followed by what they lie in', () => {
    for (const { id, name, aliases, parent } of places) {
      const around = parent === null ? undefined : network.places.get(parent);
      for (const one of [name, ...aliases]) {
        if (one === 'New York') continue;
        const spellings = [one, one.toUpperCase(), ` ${one.toLowerCase()} `, one.normalize('NFD')];
        if (around) {
          const wholes = [around.name, ...around.aliases];
          spellings.push(
            ...wholes.flatMap((whole) => [`${one}, ${whole}`, `${one} (${whole})`, `${one} ${whole}`]),
          );
        }
        for (const text of spellings) assert.deepEqual(find(text), found(id), text);
      }
    }
  });

  it('are not repeated in another case or with other accents', () => {
    for (const { id, name, aliases } of places) {
      const names = [name, ...aliases].map(foldIntoOneWord);
      assert.equal(new Set(names).size, names.length, id);
    }
  });

  it('include what travellers write most', () => {
    for (const [text, place] of [
      ['Lisboa', 'lisbon-pt'],
      ['Lissabon', 'lisbon-pt'],
      ['東京', 'tokyo-jp'],
      ['Tokio', 'tokyo-jp'],
      ['Firenze', 'florence-it'],
      ['NYC', 'new-york-us'],
      ['New York', 'new-york-us'],
      ['New York, NY', 'new-york-us'],
      ['New York, New York', 'new-york-us'],
      ['New York NY, USA', 'new-york-us'],
      ['Los Angeles, CA', 'los-angeles-us'],
      ['L.A.', 'los-angeles-us'],
      ['the UK', 'united-kingdom'],
      ['London, UK', 'london-gb'],
      ['London, England, United Kingdom', 'london-gb'],
      ['Cote d Azur', 'riviera-fr'],
      ['the Côte d’Azur', 'riviera-fr'],
      ['the Riviera', 'riviera-fr'],
      ['Riviera, France', 'riviera-fr'],
      ['Koln', undefined],
      ['Grossbritannien', 'united-kingdom'],
      ['Kobenhavn', 'copenhagen-dk'],
      ['Lisbon, Japan', undefined],
    ] as const) {
      assert.deepEqual(find(text), place === undefined ? { kind: 'unknown' } : found(place), text);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRateCardEntry } from './connector.ts';

const around = { directory: '/etc/staywire' };

test('a file is found from the folder of the network file', () => {
  assert.deepEqual(readRateCardEntry({ file: 'cards/farol.json' }, around), {
    kind: 'valid',
    value: { kind: 'file', path: '/etc/staywire/cards/farol.json', feedHosts: [] },
  });
});

test('an address may have a query', () => {
  assert.deepEqual(readRateCardEntry({ url: 'https://farol.example/card.json?v=2' }, around), {
    kind: 'valid',
    value: { kind: 'url', url: 'https://farol.example/card.json?v=2', feedHosts: [] },
  });
  assert.deepEqual(readRateCardEntry({ url: 'http://farol.example/card.json' }, around), {
    kind: 'invalid',
    faults: [{ pointer: '/url', message: 'must begin with https://' }],
  });
});

test('it is one of the two, not both and not neither', () => {
  const faults = [{ pointer: '', message: 'must have exactly one of file and url' }];
  for (const entry of [{}, { file: 'a.json', url: 'https://farol.example/a.json' }]) {
    assert.deepEqual(readRateCardEntry(entry, around), { kind: 'invalid', faults });
  }
});

test('hosts of feeds are names of hosts', () => {
  const entry = (...hosts: readonly string[]) =>
    readRateCardEntry({ file: 'a.json', feed_hosts: [...hosts] }, { directory: '/' });
  assert.deepEqual(entry('Ical.farol.example', 'localhost:4000'), {
    kind: 'valid',
    value: { kind: 'file', path: '/a.json', feedHosts: ['ical.farol.example', 'localhost:4000'] },
  });
  assert.deepEqual(entry('ical.farol.example', 'https://farol.example/feeds'), {
    kind: 'invalid',
    faults: [{ pointer: '/feed_hosts/1', message: 'must be a host name, with :port where it has one' }],
  });
});

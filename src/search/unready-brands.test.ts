import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage } from '../../test/support/search-stage.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { isWhollyUnread, pausedIn, unreadIn } from './unready-brands.ts';

const { network } = searchStage();
const ACME = { brand: 'acme', availability: 'unread' } as const;
const OTHER = { brand: 'other', availability: 'partly_read' } as const;
const EVERYWHERE = { brand: null, place: null };

const idsOf = (brands: readonly { readonly id: string }[]) => brands.map(({ id }) => id);

test('a search may miss what is unread of the brands that it asks', () => {
  assert.deepEqual(idsOf(unreadIn(EVERYWHERE, [OTHER, ACME], network)), ['acme', 'other']);
  assert.deepEqual(idsOf(unreadIn({ brand: 'other', place: null }, [OTHER, ACME], network)), ['other']);
  assert.deepEqual(unreadIn({ brand: 'other', place: null }, [ACME], network), []);
});

test('a brand with one location is missed only there', () => {
  const acme = network.brands.get('acme');
  assert.ok(acme);
  const inPorto: Network = {
    ...network,
    brands: new Map([...network.brands, ['acme', { ...acme, singleLocation: 'porto-pt' }]]),
  };
  const missed = (place: string | null) => idsOf(unreadIn({ brand: null, place }, [ACME], inPorto));
  assert.deepEqual([missed(null), missed('porto-pt'), missed('portugal')], [['acme'], ['acme'], ['acme']]);
  assert.deepEqual(missed('lisbon-pt'), []);
});

test('a scope is wholly unread when no home of any brand in it is known', () => {
  assert.equal(isWhollyUnread('acme', [ACME], network), true);
  assert.equal(isWhollyUnread('other', [OTHER], network), false, 'some of its homes are known');
  assert.equal(isWhollyUnread('other', [ACME], network), false);
  assert.equal(isWhollyUnread(null, [ACME], network), false);
  assert.equal(isWhollyUnread(null, [ACME, OTHER], network), false);
  assert.equal(isWhollyUnread(null, [ACME, { ...OTHER, availability: 'unread' }], network), true);
  assert.equal(isWhollyUnread(null, [], network), false);
});

test('homes of a paused brand are not missed, and a scope of paused brands alone has nothing that is known', () => {
  const paused = { ...ACME, availability: 'paused' } as const;
  assert.deepEqual(idsOf(unreadIn(EVERYWHERE, [OTHER, paused], network)), ['other']);
  assert.deepEqual(idsOf(pausedIn(EVERYWHERE, [OTHER, paused], network)), ['acme']);
  assert.deepEqual(pausedIn({ brand: 'other', place: null }, [OTHER, paused], network), []);
  assert.equal(isWhollyUnread('acme', [paused], network), true);
  assert.equal(isWhollyUnread(null, [paused], network), false, 'the other one is on offer');
});

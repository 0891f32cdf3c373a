import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage } from '../../test/support/search-stage.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { isWhollyUnsearchable, pausedIn, unsearchableIn } from './unsearchable-scope.ts';

const { network } = searchStage();
const ACME = { brand: 'acme', isPartlyRead: false };
const OTHER = { brand: 'other', isPartlyRead: true };
const EVERYWHERE = { brand: null, place: null };

const idsOf = (brands: readonly { readonly id: string }[]) => brands.map(({ id }) => id);

test('a search may miss what is unread of the brands that it asks', () => {
  assert.deepEqual(idsOf(unsearchableIn(EVERYWHERE, [OTHER, ACME], network)), ['acme', 'other']);
  assert.deepEqual(idsOf(unsearchableIn({ brand: 'other', place: null }, [OTHER, ACME], network)), ['other']);
  assert.deepEqual(unsearchableIn({ brand: 'other', place: null }, [ACME], network), []);
});

test('a brand with one location is missed only there', () => {
  const acme = network.brands.get('acme');
  assert.ok(acme);
  const inPorto: Network = {
    ...network,
    brands: new Map([...network.brands, ['acme', { ...acme, singleLocation: 'porto-pt' }]]),
  };
  const missed = (place: string | null) => idsOf(unsearchableIn({ brand: null, place }, [ACME], inPorto));
  assert.deepEqual([missed(null), missed('porto-pt'), missed('portugal')], [['acme'], ['acme'], ['acme']]);
  assert.deepEqual(missed('lisbon-pt'), []);
});

test('a scope is wholly unread when no home of any brand in it is known', () => {
  assert.equal(isWhollyUnsearchable('acme', [ACME], network), true);
  assert.equal(isWhollyUnsearchable('other', [OTHER], network), false, 'some of its homes are known');
  assert.equal(isWhollyUnsearchable('other', [ACME], network), false);
  assert.equal(isWhollyUnsearchable(null, [ACME], network), false);
  assert.equal(isWhollyUnsearchable(null, [ACME, OTHER], network), false);
  assert.equal(isWhollyUnsearchable(null, [ACME, { ...OTHER, isPartlyRead: false }], network), true);
  assert.equal(isWhollyUnsearchable(null, [], network), false);
});

test('homes of a paused brand are not missed, and a scope of paused brands alone has nothing that is known', () => {
  const paused = { ...ACME, isPaused: true };
  assert.deepEqual(idsOf(unsearchableIn(EVERYWHERE, [OTHER, paused], network)), ['other']);
  assert.deepEqual(idsOf(pausedIn(EVERYWHERE, [OTHER, paused], network)), ['acme']);
  assert.deepEqual(pausedIn({ brand: 'other', place: null }, [OTHER, paused], network), []);
  assert.equal(isWhollyUnsearchable('acme', [paused], network), true);
  assert.equal(isWhollyUnsearchable(null, [paused], network), false, 'the other one is on offer');
});

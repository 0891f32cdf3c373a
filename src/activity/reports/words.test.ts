import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTORS } from '../../operators/connectors.ts';
import { systemName } from './words.ts';

test('every kind of booking system has a name for people, and one that is not known stays itself', () => {
  const unnamed = CONNECTORS.map(({ kind }) => kind).filter((kind) => systemName(kind) === kind);
  assert.deepEqual(unnamed, []);
  assert.deepEqual(['open', 'rate-card', 'lodgify', 'constructor'].map(systemName), [
    'open protocol',
    'rate card',
    'Lodgify',
    'constructor',
  ]);
});

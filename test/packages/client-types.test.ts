import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypes } from '../../tools/generate-client-types.ts';
import { skippedWithoutTools } from '../support/install-tools.ts';

const skip = skippedWithoutTools('whether the types of the client are those of openapi.json');

test('the types of the client are those of openapi.json; npm run generate:client writes them', {
  skip,
}, () => {
  const committed = readFileSync(new URL('../../src/client/interface-types.ts', import.meta.url), 'utf8');
  assert.equal(committed, clientTypes());
});

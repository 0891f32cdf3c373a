import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compiledKernel } from '../../tools/generate-kernel.ts';
import { skippedWithoutTools } from '../support/install-tools.ts';

const COMPILED = new URL('../../src/availability/kernel/kernel.generated.ts', import.meta.url);

const skip = skippedWithoutTools('the compiled kernels of the index');

test('the compiled kernels are those of their sources', { skip }, () => {
  assert.equal(readFileSync(COMPILED, 'utf8'), compiledKernel(), 'run `npm run generate:kernel`');
});

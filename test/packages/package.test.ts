import { test } from 'node:test';
import { judgePackage } from './judge-package.ts';
import { packPackage } from './packed-package.ts';
import { runEverywhere } from './run-everywhere.ts';

test('the package as npm would publish it', async (t) => {
  // Built and packed once, which takes longer than all that follows.
  const packed = packPackage(t);
  await judgePackage(t, packed);
  await runEverywhere(t, packed);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { homes } from '../support/neighbourhood.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

test('a brand that never answers does not delay the first start', { timeout: 300_000 }, async (t) => {
  const [honest, slow] = [await startScriptedOperator(), await startScriptedOperator()];
  honest.properties = homes('honest', 1);
  let isGivenUp = false;
  slow.misbehave = (_path, response) => {
    response.once('close', () => {
      isGivenUp = true;
    });
    return true;
  };
  const { child, ready } = startServiceProcess({
    dataDirectory: join(temporaryDirectory(t), 'data'),
    network: networkFile([brandEntry('honest', honest.origin), brandEntry('slow', slow.origin)]),
  });
  t.after(async () => {
    child.kill('SIGKILL');
    await Promise.all([honest.close(), slow.close()]);
  });
  const origin = await ready;
  // A service on a busy machine may shed load at first.
  while ((await fetch(`${origin}/readyz`)).status !== 200)
    assert.equal(isGivenUp, false, 'not ready without the slow brand');
  assert.equal(isGivenUp, false, 'the service still waits for the slow brand');
});

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { homes } from '../support/neighbourhood.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

async function houseIn(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-house-'));
  const [honest, slow] = [await startScriptedOperator(), await startScriptedOperator()];
  honest.properties = homes('honest', 1);
  const running: ReturnType<typeof startServiceProcess>[] = [];
  t.after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all([honest.close(), slow.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (dataDirectory: string, env: Record<string, string> = {}, origins = [honest.origin]) => {
    const started = startServiceProcess({
      dataDirectory,
      network: networkFile(origins.map((origin, index) => brandEntry(`brand-${index}`, origin))),
      env: {
        STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8,::1/128',
        STAYWIRE_OPERATOR_NETWORKS: '127.0.0.0/8',
        ...env,
      },
    });
    running.push(started);
    return started;
  };
  return { folder, honest, slow, start };
}

test('a damaged inventory is set aside and rebuilt', async (t) => {
  const { folder, start } = await houseIn(t);
  const data = join(folder, 'data');
  const first = start(data);
  await first.ready;
  first.child.kill('SIGTERM');
  await first.ended;
  for (const file of readdirSync(data).filter((name) => name.startsWith('inventory.sqlite'))) {
    writeFileSync(join(data, file), 'this is no database');
  }
  const origin = await start(data).ready;
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
});

test('a file in place of the data folder is a listed fault', async (t) => {
  const { folder, start } = await houseIn(t);
  const data = join(folder, 'data');
  writeFileSync(data, '');
  for (const directory of [data, join(data, 'below')]) {
    const { code, output } = await start(join(folder, 'unused'), { STAYWIRE_DATA_DIR: directory }).ended;
    assert.equal(code, 1);
    assert.match(output, /^Staywire cannot start:\n {2}- /);
    assert.doesNotMatch(output, /^\s+at /m, 'no stack trace');
  }
});

test('with neither a registry nor trusted networks it does not start', async (t) => {
  const { folder, start } = await houseIn(t);
  const service = start(join(folder, 'data'), { STAYWIRE_TRUSTED_NETWORKS: '' });
  const outcome = await Promise.race([
    service.ended,
    service.ready.then(
      () => null,
      () => service.ended,
    ),
  ]);
  assert.ok(outcome, 'it started');
  assert.equal(outcome.code, 1);
  assert.match(outcome.output, /STAYWIRE_TRUSTED_NETWORKS/);
});

test('one slow brand delays nobody’s first start', { timeout: 300_000 }, async (t) => {
  const { folder, honest, slow, start } = await houseIn(t);
  let isGivenUp = false;
  slow.misbehave = (_path, response) => {
    response.once('close', () => {
      isGivenUp = true;
    });
    return true;
  };
  const origin = await start(join(folder, 'data'), {}, [honest.origin, slow.origin]).ready;
  // A service on a busy machine may shed load at first.
  while ((await fetch(`${origin}/readyz`)).status !== 200)
    assert.equal(isGivenUp, false, 'not ready without the slow brand');
  assert.equal(isGivenUp, false, 'the service still waits for the slow brand');
});

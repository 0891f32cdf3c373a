import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { startExample, TOKEN } from '../protocol-check/example-server.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

test('the start that the guide of the owner shows reads the booking system that it starts', async (t) => {
  const [, commands = ''] = read('docs/running.md').split('```sh');
  const line = commands.split('```')[0]?.replaceAll('\\\n', ' ').trim().split('\n').at(-1) ?? '';
  assert.match(line, /^CASAS_TOKEN=\S+ .* npm run serve$/);
  const documented = Object.fromEntries(
    [...line.matchAll(/(STAYWIRE_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
  assert.equal(documented.STAYWIRE_NETWORK, 'docs/examples/network.json');
  const example = await startExample();
  t.after(() => example.close());
  const network = JSON.parse(
    read('docs/examples/network.json').replace('http://127.0.0.1:4100', example.url),
  ) as NetworkFile;
  // The other brand has a rate card, whose seasons end one day.
  const service = startServiceProcess({
    dataDirectory: join(temporaryDirectory(t), 'data'),
    network: { ...network, brands: network.brands.slice(0, 1) },
    env: {
      STAYWIRE_OPERATOR_NETWORKS: documented.STAYWIRE_OPERATOR_NETWORKS ?? '',
      STAYWIRE_TRUSTED_NETWORKS: documented.STAYWIRE_TRUSTED_NETWORKS ?? '',
      CASAS_TOKEN: TOKEN,
    },
  });
  t.after(() => service.child.kill('SIGKILL'));
  const origin = await service.ready;
  const opened = await fetch(`${origin}/ai/v1/auth?source=casas`);
  const { session } = (await opened.json()) as { session: string };
  const answer = await fetch(`${origin}/ai/v1/search?session=${session}`);
  const { allowed_values: allowed } = (await answer.json()) as {
    allowed_values: { brand_locked: readonly { value: boolean }[] };
  };
  // Only what has homes can be locked.
  assert.ok(allowed.brand_locked.some(({ value }) => value));
});

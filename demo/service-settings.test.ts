import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceAddress } from './service-settings.ts';

test('the service is told its own address, so that the addresses in its answers are whole', async () => {
  for (const [environment, origin] of [
    [{}, 'http://127.0.0.1:8080'],
    [{ PORT: ' ', HOST: '' }, 'http://127.0.0.1:8080'],
    [{ PORT: '9000' }, 'http://127.0.0.1:9000'],
    [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://127.0.0.1:9000'],
    [{ HOST: 'localhost' }, 'http://localhost:8080'],
    [{ HOST: '::', PORT: '9000' }, 'http://[::1]:9000'],
  ] as const) {
    assert.equal((await serviceAddress(environment)).STAYWIRE_PUBLIC_URL, origin);
  }
});

test('any free port is chosen before the service starts', async () => {
  const { PORT = '', STAYWIRE_PUBLIC_URL } = await serviceAddress({ PORT: '0' });
  assert.ok(Number(PORT) > 0);
  assert.equal(STAYWIRE_PUBLIC_URL, `http://127.0.0.1:${PORT}`);
});

test('a configured address stays, and a setting that is wrong is left for the service to report', async () => {
  for (const environment of [
    { STAYWIRE_PUBLIC_URL: 'https://stays.example' },
    { PORT: 'eighty' },
    { PORT: '65536' },
    { HOST: '192.0.2.7' },
    { HOST: 'stays.example' },
  ]) {
    assert.deepEqual(await serviceAddress(environment), {});
  }
});

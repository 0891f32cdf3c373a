import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import { freeAddress } from './shareable-port.ts';

it('chooses a port where any will do', async () => {
  const { host, port } = await freeAddress({ host: '127.0.0.1', port: 0 });
  assert.equal(host, '127.0.0.1');
  assert.ok(port > 0);
});

it('refuses a port that another program has, even one that would share it', async (t) => {
  for (const reusePort of [false, process.platform === 'linux']) {
    const other = createServer();
    t.after(() => other.close());
    other.listen({ host: '127.0.0.1', port: 0, reusePort });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await assert.rejects(freeAddress({ host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
  }
});

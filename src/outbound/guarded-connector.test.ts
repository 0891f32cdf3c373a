import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from 'undici';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { type AllowedAddresses, createAllowedAddresses } from './allowed-addresses.ts';
import { guardedConnector } from './guarded-connector.ts';
import type { LookUpHost } from './look-up-host.ts';

const LOOPBACK = createAllowedAddresses(['127.0.0.0/8', '::1']);
const PUBLIC = createAllowedAddresses([]);

async function call(url: string, addresses: AllowedAddresses, lookUp = says([])): Promise<number> {
  const client = new Client(url, {
    connect: guardedConnector(addresses, lookUp, new AbortController().signal),
  });
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path: '/' });
    await body.dump();
    return statusCode;
  } finally {
    await client.destroy();
  }
}

const says =
  (addresses: readonly string[]): LookUpHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a connection to an operator', () => {
  it('goes to an allowed address, by number or by name', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    assert.equal(await call(`http://127.0.0.1:${port}`, LOOPBACK), 200);
    assert.equal(await call(`http://operator.test:${port}`, LOOPBACK, says(['127.0.0.1'])), 200);
  });

  it('is refused for a number that is not allowed, in any way of writing it', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]']) {
      await assert.rejects(call(`http://${host}:${port}`, PUBLIC), /not public/, host);
    }
    assert.equal(server.requests.length, 0);
  });

  it('is refused for a name that leads to such a number, and takes the allowed one of several', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    await assert.rejects(call(`http://operator.test:${port}`, PUBLIC, says(['127.0.0.1'])), /not public/);
    await assert.rejects(
      call(`http://operator.test:${port}`, PUBLIC, says(['10.0.0.1', '::1'])),
      /not public/,
    );
    assert.equal(await call(`http://operator.test:${port}`, LOOPBACK, says(['10.0.0.1', '127.0.0.1'])), 200);
  });

  it('is checked once more when it stands, whatever the lookup said', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    // Allowed while the name is looked up, and not any more when the socket is connected.
    const answers = [true, false];
    const changing: AllowedAddresses = { ...LOOPBACK, allows: () => answers.shift() ?? false };
    await assert.rejects(call(`http://operator.test:${port}`, changing, says(['127.0.0.1'])), /not public/);
    assert.equal(server.requests.length, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from 'undici';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { type AllowedAddresses, createAllowedAddresses, guardedConnector } from './guarded-connector.ts';
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

const NOT_PUBLIC = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
  '168.63.129.16',
  '4000::1',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'localhost',
  '',
  '127.1',
  '0177.0.0.1',
];

describe('the addresses that an operator’s server may have', () => {
  it('are public ones', () => {
    const addresses = createAllowedAddresses([]);
    for (const address of NOT_PUBLIC) assert.ok(!addresses.allows(address), address);
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1']) {
      assert.ok(addresses.allows(address), address);
    }
  });
});

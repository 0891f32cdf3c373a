import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { credentialVariable } from '../../src/connectors/shared/account/account-credentials.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import type { LookUpHost } from '../../src/outbound/look-up-host.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

type BookingSystemEntry = NetworkFile['brands'][number]['booking_system'];

const NOT_PUBLIC = /at an address that is not public; STAYWIRE_OPERATOR_NETWORKS allows networks/;
/** One of each way in which a connector is told where its server is. */
const ENTRIES: Readonly<Record<string, (origin: string) => BookingSystemEntry>> = {
  'the open protocol': (url) => ({ kind: 'open', url }),
  'a rate card': (url) => ({ kind: 'rate-card', url: `${url}/card.json` }),
  'a vendor': (url) => ({ kind: 'lodgify', account: 'harbor', url }),
};
const env = { [credentialVariable('harbor', 'api_key')]: 'emulated' };

/** Somebody's server on this machine, who only counts who comes. */
async function privateServer(t: TestContext, host = '127.0.0.1') {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function saying(address: string): LookUpHost {
  return async () => [{ address, family: address.includes(':') ? 6 : 4 }];
}

/** What a service says of a brand whose server is there, with no network allowed. */
async function linesAbout(
  t: TestContext,
  bookingSystem: BookingSystemEntry,
  lookUp?: LookUpHost,
): Promise<string> {
  const service = await startTestService({
    network: networkFile([
      { ...brandEntry('acme', 'http://127.0.0.1'), all_in_totals: false, booking_system: bookingSystem },
    ]),
    env,
    settings: { operatorNetworks: [] },
    lookUp,
  });
  t.after(() => service.close());
  return service.logLines.join('');
}

describe('without STAYWIRE_OPERATOR_NETWORKS, the server of an operator', () => {
  for (const [kind, entryAt] of Object.entries(ENTRIES)) {
    it(`is not reached on this machine or in a private network, by number: ${kind}`, async (t) => {
      const { port, connections } = await privateServer(t);
      for (const host of ['http://127.0.0.1', 'https://127.0.0.1', 'https://[::1]', 'http://localhost']) {
        assert.match(await linesAbout(t, entryAt(`${host}:${port}`)), NOT_PUBLIC, host);
      }
      for (const host of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]']) {
        const described = linesAbout(t, entryAt(`https://${host}`));
        await assert.rejects(described, /must name its host, not give a number/, host);
      }
      assert.equal(connections(), 0);
    });

    it(`is not reached there by a name that leads to it: ${kind}`, async (t) => {
      const { port, connections } = await privateServer(t);
      for (const address of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '64:ff9b:1::a9fe:a9fe']) {
        const entry = entryAt(`https://operator.test:${port}`);
        assert.match(await linesAbout(t, entry, saying(address)), NOT_PUBLIC, address);
      }
      assert.equal(connections(), 0);
    });
  }

  it('cannot send the service to a private one by a redirect', async (t) => {
    const { port, connections } = await privateServer(t, '127.0.0.2');
    const operator = await startScriptedOperator();
    operator.properties = [property('a')];
    const service = await startTestService({
      network: networkFile([brandEntry('acme', operator.origin)]),
      settings: { operatorNetworks: ['127.0.0.1/32'] },
    });
    t.after(async () => {
      await service.close();
      await operator.close();
    });
    let redirected = 0;
    operator.misbehave = (path, response) => {
      redirected += 1;
      response.writeHead(307, { location: `http://127.0.0.2:${port}${path}` }).end();
      return true;
    };
    const opened = await service.post('/ai/v1/auth', {});
    const { body } = await service.post(`/ai/v1/search?session=${opened.body.session}`, {
      destination: 'lisbon-pt',
      check_in_month: '2027-04',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: '2',
    });
    assert.equal(body.error, 'upstream_unavailable');
    assert.ok(redirected > 0);
    assert.equal(connections(), 0);
  });
});

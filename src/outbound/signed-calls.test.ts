import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { LOOPBACK } from '../../test/support/loopback-client.ts';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { AGENT, sampleIdentity, sampleKey } from '../../test/support/sample-identity.ts';
import { type SentRequest, verifiedByOthers } from '../../test/support/verified-by-others.ts';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { createAllowedAddresses } from './guarded-connector.ts';
import { createClientOpener, type OutgoingSigner } from './http-client.ts';
import { createKeyDirectory, createRequestSigner } from './signing.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
const clock = { ...systemClock, now: () => NOW };
const identity = sampleIdentity();
const directory = JSON.parse(createKeyDirectory(identity, { clock })().body.toString());
const options = { timeoutMs: 30_000, maxBytes: 10_000, signal: new AbortController().signal };
const addresses = createAllowedAddresses(LOOPBACK);

async function operatorFor(t: TestContext, sign?: OutgoingSigner) {
  const sent: SentRequest[] = [];
  const server = await plainServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const target = `http://${headers.host}${url}`;
    sent.push({ method, url: target, headers, ...(body === '' ? {} : { body }) });
    sendJson(response, {});
  });
  const client = createClientOpener({ addresses, clock, sign })({
    baseUrl: `${server.url}/base`,
    connections: 1,
  });
  t.after(async () => {
    await client.close();
    await server.close();
  });
  return { client, sent };
}

describe('a call to an operator that is signed', () => {
  it('is verified by the operator as it arrives, with its body', async (t) => {
    const { client, sent } = await operatorFor(
      t,
      createRequestSigner(identity, { clock, random: systemRandom }),
    );
    await client.send({ method: 'GET', path: '/catalogue?page=a%2Fb' }, options);
    await client.send({ method: 'POST', path: '/quotes', body: '{"name":"é"}' }, options);
    assert.deepEqual(
      sent.map(({ body }) => body),
      [undefined, '{"name":"é"}'],
    );
    for (const request of sent) {
      const { keyid } = await verifiedByOthers(request, directory, { now: NOW, agent: AGENT });
      assert.equal(keyid, sampleKey('first').keyid);
    }
  });

  it('is sent as it was signed, however its address was written', async (t) => {
    const { client, sent } = await operatorFor(
      t,
      createRequestSigner(identity, { clock, random: systemRandom }),
    );
    for (const path of ["/homes/it's?name=it's|here", '/a/../homes', '/homes?', '/%7euser/%c3%a9']) {
      await client.send({ method: 'GET', path }, options);
    }
    for (const request of sent) await verifiedByOthers(request, directory, { now: NOW, agent: AGENT });
    assert.equal(sent.length, 4);
  });

  it('never goes to an address that an operator has written', async (t) => {
    let signed = 0;
    const sign = () => {
      signed += 1;
      return {};
    };
    const client = createClientOpener({ addresses, clock, sign })({
      baseUrl: 'http://127.0.0.1:1',
      connections: 1,
      isPublicOnly: true,
    });
    t.after(() => client.close());
    await assert.rejects(client.send({ method: 'GET', path: '/feed.ics' }, options));
    assert.equal(signed, 0);
  });
});

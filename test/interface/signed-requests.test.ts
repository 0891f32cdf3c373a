import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { AGENT, sampleIdentity, sampleKey } from '../support/sample-identity.ts';
import { type Scene, setScene } from '../support/scene.ts';
import { provedByOthers, type SentRequest, verifiedByOthers } from '../support/verified-by-others.ts';

const DIRECTORY = '/.well-known/http-message-signatures-directory';
const STRANGER = '203.0.113.9';

type Received = SentRequest & { readonly at: number };

/** From now on, the requests that the operator gets. */
function watched({ operator, service }: Scene, misbehave: (response: ServerResponse) => boolean): Received[] {
  const requests: Received[] = [];
  operator.misbehave = (_, response) => {
    const { method = '', url, headers } = response.req;
    requests.push({ method, url: `${operator.origin}${url}`, headers, at: service.time.now });
    return misbehave(response);
  };
  return requests;
}

async function searchWhileWatched(scene: Scene): Promise<readonly Received[]> {
  const requests = watched(scene, () => false);
  const refreshed = scene.service.nextRefresh('acme');
  await scene.service.time.pass(3_600_000);
  await refreshed;
  const { body } = await (await scene.open()).search();
  assert.equal(body.object, 'search_result');
  const paths = new Set(requests.map(({ url }) => new URL(url).pathname));
  assert.ok(paths.has('/catalogue') && paths.has('/quotes'), [...paths].join());
  return requests;
}

describe('requests to operators', () => {
  it('are each signed by the network, as an operator verifies with what it publishes', async (t) => {
    const scene = await setScene(t, {
      identity: sampleIdentity('first', 'next'),
      settings: { publicUrl: AGENT },
    });
    const requests = await searchWhileWatched(scene);
    const { raw } = await scene.service.call({ url: DIRECTORY, remoteAddress: STRANGER });
    const directory = JSON.parse(raw);
    const nonces = new Set<string>();
    for (const request of requests) {
      const { keyid, nonce } = await verifiedByOthers(request, directory, {
        now: request.at,
        agent: AGENT,
      });
      assert.equal(keyid, sampleKey('first').keyid);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, requests.length);
  });

  it('are not signed where no keys are named, and no directory is published', async (t) => {
    const scene = await setScene(t, { settings: { publicUrl: AGENT } });
    for (const { headers } of await searchWhileWatched(scene)) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => /^signature|digest/.test(name)),
        [],
      );
    }
    assert.equal((await scene.service.get(DIRECTORY)).status, 404);
  });

  it('are verified through a change of keys by whoever kept the directory of the step before', async (t) => {
    const steps = [
      sampleIdentity('old'),
      sampleIdentity('old', 'new'),
      sampleIdentity('new', 'old'),
      sampleIdentity('new'),
    ];
    let kept: { readonly keys: readonly object[] } | undefined;
    for (const identity of steps) {
      const scene = await setScene(t, { identity, settings: { publicUrl: AGENT } });
      const requests = await searchWhileWatched(scene);
      const latest = JSON.parse((await scene.service.get(DIRECTORY)).raw);
      for (const directory of [kept ?? latest, latest]) {
        for (const request of requests) {
          await verifiedByOthers(request, directory, { now: request.at, agent: AGENT });
        }
      }
      kept = latest;
    }
  });

  it('leave the private keys in no answer, log line or metric', async (t) => {
    const scene = await setScene(t, {
      identity: sampleIdentity('first', 'next'),
      settings: { publicUrl: AGENT },
    });
    const requests = watched(scene, (response) => {
      response.writeHead(500).end();
      return true;
    });
    await scene.service.time.pass(3_600_000);
    await (await scene.open()).send(STAY);
    const { raw } = await scene.service.get(DIRECTORY);
    const said = [
      raw,
      ...scene.service.logLines,
      await scene.service.metrics.render(),
      JSON.stringify(requests),
    ].join();
    for (const name of ['first', 'next']) {
      const { secret, key } = sampleKey(name);
      const forms = [
        secret,
        Buffer.from(secret, 'base64url').toString('hex'),
        Buffer.from(secret, 'base64url').toString('base64'),
      ];
      for (const form of [
        ...forms,
        String(key.export({ format: 'pem', type: 'pkcs8' })).split('\n')[1] ?? '',
      ]) {
        assert.ok(!said.includes(form));
      }
    }
    assert.ok(said.includes(sampleKey('first').keyid), 'something was signed');
  });
});

describe('the directory of keys', () => {
  it('is open to everybody, proves its keys, and may be kept for an hour', async (t) => {
    const { service } = await setScene(t, {
      identity: sampleIdentity('first', 'next'),
      settings: { publicUrl: AGENT },
    });
    const { status, headers, raw } = await service.call({
      url: DIRECTORY,
      remoteAddress: STRANGER,
      headers: { 'accept-encoding': 'br, gzip' },
    });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/http-message-signatures-directory+json');
    assert.equal(headers['cache-control'], 'public, max-age=3600, no-transform');
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(headers['access-control-allow-origin'], '*');
    const sent = headers as SentRequest['headers'];
    const proved = await provedByOthers(
      { headers: sent, body: raw },
      { now: service.time.now, url: `${AGENT}${DIRECTORY}` },
    );
    assert.deepEqual(proved, [sampleKey('first').keyid, sampleKey('next').keyid]);
    const again = await service.get(DIRECTORY, { 'if-none-match': String(headers.etag) });
    assert.equal(again.status, 304);
  });
});

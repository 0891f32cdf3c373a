import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createCopiesInFolder } from '../../src/access/published/published-document.ts';
import { createPublishedDocuments } from '../../src/access/published/published-documents.ts';
import { systemClock } from '../../src/clock.ts';
import { createFetchPublished } from '../../src/outbound/fetch-published.ts';
import { isAmong, parseAddress } from '../../src/parsing/ip-address.ts';
import { systemRandom } from '../../src/random.ts';
import { openLoopbackClient } from '../support/loopback-client.ts';
import { plainServer, sendJson } from '../support/plain-server.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

describe('what an assistant publishes', () => {
  it('is fetched over HTTP, and in force after a restart without its server', async (t) => {
    const key = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) };
    const server = await plainServer((request, response) =>
      sendJson(response, request.url === '/keys' ? { keys: [key] } : { prefixes: ['11.1.0.0/16'] }),
    );
    t.after(() => server.close());
    const folder = temporaryDirectory(t);
    const [list, directory] = [`${server.url}/list`, `${server.url}/keys`];
    const start = (openedClient: typeof openLoopbackClient) => {
      const documents = createPublishedDocuments({
        fetchDocument: createFetchPublished({
          openClient: openedClient,
          clock: systemClock,
          isPlainHttpAllowed: true,
        }),
        clock: systemClock,
        random: systemRandom,
        copies: createCopiesInFolder({ folder, onFault: assert.ifError }),
        maxAgeMs: 86_400_000,
        observe: { fetched: () => {}, failed: () => {}, tooOld: () => {} },
      });
      t.after(() => documents.stop());
      return documents;
    };

    const first = start(openLoopbackClient);
    const changes = new EventTarget();
    let changed = once(changes, 'change');
    first.onChange(() => changes.dispatchEvent(new Event('change')));
    first.follow([
      { kind: 'ranges', url: list },
      { kind: 'keys', url: directory },
    ]);
    while (!first.ranges(list) || !first.keys(directory)) {
      await changed;
      changed = once(changes, 'change');
    }
    first.stop();

    const second = start(() => assert.fail('nothing is due yet'));
    second.follow([
      { kind: 'ranges', url: list },
      { kind: 'keys', url: directory },
    ]);
    assert.deepEqual(second.keys(directory), [{ key, notBefore: null, notAfter: null }]);
    const ranges = second.ranges(list);
    const [inside, outside] = [parseAddress('11.1.2.3'), parseAddress('11.2.2.3')];
    assert.ok(ranges && inside && outside && isAmong(ranges, inside) && !isAmong(ranges, outside));
    assert.deepEqual(
      second.status().map(({ source }) => source),
      ['copy', 'copy'],
    );
  });
});

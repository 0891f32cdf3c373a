import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { PublishedAddress } from '../../src/access/published/published-document.ts';
import { createCopiesInFolder } from '../../src/access/published/published-document.ts';
import { documentOf, type RegistrySource } from '../../src/access/registry/registry-source.ts';
import { openRegisteredAssistants } from '../../src/app/configuration.ts';
import { openWhoMayCall } from '../../src/app/open-access.ts';
import { systemRandom } from '../../src/random.ts';
import { StorageFailure } from '../../src/sessions/storage-failure.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const NOW = Date.parse('2026-11-17T04:30:00Z');
const KEYS: PublishedAddress = { kind: 'keys', url: 'https://assistant.example/keys' };
const NOT_WANTED: PublishedAddress = { kind: 'keys', url: 'https://other.example/keys' };
const REGISTRY = JSON.stringify({
  assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by: [{ jwks_uri: KEYS.url }] }],
});

describe('a start that does not know its registry', () => {
  it('keeps the copies of what assistants publish until it does', async (t) => {
    const dataDirectory = temporaryDirectory(t);
    const folder = join(dataDirectory, 'published');
    const copies = createCopiesInFolder({ folder, onFault: assert.ifError });
    const key = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) };
    for (const address of [KEYS, NOT_WANTED]) {
      copies.write(address, { confirmedAt: NOW, text: JSON.stringify({ keys: [key] }) });
    }

    let isDown = true;
    const source: RegistrySource = {
      async read() {
        if (isDown) throw new StorageFailure('unreachable', 'PostgreSQL does not answer.');
        return documentOf(REGISTRY);
      },
      replace: async () => 'replaced',
      close: async () => {},
    };
    const opened = openRegisteredAssistants(
      { STAYWIRE_DATA_DIR: dataDirectory, STAYWIRE_POSTGRES_URL: 'postgres://db/staywire' },
      { catalogue: [], openPostgres: () => source },
    );
    assert.ok(opened.kind === 'valid');
    const since = await opened.value.readAtStart();
    assert.ok(since.kind === 'valid' && since.value.registry === null);

    const clock = createFakeClock(NOW);
    const whoMayCall = openWhoMayCall({
      settings: {
        dataDirectory,
        store: 'sqlite',
        operatorNetworks: [],
        publishedMaxAgeDays: 7,
        trustedNetworks: null,
        publicUrl: null,
        hosts: [],
      },
      registered: opened.value,
      since: since.value,
      audit: null,
      clock,
      random: systemRandom,
      log: createLog({ level: 'info', clock, destination: { write: () => undefined } }),
      metrics: createMetrics(),
    });
    t.after(() => whoMayCall.close());
    assert.deepEqual(whoMayCall.list(), { assistants: [], keys: [] });

    isDown = false;
    await clock.advance(1000);
    assert.deepEqual(whoMayCall.list().keys, [
      { url: KEYS.url, keys: [{ key, notBefore: null, notAfter: null }] },
    ]);
    assert.equal(copies.read(NOT_WANTED), null, 'now it is certain that nobody needs it');
  });
});

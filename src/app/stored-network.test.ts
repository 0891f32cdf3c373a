import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';
import type { NetworkDocuments } from '../storage/stores.ts';
import { withStoredNetwork } from './configuration.ts';

const NETWORK = { network: new TextEncoder().encode('{}'), credentials: null };

/** Fails as often as it is told, then has a network. */
function documentsAfter(failures: number, kind: StorageFailureKind) {
  let opened = 0;
  return {
    count: () => opened,
    async open() {
      opened += 1;
      if (opened <= failures) throw new StorageFailure(kind, 'Not now.');
      return { stored: async () => NETWORK, close: async () => {} } as unknown as NetworkDocuments;
    },
  };
}

const environment = (directory: string) => ({
  STAYWIRE_POSTGRES_URL: 'postgres://db.internal/staywire',
  STAYWIRE_DATA_DIR: directory,
});

test('a stored network is waited for while a table is in use, and kept beside the data', async (t) => {
  const directory = temporaryDirectory(t);
  const documents = documentsAfter(3, 'busy');
  const found = await withStoredNetwork(environment(directory), documents.open);
  assert.equal(found.kind, 'valid');
  assert.equal(documents.count(), 4);
  assert.ok(existsSync(join(directory, 'network', 'network.jsonc')));
});

test('a start does not wait for ever, nor at all for what will not pass', async (t) => {
  for (const [kind, tries] of [
    ['busy', 20],
    ['refused', 1],
  ] as const) {
    const documents = documentsAfter(100, kind);
    const found = await withStoredNetwork(environment(temporaryDirectory(t)), documents.open);
    assert.equal(found.kind, 'invalid');
    assert.equal(documents.count(), tries);
  }
});

test('a folder that cannot be written is named as what is wrong', async () => {
  const found = await withStoredNetwork(environment('/dev/null/data'), documentsAfter(0, 'busy').open);
  assert.ok(found.kind === 'invalid');
  assert.match(found.faults.join(), /STAYWIRE_DATA_DIR: .*ENOTDIR/);
});

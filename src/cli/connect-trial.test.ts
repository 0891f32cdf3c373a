import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { openDocumentsFor } from './connect-trial.ts';

const settings = {} as Parameters<typeof openDocumentsFor>[1];
const text = (content: string) => new TextEncoder().encode(content);

function besideAService(failure: unknown) {
  const stored = new Map([['account/bookingsync/harbor/token', text('the token of the service')]]);
  return openDocumentsFor(
    {
      openInventory: () => Promise.reject(failure),
      openDocuments: async () => ({
        document: async (name) => stored.get(name),
        close: async () => undefined,
      }),
    },
    settings,
  );
}

describe('what is stored while a service works on it', () => {
  it('is read, and what a trial learns is kept until it ends', async () => {
    await using documents = await besideAService(new StorageFailure('in_use', 'another process'));
    assert.deepEqual(
      await documents.document('account/bookingsync/harbor/token'),
      text('the token of the service'),
    );
    await documents.saveDocument('harbor/listings', text('[]'));
    assert.deepEqual(await documents.document('harbor/listings'), text('[]'));
  });

  it('gets no token but from the service, which would lose its own', async () => {
    await using documents = await besideAService(new StorageFailure('in_use', 'another process'));
    const name = 'account/bookingsync/harbor/token';
    await assert.rejects(documents.saveDocument(name, text('new')), /only the running service/);
    assert.deepEqual(await documents.document(name), text('the token of the service'));
  });

  it('is not taken for in use when it is broken', async () => {
    await assert.rejects(besideAService(new StorageFailure('full', 'no room')), /no room/);
  });
});

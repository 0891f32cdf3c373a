import { describe, type TestContext } from 'node:test';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';

// With room for one session, nearly every read goes to the database.
describe('with a cache of one session', () => {
  const newStore = async (test: TestContext) =>
    (await temporaryStorage(test, { maxCachedSessions: 1 })).sessions;
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });
});

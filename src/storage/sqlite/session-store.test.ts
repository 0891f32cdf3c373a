import { describe } from 'node:test';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sessionStoreContract } from '../../sessions/session-store.contract.ts';

sessionStoreContract({ newStore: async (test) => (await temporaryStorage(test)).sessions });

// With room for next to nothing, every read goes to the database.
describe('with a cache of one session and no results', () => {
  const options = { cachedSessions: 1, cachedResultBytes: 0 };
  sessionStoreContract({ newStore: async (test) => (await temporaryStorage(test, options)).sessions });
});

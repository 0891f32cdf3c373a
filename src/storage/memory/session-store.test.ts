import { sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { createMemorySessionStore } from './session-store.ts';

sessionStoreContract({ newStore: async () => createMemorySessionStore() });

import type { SessionStore } from '../../src/sessions/session-store.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { SAMPLE_RATE_RULE } from './temporary-storage.ts';

/** A store in memory that fails when a test says so. */
export type FaultyStorage = Storage & {
  /** What each call of the session store throws instead of working; none by default. */
  readonly faults: { -readonly [Method in keyof SessionStore]?: Error };
};

export async function openFaultyStorage(rateRule = SAMPLE_RATE_RULE): Promise<FaultyStorage> {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const faults: FaultyStorage['faults'] = {};
  const sessions = new Proxy(storage.sessions, {
    get(store, method: keyof SessionStore) {
      const fault = faults[method];
      if (!fault) return store[method];
      return async () => {
        throw fault;
      };
    },
  });
  return { ...storage, sessions, faults };
}

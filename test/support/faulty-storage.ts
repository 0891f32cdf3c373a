import type { SessionStore } from '../../src/sessions/session-store.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { SAMPLE_RATE_RULE } from './temporary-storage.ts';

/** A memory store whose calls a test can make fail. */
export type FaultyStorage = Storage & {
  /** The error that a call of the session store rejects with; none by default. */
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

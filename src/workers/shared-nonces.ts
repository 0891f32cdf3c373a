import type { UsedNonces } from '../access/used-nonces.ts';
import type { CallHandlers, PortCalls } from './port-calls.ts';

type NonceClaim = { readonly name: string; readonly keepMs: number };

/** Nonces that were used in any thread: the main one remembers them. */
export function createSharedNonces(main: Pick<PortCalls, 'call'>): UsedNonces {
  return {
    claim: (name, keepMs) =>
      main.call('claimNonce', { name, keepMs } satisfies NonceClaim) as Promise<boolean>,
  };
}

/** The main thread's part of it. */
export function nonceHandlers(nonces: UsedNonces): CallHandlers {
  return { claimNonce: ({ name, keepMs }: NonceClaim) => nonces.claim(name, keepMs) };
}

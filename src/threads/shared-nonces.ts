import type { UsedNonces } from '../access/used-nonces.ts';
import type { CallHandlers, PortCalls } from './port-calls.ts';

type NonceClaim = { readonly signer: string; readonly name: string; readonly keepMs: number };

/** Nonces that were used in any thread: the main one remembers them. */
export function createSharedNonces(main: Pick<PortCalls, 'call'>): UsedNonces {
  return {
    claim: (signer, name, keepMs) =>
      main.call('claimNonce', { signer, name, keepMs } satisfies NonceClaim) as Promise<boolean>,
  };
}

/** The main thread's part of it. */
export function nonceHandlers(nonces: UsedNonces): CallHandlers {
  return { claimNonce: ({ signer, name, keepMs }: NonceClaim) => nonces.claim(signer, name, keepMs) };
}

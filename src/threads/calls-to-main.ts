import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { CallerPath } from '../limits/load-shedding.ts';
import type { Completed, CompleteSearch } from '../search/complete-search.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';
import type { CallHandlers, PortCalls } from './port-calls.ts';

type SearchToComplete = {
  readonly criteria: CompleteCriteria;
  readonly sessionEnd: number;
  readonly caller: CallerPath;
};

/** Sends searches to the main thread, which asks the operators. */
export function createRemoteSearch(
  main: Pick<PortCalls, 'call'>,
  checkWrites: () => Promise<StorageFailureKind | null>,
): CompleteSearch {
  return async (criteria, sessionEnd, { caller, departure, hear }) => {
    const fault = await checkWrites();
    // Checks the store of this thread, which has to store the result.
    if (fault !== null) throw new StorageFailure(fault, 'Nothing can be stored, so no operator was asked.');
    const client: WaitingClient = {
      hasGone: () => departure?.aborted ?? false,
      departure: () => departure,
      ...(hear ? { hear } : {}),
    };
    const search: SearchToComplete = { criteria, sessionEnd, caller };
    return main.call('completeSearch', search, client) as Promise<Completed>;
  };
}

/** The main thread's side of it. */
export function completeSearchFor(completeSearch: CompleteSearch) {
  return ({ criteria, sessionEnd, caller }: SearchToComplete, client: WaitingClient): Promise<Completed> =>
    completeSearch(criteria, sessionEnd, { caller, departure: client.departure(), hear: client.hear });
}

type NonceClaim = { readonly signer: string; readonly name: string; readonly keepMs: number };

/** Nonces used in any thread: the main thread stores them. */
export function createSharedNonces(main: Pick<PortCalls, 'call'>): UsedNonces {
  return {
    claim: (signer, name, keepMs) =>
      main.call('claimNonce', { signer, name, keepMs } satisfies NonceClaim) as Promise<boolean>,
  };
}

/** The main thread's side of it. */
export function nonceHandlers(nonces: UsedNonces): CallHandlers {
  return { claimNonce: ({ signer, name, keepMs }: NonceClaim) => nonces.claim(signer, name, keepMs) };
}

import { createKeyedOpenings, type KeyedOpenings, type OpeningBody } from '../mcp/session-openings.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import type { CallHandlers, PortCalls } from '../threads/port-calls.ts';
import type { WorkerNumber } from '../threads/route-operations.ts';

/** The answer to a thread that claims an opening: it opens the session itself, or another thread has opened it. */
type Claim = { readonly kind: 'open_it' } | { readonly kind: 'opened'; readonly body: OpeningBody };

type Settled = { readonly name: string; readonly body: OpeningBody };

/** Openings of tool calls, shared by all threads through the main one. */
export function createSharedOpenings(main: Pick<PortCalls, 'call' | 'tell'>): KeyedOpenings {
  return {
    async open(name, openNew) {
      const claim = (await main.call('claimOpening', name)) as Claim;
      if (claim.kind === 'opened') return claim.body;
      try {
        const body = await openNew();
        // Shared before the caller gets its answer, so that a repeat after the answer finds it.
        await main.call('openingSettled', { name, body } satisfies Settled);
        return body;
      } catch (fault) {
        main.tell('openingFailed', name);
        throw fault;
      }
    },
    forget: (session) => main.tell('forgetOpening', session),
  };
}

type OpenOpening = PromiseWithResolvers<OpeningBody> & { readonly worker: WorkerNumber };

/** The main thread's side of the shared openings. */
export function createOpeningsOfThreads(elapsed: () => number) {
  const openings = createKeyedOpenings(createRecentOpenings<OpeningBody>({ elapsed }));
  const beingOpened = new Map<string, OpenOpening>();

  function fail(name: string): void {
    beingOpened.get(name)?.reject(new Error('the session was not opened'));
    beingOpened.delete(name);
  }

  return {
    handlersFor: (worker: WorkerNumber): CallHandlers => ({
      claimOpening: (name: string): Promise<Claim> =>
        new Promise((resolve, reject) => {
          openings
            .open(name, () => {
              const opening = { ...Promise.withResolvers<OpeningBody>(), worker };
              beingOpened.set(name, opening);
              resolve({ kind: 'open_it' });
              return opening.promise;
            })
            .then((body) => resolve({ kind: 'opened', body }), reject);
        }),
      openingSettled({ name, body }: Settled) {
        beingOpened.get(name)?.resolve(body);
        beingOpened.delete(name);
      },
      openingFailed: fail,
      forgetOpening: (session: string) => openings.forget(session),
    }),
    /** Fails the openings of an ended thread; each waiting caller then opens a session itself. */
    threadEnded(worker: WorkerNumber): void {
      for (const [name, opening] of beingOpened) if (opening.worker === worker) fail(name);
    },
  };
}

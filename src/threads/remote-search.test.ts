import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { ClientGone } from '../limits/deadline.ts';
import type { Completed, CompleteSearch } from '../search/complete-search.ts';
import { limitSearches } from '../search/complete-search.ts';
import { createSearchPlaces } from '../sessions/assistant-limits.ts';
import { completeSearchFor, createRemoteSearch } from './calls-to-main.ts';
import { createPortCalls } from './port-calls.ts';

const CRITERIA = {} as Parameters<CompleteSearch>[0];
const ANSWERED: Completed = { kind: 'no_operator_answered', retryAfterSeconds: 5, silent: [] };

it('keeps the place of a search whose client has left another thread until its call has ended', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const call = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  /** The first search waits for its client to go, and leaves a call behind. */
  let isFirst = true;
  const search: CompleteSearch = async (_criteria, _sessionEnd, { departure, onLeftBehind }) => {
    if (!isFirst) return ANSWERED;
    isFirst = false;
    isAsked.resolve();
    await new Promise((resolve) => departure?.addEventListener('abort', resolve, { once: true }));
    onLeftBehind?.(call.promise);
    throw departure?.reason;
  };
  const limited = limitSearches(search, {
    places: createSearchPlaces(),
    limitsOf: () => ({ searches: 1 }),
    maxMs: 1000,
  });
  createPortCalls(port1, { completeSearch: completeSearchFor(limited) });
  const remote = createRemoteSearch(createPortCalls(port2, {}), async () => null);
  const leaving = new AbortController();
  const caller = ['acme', '192.0.2.1', 'session'] as const;
  const left = remote(CRITERIA, 0, { caller, departure: leaving.signal });
  await isAsked.promise;
  leaving.abort();
  await assert.rejects(left, ClientGone);
  assert.equal((await remote(CRITERIA, 0, { caller })).kind, 'too_many_searches');
  call.resolve();
  assert.equal((await remote(CRITERIA, 0, { caller })).kind, ANSWERED.kind);
});

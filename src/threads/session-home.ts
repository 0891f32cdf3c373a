import type { OperationRequest } from '../contract/exchange.ts';
import { takesSession } from '../requests/serve-operation.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { textHash } from './text-hash.ts';

/** The number of a thread that serves. */
export type WorkerNumber = number;

/**
 * A session lives in one of the threads, which every thread can tell from its token: all that is kept of it in memory is kept once,
 * and its requests wait for each other as in a service of one thread.
 */
export function homeOf(token: string, workers: number): WorkerNumber {
  return textHash(token) % workers;
}

/** Where a request is served; null when any thread will do. */
export function homeOfRequest(
  { operation, token, key, caller }: Pick<OperationRequest, 'operation' | 'token' | 'key' | 'caller'>,
  workers: number,
): WorkerNumber | null {
  if (takesSession(operation)) {
    return token !== undefined && isSessionToken(token) ? homeOf(token, workers) : null;
  }
  // Whoever repeats an opening has to find the session that it opened.
  if (operation === 'openSession' && key !== null) {
    return homeOf(`${caller.assistant}\n${caller.address}\n${key}`, workers);
  }
  return null;
}

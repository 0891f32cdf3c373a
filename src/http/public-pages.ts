import { NOT_READY, OK } from '../contract/errors.ts';
import type { HttpResponse } from './write-response.ts';

/** A page outside `/ai/`, open to every caller: the entry and the health checks. */
export type PublicPage = {
  readonly path: string;
  readonly render: (request: {
    readonly accept: string | undefined;
    readonly query: unknown;
  }) => HttpResponse;
};

/** Asked by load balancers, which name any host or none. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz'];

/** `reason` says what is waited for; null when there is nothing. */
export type Readiness = {
  readonly status: 'ready' | 'starting' | 'unavailable';
  readonly reason: string | null;
};

/** Liveness and readiness. */
export function healthPages(readiness: () => Readiness): readonly PublicPage[] {
  return [
    { path: '/healthz', render: () => ({ status: OK, body: '{"status":"alive"}' }) },
    {
      path: '/readyz',
      render() {
        const { status, reason } = readiness();
        return reason === null
          ? { status: OK, body: JSON.stringify({ status }) }
          : { status: NOT_READY, body: JSON.stringify({ status, reason }) };
      },
    },
  ];
}

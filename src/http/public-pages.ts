import { NO_CONTENT, NOT_READY, OK } from '../contract/errors.ts';
import type { HttpResponse } from '../limits/broken-http.ts';
import { type ResponsePreferences, revalidated } from './write-response.ts';

/** A page outside `/ai/`, open to every caller, whether person or assistant: the entry, the health checks and what is published. */
export type PublicPage = {
  readonly path: string;
  /** Whether pages of other sites may read it too. Their own conventions ask for that, and nothing of a session is in it. */
  readonly crossOrigin?: boolean;
  readonly render: (request: {
    readonly accept: string | undefined;
    readonly query: unknown;
  }) => PublicResponse;
};

/** `tag` changes with the bytes, and lets a caller keep them. */
export type PublicResponse = HttpResponse & { readonly tag?: string };

const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
} as const;

const READING_METHODS = ['GET', 'HEAD'] as const;

/** A browser asks with OPTIONS before it lets another site's page revalidate a document. */
export function methodsOfPage({ crossOrigin = false }: PublicPage): readonly ('GET' | 'HEAD' | 'OPTIONS')[] {
  return crossOrigin ? [...READING_METHODS, 'OPTIONS'] : READING_METHODS;
}

export function pageResponse(
  page: PublicPage,
  { method, accept, query, ...preferences }: PageRequest,
): HttpResponse {
  const { tag, ...rendered } =
    method === 'OPTIONS' ? { status: NO_CONTENT, body: '' } : page.render({ accept, query });
  const response = tag === undefined ? rendered : revalidated(rendered, tag, preferences);
  return page.crossOrigin ? { ...response, headers: { ...response.headers, ...CROSS_ORIGIN } } : response;
}

type PageRequest = ResponsePreferences & {
  readonly method: string;
  readonly accept: string | undefined;
  readonly query: unknown;
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

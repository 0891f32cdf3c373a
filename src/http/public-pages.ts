import { createHash } from 'node:crypto';
import { NO_CONTENT, NOT_READY, OK } from '../contract/errors.ts';
import { MCP_SERVER } from '../contract/mcp-server.ts';
import { KEY_DIRECTORY_PATH } from '../outbound/signing.ts';
import type { Query } from './incoming-request.ts';
import { type HttpResponse, type ResponsePreferences, revalidated } from './write-response.ts';

/** A page outside `/ai/`, open to people and assistants: the entry, the health checks and the published documents. */
export type PublicPage = {
  readonly path: string;
  /** Whether pages of other sites may read it, as the conventions of some documents ask. It contains nothing of a session. */
  readonly crossOrigin?: boolean;
  readonly render: (request: {
    readonly accept: string | undefined;
    readonly query: Query;
  }) => PublicResponse;
};

/** `tag` changes with the bytes, and lets a caller cache them. */
type PublicResponse = HttpResponse & { readonly tag?: string };

const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
} as const;

const READING_METHODS = ['GET', 'HEAD'] as const;

/** A browser sends OPTIONS before another site's page may revalidate a document. */
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
  readonly query: Query;
};

/** For load balancers, which send any host or none. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz'];

/** `reason` says what the service waits for; null when it waits for nothing. */
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

type DocumentDescription = {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly crossOrigin?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly write: () => string | Uint8Array;
};

/** Written at the first request and then cached, so that the same bytes are compressed once. */
export function cachedDocument({
  path,
  contentType,
  cacheControl,
  crossOrigin = false,
  headers,
  write,
}: DocumentDescription): PublicPage {
  let cached: PublicResponse | undefined;
  return {
    path,
    crossOrigin,
    render() {
      cached ??= describe(write());
      return cached;
    },
  };

  function describe(written: string | Uint8Array): PublicResponse {
    const body = typeof written === 'string' ? Buffer.from(written) : written;
    return {
      status: OK,
      body,
      tag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
      headers: { 'content-type': contentType, 'cache-control': cacheControl, ...headers },
    };
  }
}

/** Name of the skill and of its folder, which the format requires to be the same. */
export const SKILL_NAME = 'find-stays';

export const DISCOVERY_PATHS = {
  openApi: '/openapi.json',
  reference: '/docs',
  llms: '/llms.txt',
  /** Every refusal of access links to it. */
  guide: '/for-assistants',
  serverCard: `${MCP_SERVER.path}/server-card`,
  skillIndex: '/.well-known/agent-skills/index.json',
  skill: `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`,
  security: '/.well-known/security.txt',
  keyDirectory: KEY_DIRECTORY_PATH,
} as const;

/** The whole address where the public one is known, else a path. */
export function addressAt(publicUrl: string | null, path: string): string {
  return `${publicUrl ?? ''}${path}`;
}

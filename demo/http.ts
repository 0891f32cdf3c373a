import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';

/** The small part of HTTP that the demo needs: a table of routes, and answers as data. */
export type DemoRequest = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Route = {
  readonly method: 'GET' | 'POST';
  /** `/sites/casa/stays/:reference`; a parameter is one segment. */
  readonly path: string;
  answer(request: DemoRequest): Promise<Answer>;
};

const MAX_BODY_BYTES = 64 * 1024;

export function answerByTable(routes: readonly Route[], notFound: (path: string) => Answer): RequestListener {
  const table = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return async (request, response) => {
    const answer = await answerTo(request, table, notFound).catch((error: unknown) => {
      console.error('demo: a request failed', error);
      return plain(500, 'Something went wrong here.');
    });
    response.writeHead(answer.status, {
      'x-content-type-options': 'nosniff',
      ...answer.headers,
      'content-length': Buffer.byteLength(answer.body),
    });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  };
}

type Table = readonly { readonly route: Route; readonly pattern: RegExp }[];

async function answerTo(
  request: IncomingMessage,
  table: Table,
  notFound: (path: string) => Answer,
): Promise<Answer> {
  const url = URL.parse(request.url ?? '/', 'http://demo.invalid');
  if (!url) return plain(400, 'This is not an address.');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matches = table.flatMap(({ route, pattern }) => {
    const match = pattern.exec(url.pathname);
    return match ? [{ route, parameters: { ...match.groups } }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (!match) {
    if (matches.length === 0) return notFound(url.pathname);
    const allow = [...new Set(matches.map(({ route }) => route.method))].join(', ');
    return { ...plain(405, `Only ${allow} works here.`), headers: { allow, 'content-type': 'text/plain' } };
  }
  const body = await bodyOf(request);
  if (body === undefined) return plain(413, 'The request is too large.');
  const { route, parameters } = match;
  return route.answer({ parameters, query: url.searchParams, headers: request.headers, body });
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[\\w.-]+)')}$`);
}

function plain(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

export function json(status: number, content: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(content),
  };
}

/** With an ETag: a client that already has the current document gets 304. */
export function jsonWithTag(request: DemoRequest, content: unknown): Answer {
  const answer = json(200, content);
  const etag = `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 27)}"`;
  const headers = { ...answer.headers, etag, 'cache-control': 'no-cache' };
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.includes(etag) ? { status: 304, headers, body: '' } : { ...answer, headers };
}

export function badRequest(message: string): Answer {
  return json(400, { error: 'bad_request', message });
}

import { createHash } from 'node:crypto';
import type { Answer, DemoRequest } from '../http.ts';

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

import type { FinishedRequest } from '../http/request-observer.ts';

const MAX_PATH_LENGTH = 120;

/** What a log line tells of a request. The path ends where a query could begin: tokens and keys travel there. */
export function requestLine(request: FinishedRequest) {
  const { requestId, operation, method, status, error, replayed, assistant, durationMs } = request;
  return {
    request_id: requestId,
    operation,
    method,
    path: pathOf(request.path),
    status,
    error,
    ...(replayed ? { replayed } : {}),
    assistant,
    duration_ms: Math.round(durationMs * 10) / 10,
  };
}

/** Also ends at an encoded question mark, which is what a client that encodes too much makes of a query. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#;]|%3f|%23|%3b/i, 1);
  return path.slice(0, MAX_PATH_LENGTH);
}

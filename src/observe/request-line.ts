export type RequestFacts = {
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
  /** As it was asked for; only its path is written. */
  readonly url: string;
  readonly status: number;
  readonly error: string | null;
  readonly assistant: string | null;
  readonly milliseconds: number;
};

const MAX_PATH = 120;

export type RequestLine = {
  readonly request_id: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error: string | null;
  readonly assistant: string | null;
  readonly duration_ms: number;
};

export function requestLine(facts: RequestFacts): RequestLine {
  return {
    request_id: facts.requestId,
    operation: facts.operation,
    method: facts.method,
    path: pathOf(facts.url),
    status: facts.status,
    error: facts.error,
    assistant: facts.assistant,
    duration_ms: Math.round(facts.milliseconds * 10) / 10,
  };
}

/** Also ends at an encoded question mark, which is what a client that encodes too much makes of a query. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#;]|%3f|%23|%3b/i, 1);
  return path.slice(0, MAX_PATH);
}

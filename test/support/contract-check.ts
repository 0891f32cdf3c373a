import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { InjectOptions } from 'light-my-request';
import { compileSchema, componentSchema, type Validator } from './json-schema.ts';
import { checkConsistency } from './result-invariants.ts';

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly raw: string;
};

/** The committed document. Another test checks that it is up to date. */
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
/** Compiled on first use, because most tests need only a few. */
const validators = new Map<string, Validator>();
const SUCCESS: Readonly<Record<string, string>> = {
  '/ai/v1/auth': 'SessionBody',
  '/ai/v1/result': 'ResultBody',
  '/ai/v1/schema': 'SchemaBody',
  '/ai/v1/terms': 'TermsBody',
};
/** Outside `/ai/`, where pages have formats of their own. */
const OPEN_PAGES =
  /^\/($|healthz$|readyz$|docs(\/|$)|openapi\.json$|llms\.txt$|for-assistants$|\.well-known\/|mcp\/server-card$)/;

/** Fails when an answer does not match the contract for its address and status. Returns its body. */
export function checkAgainstContract(request: Pick<InjectOptions, 'method' | 'url'>, answer: Answer) {
  const method = String(request.method ?? 'GET').toUpperCase();
  const path = pathOf(String(request.url));
  const about = `${method} ${path} → ${answer.status} ${answer.raw.slice(0, 600)}`;
  checkHeaders(answer, about);
  if (!OPEN_PAGES.test(path)) assert.equal(answer.headers['content-type'], 'application/json', about);
  if (answer.raw === '') {
    assert.ok([204, 304].includes(answer.status) || method === 'HEAD', `an empty body: ${about}`);
    return undefined;
  }
  if (OPEN_PAGES.test(path) && answer.status === 200) {
    return answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.raw) : undefined;
  }
  const body = JSON.parse(answer.raw);
  if (path === '/readyz') return body;
  assert.equal(body.status, answer.status, `the status is mirrored in the body: ${about}`);
  checkSchema(schemaFor(path, body, answer.status), body, about);
  if (body.object === 'search_result') checkConsistency(body);
  return body;
}

/** The path as the service reads it: dots resolved, percent-encoding decoded. */
function pathOf(url: string): string {
  const { pathname } = new URL(url.startsWith('/') ? `http://service${url}` : url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function schemaFor(path: string, body: { object?: unknown; error?: unknown }, status: number): string {
  if (status !== 200) return 'Problem';
  if (path !== '/ai/v1/search') return SUCCESS[path] ?? 'Problem';
  if (body.object === 'search_result') return 'ResultBody';
  return body.error === 'incomplete_payload' ? 'SearchStep' : 'SearchProblem';
}

function checkSchema(name: string, body: unknown, about: string): void {
  const validate = validators.get(name) ?? compileSchema(componentSchema(document.components.schemas, name));
  validators.set(name, validate);
  assert.deepEqual(validate(body), [], `the body is a ${name}: ${about}`);
}

function checkHeaders({ headers }: Answer, about: string): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.match(String(headers[name]), /^\d+$/, `${name}: ${about}`);
  }
  assert.equal(headers['x-api-version'], '2026-11-01', about);
  assert.match(String(headers['x-request-id']), /^req_[A-Za-z0-9_-]{8,}$/, about);
}

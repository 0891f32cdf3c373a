import { type DestinationStream, type Logger, pino } from 'pino';
import type { Clock } from '../clock.ts';

export type Log = Logger;

/** Dropped from every line, at the top level and one below. */
const SENSITIVE_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'body',
  'cookie',
  'headers',
  'idempotency_key',
  'idempotencyKey',
  'query',
  'session',
  'token',
]);

/**
 * One JSON line for each event. Three measures exclude tokens: requests and errors are written member by member from an allowlist,
 * sensitive members are dropped, and the finished line is searched for tokens inside messages.
 */
export function createLog(deps: {
  readonly level: string;
  readonly clock: Clock;
  /** The name of the node among those that share a store, in every line. */
  readonly node?: string;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}): Log {
  const destination = deps.destination ?? pino.destination(1);
  return pino(
    {
      level: deps.level,
      base: deps.node === undefined ? null : { node: deps.node },
      timestamp: () => `,"time":"${new Date(deps.clock.now()).toISOString()}"`,
      // pino's own redaction with wildcards costs as much as the rest of the line.
      formatters: { level: (level) => ({ level }), log: dropSensitiveMembers },
      serializers: { err: (error: unknown) => errorLines(error) },
    },
    { write: (line) => destination.write(redactSecrets(line)) },
  );
}

/** `depth` is 1 below the top level. */
function dropSensitiveMembers(members: object, depth?: number): Record<string, unknown> {
  const allowed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (SENSITIVE_MEMBERS.has(name)) continue;
    // In a request line it is the error code of the answer, or null.
    if (
      depth !== 1 &&
      name === 'error' &&
      typeof value !== 'string' &&
      value !== null &&
      value !== undefined
    ) {
      allowed[name] = errorLines(value);
      continue;
    }
    const hasMembers = depth !== 1 && typeof value === 'object' && value !== null;
    // Errors have their own serializer, and arrays are covered by `redactSecrets`.
    allowed[name] =
      hasMembers && !Array.isArray(value) && !(value instanceof Error)
        ? dropSensitiveMembers(value, 1)
        : value;
  }
  return allowed;
}

const MAX_CAUSE_DEPTH = 5;
/** The limit of an AggregateError. */
const MAX_ERRORS = 10;

type ErrorLines = {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorLines;
  readonly errors?: readonly ErrorLines[];
};

/** Logs only these members of an error, because HTTP clients attach whole requests to their errors. */
function errorLines(error: unknown, depth = 0): ErrorLines {
  if (!(error instanceof Error)) return { name: typeof error, message: describe(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const mayDescend = depth < MAX_CAUSE_DEPTH;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(mayDescend && error.cause !== undefined ? { cause: errorLines(error.cause, depth + 1) } : {}),
    ...(mayDescend && error instanceof AggregateError
      ? { errors: error.errors.slice(0, MAX_ERRORS).map((one) => errorLines(one, depth + 1)) }
      : {}),
  };
}

/** Omits the members of a thrown object, which may hold secrets. */
function describe(thrown: unknown): string {
  return typeof thrown === 'object' || typeof thrown === 'function' ? 'not an error' : String(thrown);
}

/** The query of a URL, where keys and tokens are sent, also percent-encoded once or several times, as clients and proxies do. */
const QUERY = /(?:\?|%(?:25){0,4}3f)[^\s"'<>\\]+/gi;
const USER_IN_ADDRESS = /:\/\/[^\s/?"'@\\]+@/g;
const ENCODED_QUESTION_MARK = /%(?:25){0,4}3f/i;
const CREDENTIALS = /\b(bearer|basic)(?:\s+|%20|\+)[\w.~+/=%-]+/gi;
/** Also matches JSON quoted in a message, with escaped quotation marks. */
const SENSITIVE_MEMBER =
  /("(?:authorization|cookie|set-cookie|idempotency[_-]?key|session|token)\\*"\s*:\s*\\*")[^"\\]*/gi;
/** Any letter may be percent-encoded, once or several times. The minimum length leaves words such as `processes_open` alone. */
const SESSION_TOKEN = new RegExp(`${[...'ses_'].map(inAnySpelling).join('')}[\\w%~.-]{16,}`, 'gi');

/**
 * Redacts secrets anywhere in a finished log line: in messages, stacks, headers, keys. Callers can cause long error
 * messages, so every pattern runs in linear time.
 */
export function redactSecrets(line: string): string {
  return line
    .replace(USER_IN_ADDRESS, withoutUser)
    .replace(QUERY, '?[redacted]')
    .replace(CREDENTIALS, '$1 [redacted]')
    .replace(SENSITIVE_MEMBER, '$1[redacted]')
    .replace(SESSION_TOKEN, 'ses_[redacted]');
}

/**
 * Runs before queries are redacted, because a password may hold an encoded question mark. If that mark begins a query, the whole query is
 * redacted.
 */
function withoutUser(user: string): string {
  return ENCODED_QUESTION_MARK.test(user) ? '://[redacted]?' : '://[redacted]@';
}

function inAnySpelling(letter: string): string {
  const codes = [letter.toLowerCase(), letter.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
  return `(?:${letter}|%(?:25){0,4}(?:${codes.join('|')}))`;
}

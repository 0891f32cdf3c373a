import { type DestinationStream, type Logger, pino } from 'pino';
import type { Clock } from '../clock.ts';
import { errorLines } from './error-lines.ts';
import { withoutSecrets } from './without-secrets.ts';

export type Log = Logger;

/** Members that are left out of every line, at the top and one level down. */
const NEVER_WRITTEN: ReadonlySet<string> = new Set([
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
 * One JSON line for each event. Tokens are kept out three times over: requests and errors are written by what they may
 * show, telling members are dropped, and the finished line is searched for what slipped through in a message.
 */
export function createLog(deps: {
  readonly level: string;
  readonly clock: Clock;
  /** Standard output when left out. */
  readonly destination?: DestinationStream;
}): Log {
  const destination = deps.destination ?? pino.destination(1);
  return pino(
    {
      level: deps.level,
      base: null,
      timestamp: () => `,"time":"${new Date(deps.clock.now()).toISOString()}"`,
      // By hand, because pino's own redaction by wildcard costs as much as the rest of the line.
      formatters: { level: (level) => ({ level }), log: (members) => withoutTelling(members) },
      serializers: {
        err: (error: unknown) => errorLines(error),
        error: (error: unknown) => (isPlain(error) ? error : errorLines(error)),
      },
    },
    { write: (line) => destination.write(withoutSecrets(line)) },
  );
}

function withoutTelling(members: object, depth = 0): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (NEVER_WRITTEN.has(name)) continue;
    const isInside = depth === 0 && typeof value === 'object' && value !== null;
    // Errors and lists have ways of their own to be written.
    kept[name] =
      isInside && !Array.isArray(value) && !(value instanceof Error) ? withoutTelling(value, 1) : value;
  }
  return kept;
}

/** In a request line `error` is the code that was answered. */
function isPlain(error: unknown): boolean {
  return typeof error === 'string' || error === null;
}

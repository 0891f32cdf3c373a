const MAX_CAUSE_DEPTH = 5;

type ErrorLines = {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorLines;
  readonly errors?: readonly ErrorLines[];
};

/**
 * An error as a log line tells it: only the members named here. Clients hang whole requests, with headers and bodies,
 * onto the errors they throw.
 */
export function errorLines(error: unknown, depth = 0): ErrorLines {
  if (!(error instanceof Error)) return { name: typeof error, message: describe(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const goOn = depth < MAX_CAUSE_DEPTH;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(goOn && error.cause !== undefined ? { cause: errorLines(error.cause, depth + 1) } : {}),
    ...(goOn && error instanceof AggregateError
      ? { errors: error.errors.slice(0, 10).map((one) => errorLines(one, depth + 1)) }
      : {}),
  };
}

/** Whatever else was thrown: its text, but never the members of an object. */
function describe(thrown: unknown): string {
  return typeof thrown === 'object' || typeof thrown === 'function' ? 'not an error' : String(thrown);
}

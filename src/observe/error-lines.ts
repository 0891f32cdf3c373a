const MAX_CAUSE_DEPTH = 5;
/** Of an AggregateError. */
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
export function errorLines(error: unknown, depth = 0): ErrorLines {
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

/** Never the members of a thrown object, which may hold secrets. */
function describe(thrown: unknown): string {
  return typeof thrown === 'object' || typeof thrown === 'function' ? 'not an error' : String(thrown);
}

export type RequestKind = 'token' | 'catalogue' | 'calendar' | 'quote' | 'other';

export type EmulatedRequest = {
  readonly method: string;
  /** The whole path of the request, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Where this emulator is reached, as `127.0.0.1:port`: the host of the homes' pictures and pages too. */
  readonly host: string;
};

export type EmulatedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): EmulatedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** Undefined for a body that is not a JSON object. */
export function jsonObjectOf(request: EmulatedRequest): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(request.body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export function bearerOf(request: EmulatedRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

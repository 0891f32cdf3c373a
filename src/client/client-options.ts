export type ClientOptions = {
  /** Where the service is, such as `https://stays.example.com`. */
  readonly baseUrl: string | URL;
  /** The brand that sessions are opened for; left out, every brand is searched. */
  readonly source?: string | undefined;
  /** `compact` leaves out pictures beside the first and long lists of addresses. */
  readonly view?: 'full' | 'compact' | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** How long each attempt may take; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated when the service is busy or cannot be reached; twice by default. */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After` that the client waits for; a minute by default. A longer one is returned as a problem. */
  readonly maxWaitMs?: number | undefined;
  readonly fetch?: SendHttp | undefined;
};

export type RequestOptions = {
  /** Ends the call, also while it waits before a repeat; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Made for each call by default. The service carries out requests with the same key once. */
  readonly idempotencyKey?: string | undefined;
  /** Called before a request is repeated. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
};

export type OpenOptions = RequestOptions & {
  /** Another brand than that of the client; null for every brand. */
  readonly source?: string | null | undefined;
};

/** A request as the client makes it: an address and plain options, which every runtime's `fetch` takes. */
export type SendHttp = (url: string, init: RequestInit) => Promise<Response>;

/** What the client needs from the runtime; a parameter, so that tests need neither a clock nor a network. */
export type ClientPlatform = {
  readonly fetch: SendHttp;
  /** Calls `action` once after the delay. The returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
  newKey(): string;
};

export const webPlatform: ClientPlatform = {
  // Wrapped, because some runtimes refuse `fetch` as a method of another object.
  fetch: (url, init) => fetch(url, init),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
};

/** Passed to `onRetry` before a request is repeated. */
export type RetryNotice = {
  /** From 1 on. */
  readonly retry: number;
  readonly delayMs: number;
  /** Error code of the service or of the client. */
  readonly because: string;
};

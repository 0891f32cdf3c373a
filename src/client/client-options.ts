export type ClientOptions = {
  /** The address of the service, such as `https://stays.example.com`. */
  readonly baseUrl: string | URL;
  /** The brand to open sessions for. Default: every brand. */
  readonly source?: string | undefined;
  /** `compact` leaves out all pictures but the first, and long lists of addresses. */
  readonly view?: 'full' | 'compact' | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** How long each attempt may take; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** How often to repeat a request when the service is busy or unreachable; twice by default. */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After` that the client waits for; a minute by default. A longer one is returned as a problem. */
  readonly maxWaitMs?: number | undefined;
  readonly fetch?: SendHttp | undefined;
};

export type RequestOptions = {
  /** Ends the call, even while it waits before a repeat; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** By default a new key for each call. The service executes requests with the same key once. */
  readonly idempotencyKey?: string | undefined;
  /** Called before a request is repeated. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
};

export type OpenOptions = RequestOptions & {
  /** A brand to use in place of the client's; null for every brand. */
  readonly source?: string | null | undefined;
};

/** The address and the plain options of a request, which every runtime's `fetch` takes. */
export type SendHttp = (url: string, init: RequestInit) => Promise<Response>;

/** The functions of the runtime; a parameter, so that tests need neither a clock nor a network. */
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

/** A request as the client makes it: an address and plain options, which every runtime's `fetch` takes. */
export type SendHttp = (url: string, init: RequestInit) => Promise<Response>;

/** What the client needs of the runtime, handed in so that tests need neither a clock nor a network. */
export type ClientPlatform = {
  readonly fetch: SendHttp;
  /** Calls `action` once after the delay. The returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
  newKey(): string;
};

export const webPlatform: ClientPlatform = {
  // Not the function itself: some runtimes refuse it as a method of another object.
  fetch: (url, init) => fetch(url, init),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
};

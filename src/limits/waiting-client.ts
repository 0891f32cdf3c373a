/** Whether somebody still waits for the answer to a request. */
export type WaitingClient = {
  hasGone(): boolean;
  /**
   * Aborts with `ClientGone`; undefined for a client that cannot go. Only work that waits asks for it, because making a
   * signal costs more than many requests do.
   */
  departure(): AbortSignal | undefined;
  /** Told how far a search has come. Left out where nobody listens. */
  readonly hear?: (progress: QuoteProgress) => void;
};

/** How many brands were asked for prices so far, and how many of them have answered or failed. */
export type QuoteProgress = { readonly asked: number; readonly answered: number };

/** Nobody waits for the answer any more. The work is dropped where it stands; this is no fault. */
export class ClientGone extends Error {
  constructor() {
    super('the client has gone');
    this.name = 'ClientGone';
  }
}

/** For transports that cannot lose their client. */
export const CLIENT_STAYS: WaitingClient = { hasGone: () => false, departure: () => undefined };

export function stopIfGone(client: WaitingClient): void {
  if (client.hasGone()) throw new ClientGone();
}

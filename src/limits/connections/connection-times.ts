/** From the first byte, or from the connection, to the end of the headers. */
const MAX_HEADERS_MS = 10_000;
/** From the first byte to the end of the body. */
const MAX_REQUEST_MS = 20_000;
/** How long an open connection may wait for its next request. Longer than the usual minute of load balancers, so that they close first. */
const MAX_IDLE_MS = 72_000;
/** How long a connection on which an answer is due may be silent, beyond the time that the answer itself may take. */
const MAX_UNREAD_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

/** Options of the server that end requests which never do, and answers that nobody reads. */
export function connectionTimes(maxAnswerMs: number) {
  return {
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    connectionTimeout: maxAnswerMs + MAX_UNREAD_MS,
    http: {
      headersTimeout: MAX_HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Without a Host we refuse in the shape of the contract; Node would close without a word.
      requireHostHeader: false,
      // Requests without a body come with one that has ended: otherwise Node waits for the end of each after its answer.
      optimizeEmptyRequests: true,
    },
  } as const;
}

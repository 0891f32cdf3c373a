/** About one second of requests of one kind. */
export type Slice = {
  readonly origin: string;
  /** Further servers of the same sessions, which connections are spread over in turn. Plain sockets alone can do that. */
  readonly otherOrigins?: readonly string[];
  readonly kind: RequestKind;
  readonly connections: number;
  readonly seconds: number;
  /** Session tokens to use in turn, one on each line. */
  readonly tokensFile: string;
  /** Different for every slice, so that no idempotency key is repeated. */
  readonly ordinal: number;
  /** Where the load runs; on the second core unless it is said. */
  readonly cores?: readonly number[];
};

/** Supply a value, read the step, or read the result. */
export type RequestKind = 'step' | 'read' | 'result';

/** What the service counts the answers as. */
export const EXPECTED_OUTCOMES: Readonly<Record<RequestKind, string>> = {
  step: 'search incomplete_payload',
  read: 'search incomplete_payload',
  result: 'readResult 200',
};

export type SliceOutcome = {
  readonly requests: number;
  readonly seconds: number;
  /** Connection errors, timeouts and every status but 200. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the load itself. */
  readonly loadMicroseconds: number;
};

/** Runs as a separate process, so that it can be pinned to its own core. */
export type LoadGenerator = {
  readonly name: string;
  run(slice: Slice): Promise<SliceOutcome>;
};

/** The values that steps supply in turn. None completes a search, so each is answered with a step. */
export const STEP_BODIES: readonly string[] = [
  '{"destination":"lisbon-pt"}',
  '{"guests":"2"}',
  '{"destination":"spain"}',
  '{"guests":"4"}',
  '{"destination":"rome-it"}',
  '{"guests":"1"}',
  '{"destination":"portugal"}',
  '{"guests":"3"}',
];

/** One second (or so) of requests of one kind, from as many connections at once. */
export type Slice = {
  readonly origin: string;
  readonly kind: RequestKind;
  readonly connections: number;
  readonly seconds: number;
  /** Sessions to call in turn, one token a line. */
  readonly tokensFile: string;
  /** Different for every slice, so that no idempotency key and no run of values comes twice. */
  readonly ordinal: number;
};

/** A step that supplies a value, a step that is only read, a result that is read again. */
export type RequestKind = 'step' | 'read' | 'result';

export type SliceOutcome = {
  readonly requests: number;
  readonly seconds: number;
  /** Broken connections, timeouts and every status but 200. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** How a slice is put under load: a program of its own, so that it can be pinned to a core of its own. */
export type LoadGenerator = {
  readonly name: string;
  run(slice: Slice): Promise<SliceOutcome>;
};

/** The values that steps supply in turn. Neither completes a search, so each is answered with a step. */
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

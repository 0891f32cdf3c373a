import type { ErrorCode } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';

/** For metrics and the log. */
export type FinishedRequest = {
  readonly requestId: string;
  readonly operation: OperationName | 'entry' | 'other';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error: ErrorCode | null;
  readonly assistant: string | null;
  readonly milliseconds: number;
};

export type RequestObserver = {
  finished(request: FinishedRequest): void;
  /** A fault of ours, or of something that we depend on. */
  fault(fault: unknown, requestId: string): void;
};

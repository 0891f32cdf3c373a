import type { Answer, OperationRequest } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';

/** For metrics and the log, whichever door the request came through. */
export type OperationObserver = {
  served(operation: OperationName, answer: Answer): void;
  /** A fault of ours, or of something that we depend on. */
  fault(request: OperationRequest, fault: unknown): void;
};

import type { Answer, OperationRequest } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';

/** For metrics and the log, the same for every transport. */
export type OperationObserver = {
  served(operation: OperationName, answer: Answer): void;
  /** The client went before its request was carried out. */
  abandoned(operation: OperationName): void;
  /** An unexpected error in the service or in something that it depends on. */
  fault(request: OperationRequest, fault: unknown): void;
};

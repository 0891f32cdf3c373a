import type { AccessDecision } from '../access/caller-facts.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Answer, OperationRequest } from '../contract/exchange.ts';
import type { OperationName } from '../contract/operations.ts';

/** For metrics, the log and the audit log. A request that its client abandoned has status 499. */
export type FinishedRequest = {
  readonly requestId: string;
  readonly operation: OperationName | 'entry' | 'mcp' | 'other';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly error: ErrorCode | 'abandoned' | null;
  readonly replayed: boolean;
  readonly assistant: string | null;
  /** Null for pages that need no access, and for a request that was abandoned before the decision. */
  readonly access: AccessDecision | null;
  /** Called through a transport for models. */
  readonly tools: readonly string[];
  readonly durationMs: number;
};

export type RequestObserver = {
  finished(request: FinishedRequest): void;
  /** An unexpected error outside the operations, which report their own. */
  fault(fault: unknown, requestId: string): void;
};

/** For metrics and the log, the same for every transport. */
export type OperationObserver = {
  served(operation: OperationName, answer: Answer): void;
  /** The client left before its request was carried out. */
  abandoned(operation: OperationName): void;
  /** An unexpected error in the service or in a dependency. */
  fault(request: OperationRequest, fault: unknown): void;
};

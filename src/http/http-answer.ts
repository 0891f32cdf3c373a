import type { ErrorCode } from '../contract/errors.ts';

/** What a handler decides; the app adds the headers that every answer has. */
export type HttpAnswer = {
  readonly status: number;
  readonly body: string | Uint8Array;
  /** For metrics and the log; null when the request did what it was for. */
  readonly error: ErrorCode | null;
  readonly headers?: Readonly<Record<string, string>>;
};

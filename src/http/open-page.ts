import type { HttpAnswer } from './http-answer.ts';

/** A page that anybody may read: the entry and the health checks. */
export type OpenPage = {
  readonly path: string;
  readonly answer: (request: { readonly accept: string | undefined; readonly query: unknown }) => HttpAnswer;
};

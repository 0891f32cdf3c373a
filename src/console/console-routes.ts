import type { ConsolePage } from './layout.ts';
import type { OwnerSession } from './owner-sessions.ts';

/** What a route learns of a request. */
export type ConsoleRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly form: URLSearchParams;
  readonly session: OwnerSession;
  /** Sent by a page that updates itself. */
  readonly isLive: boolean;
};

/** What a route answers with; `html` is a whole page. */
export type ConsoleAnswer =
  | { readonly kind: 'html'; readonly status?: number; readonly html: string }
  | { readonly kind: 'see'; readonly location: string }
  | {
      readonly kind: 'file';
      readonly type: string;
      readonly name?: string;
      readonly content: string | Buffer;
    };

/** Only for the owner: the session, and the token of a form, are checked before `serve` is called. */
export type ConsoleRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  serve(request: ConsoleRequest): Promise<ConsoleAnswer> | ConsoleAnswer;
};

/** How routes answer with a page of the console. */
export type Pages = {
  readonly show: (page: ConsolePage, request: ConsoleRequest, status?: number) => ConsoleAnswer;
  readonly notFound: (request: ConsoleRequest) => ConsoleAnswer;
};

import type { PublishedKind } from './published-document.ts';

/**
 * The way to a published document: one request, answered within a deadline of its own, whatever the server does. Never follows a redirect,
 * and never goes where the owner's own machines are unless the owner says so.
 */
export type FetchDocument = (url: string, options: FetchOptions) => Promise<FetchedDocument>;

export type FetchOptions = {
  readonly kind: PublishedKind;
  /** Of the copy that is held, so that an unchanged document need not be sent again. */
  readonly etag: string | null;
  readonly signal: AbortSignal;
};

export type FetchedDocument =
  | { readonly kind: 'document'; readonly bytes: Uint8Array; readonly etag: string | null }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      /** One of a few words, by which failures are counted. */
      readonly failure: string;
      /** For people. */
      readonly detail: string;
      /** How long the server asks to be left alone. */
      readonly retryAfterMs: number | null;
    };

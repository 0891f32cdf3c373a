import { createHash } from 'node:crypto';
import { OK } from '../../contract/errors.ts';
import type { PublicPage, PublicResponse } from '../public-pages.ts';

type DocumentDescription = {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly crossOrigin?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly write: () => string | Uint8Array;
};

/** Written when it is first asked for, and then kept: the same bytes are compressed once. */
export function keptDocument({
  path,
  contentType,
  cacheControl,
  crossOrigin = false,
  headers,
  write,
}: DocumentDescription): PublicPage {
  let kept: PublicResponse | undefined;
  return {
    path,
    crossOrigin,
    render() {
      kept ??= describe(write());
      return kept;
    },
  };

  function describe(written: string | Uint8Array): PublicResponse {
    const body = typeof written === 'string' ? Buffer.from(written) : written;
    return {
      status: OK,
      body,
      tag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
      headers: { 'content-type': contentType, 'cache-control': cacheControl, ...headers },
    };
  }
}

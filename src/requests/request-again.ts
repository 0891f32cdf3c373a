import type { OperationRequest } from '../contract/exchange.ts';
import type { Links } from '../search/answers/links.ts';
import { nextRequestAt } from '../search/answers/next-request.ts';
import type { SessionLookup } from './find-session.ts';

/** The same operation for the same session, without what the request wanted to change. */
export function requestAgain(
  request: OperationRequest,
  /** Undefined where the session could not be looked up: then it is taken to be the one that was named. */
  lookup: SessionLookup | undefined,
  { links, sources }: { readonly links: Links; readonly sources: readonly string[] },
) {
  const token = lookup === undefined ? (request.token ?? null) : lookup.kind === 'live' ? lookup.token : null;
  return nextRequestAt(
    request.operation,
    { token, source: namedSource(request, lookup, sources), form: request },
    links,
  );
}

/** Following an address that keeps the source does not widen the search to other brands. */
function namedSource(
  { operation, values }: OperationRequest,
  lookup: SessionLookup | undefined,
  sources: readonly string[],
): string | null {
  if (operation !== 'openSession') return lookup?.kind === 'expired' ? lookup.session.source : null;
  const named = values.kind === 'valid' ? values.value.get('source') : undefined;
  if (typeof named !== 'string') return null;
  return sources.find((source) => source === named.toLowerCase()) ?? null;
}

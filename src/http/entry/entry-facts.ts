import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { fieldOrder, type SessionKind } from '../../contract/payload-fields.ts';
import { PATHS } from '../../contract/vocabulary.ts';
import type { ExampleStay } from '../../contract/whole-stay.ts';
import { type WholeStay, wholeStayExample, wholeStayTemplate } from '../../contract/whole-stay.ts';
import { addressAt } from '../public-pages.ts';

export type EntrySource = {
  readonly source: string;
  readonly name: string;
  /** Searches of this brand have no destination step. */
  readonly single_location: boolean;
};

/** The only place of a brand. */
export type EntryLocation = { readonly destination: string; readonly name: string };

/** The brand of `/?source=brand`. An unknown name is not stored, so that no page can echo it. */
export type RequestedBrand =
  | { readonly kind: 'any_brand' }
  | { readonly kind: 'brand'; readonly brand: EntrySource; readonly location: EntryLocation | null }
  | { readonly kind: 'unknown_brand' };

export type EntryFacts = {
  readonly network: string;
  readonly sources: readonly EntrySource[];
  /** Hosts of the brands' pictures, for clients that show them. */
  readonly pictureHosts: readonly string[];
  readonly requestedBrand: RequestedBrand;
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  readonly version: string;
  readonly exampleStay: ExampleStay;
};

/** `requested` is the raw query parameter: a string, an array or undefined. */
export function requestedBrand(
  requested: unknown,
  sources: readonly EntrySource[],
  /** By source. */
  locations: ReadonlyMap<string, EntryLocation>,
): RequestedBrand {
  if (requested === undefined || requested === '') return { kind: 'any_brand' };
  // Ignores case, as auth does.
  const named = typeof requested === 'string' ? requested.toLowerCase() : undefined;
  const brand = sources.find(({ source }) => source === named);
  return brand
    ? { kind: 'brand', brand, location: locations.get(brand.source) ?? null }
    : { kind: 'unknown_brand' };
}

export const DESCRIPTION =
  'Short-term rentals with live, final prices from the operators’ own booking systems, for approved AI assistants.';
export const HOW_TO_CONTINUE =
  'Each answer names the next field, the values on offer and complete addresses to follow. Choose the value that fits the traveller’s words, from available_requests or allowed_values, and ask the traveller where they leave it open: next_request is only the first value on offer. Go on until the result comes: one comparison set, lowest total first.';
export const WHOLE_STAY =
  'The whole stay can also be given in one request: put the session and the values into this address and open it.';
export const WHERE_TO_BOOK =
  'Booking happens on the operators’ websites. Give the traveller the url of an option, never an address under /ai/.';
export const SOURCE_HINT =
  'A traveller who came from one brand starts with its source: in the body as source, or in the address as ?source=.';
export const BRAND_LOCKED =
  'brand_locked true searches this brand alone, false every brand on the network. Send true when the traveller came for it, false when they want to compare, and ask where that is open.';
export const ONE_PLACE = 'Its searches are in one place only, so they have no destination.';
export const UNKNOWN_BRAND =
  'No brand on this network has that source name. The call shown here searches every brand; for one brand, use a source from the list.';

export const BY_MCP =
  'Assistants that speak MCP connect to this address instead (streamable HTTP, no key): one call of search_stays takes the whole trip.';

export function mcpAddress({ publicUrl }: EntryFacts): string {
  return addressAt(publicUrl, MCP_SERVER.path);
}

export type StartCall = {
  readonly method: 'POST';
  readonly url: string;
  readonly body: { readonly source?: string };
};

export function startCall({ requestedBrand: reason, publicUrl }: EntryFacts): StartCall {
  return {
    method: 'POST',
    url: `${publicUrl ?? ''}${PATHS.auth}`,
    body: reason.kind === 'brand' ? { source: reason.brand.source } : {},
  };
}

/** For assistants that can only open addresses with GET. */
export type StartByGet = { readonly method: 'GET'; readonly url: string };

export function startByGet(facts: EntryFacts): StartByGet {
  const { url, body } = startCall(facts);
  const query = body.source === undefined ? '' : `?source=${encodeURIComponent(body.source)}`;
  return { method: 'GET', url: `${url}${query}` };
}

export type WholeStayExample = { readonly url_template: string; readonly example: string };

/** Compact, because the answer is a whole comparison set. */
export function wholeStay({ requestedBrand: reason, publicUrl, exampleStay }: EntryFacts): WholeStayExample {
  const kinds: readonly SessionKind[] =
    reason.kind !== 'brand' ? ['direct'] : reason.brand.single_location ? ['single_location'] : [];
  const stay: WholeStay = {
    searchUrl: `${publicUrl ?? ''}${PATHS.search}`,
    session: '{session}',
    order: fieldOrder(kinds),
    view: 'compact',
  };
  return { url_template: wholeStayTemplate(stay), example: wholeStayExample(stay, exampleStay) };
}

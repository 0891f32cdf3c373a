import type { ResultBody } from '../../contract/result-body.ts';
import type { StayComparison } from '../../contract/tools/stay-answer.ts';
import {
  COMPARISON_META_KEY,
  type ComparisonPayload,
  type ComparisonView,
  VIEW_META_KEY,
} from './content/card-content.ts';

export { COMPARISON_CARD_HTML } from './comparison-card.generated.ts';

export const COMPARISON_CARD_URI = 'ui://staywire/comparison.html';
export const COMPARISON_CARD_MIME_TYPE = 'text/html;profile=mcp-app';

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;
/** A host name, or the loopback address, with its port: nothing that could end a directive of a policy. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[::1\])(?::\d+)?$/;

/**
 * `_meta` of the resource: `ui` as MCP Apps defines it, and the same under ChatGPT's names, without which it shows no pictures.
 * Pictures come from the hosts registered for the brands, as `host` or `host:port`; the card reaches nothing else. The border
 * separates the operators' words from the assistant's.
 */
export function comparisonCardMeta(imageHosts: readonly string[], publicUrl: string | null) {
  const origins = imageHosts.filter((host) => HOST.test(host)).flatMap(originsOf);
  const resourceDomains = [...new Set(origins)].sort();
  return {
    ui: { csp: { resourceDomains }, permissions: {}, prefersBorder: true },
    'openai/widgetCSP': { resource_domains: resourceDomains, connect_domains: [] },
    'openai/widgetPrefersBorder': true,
    // Each host has its own form of `ui.domain`, and Claude refuses a card with a foreign one.
    ...(publicUrl?.startsWith('https:') ? { 'openai/widgetDomain': new URL(publicUrl).origin } : {}),
  };
}

/** Hosts are reached over https, and on this machine over http too. */
function originsOf(host: string): string[] {
  return THIS_MACHINE.test(host) ? [`http://${host}`, `https://${host}`] : [`https://${host}`];
}

/** The name of a place for people; undefined if it is unknown. */
export type PlaceName = (place: string) => string | undefined;

/** `_meta` of a result, for the card alone: hosts keep it from the model. */
export function cardData(
  result: ResultBody,
  { view, options, destination }: StayComparison,
  placeName: PlaceName,
): Record<string, unknown> {
  const {
    session: _session,
    session_expires_at: _end,
    available_requests: _requests,
    self_url: _self,
    terms_url: _terms,
    ...comparison
  } = result;
  const byId = new Map(comparison.results.map((option) => [option.property_id, option]));
  const shown: ComparisonPayload = {
    ...comparison,
    // In the order of the view, with one picture for each home.
    results: options
      .flatMap(({ property_id }) => byId.get(property_id) ?? [])
      .map((option) => ({ ...option, images: { ...option.images, gallery: [] } })),
  };
  const name = placeName(destination);
  const chosen: ComparisonView = { ...view, ...(name === undefined ? {} : { place_name: name }) };
  return { [COMPARISON_META_KEY]: shown, [VIEW_META_KEY]: chosen };
}

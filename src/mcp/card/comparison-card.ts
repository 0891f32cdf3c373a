export { COMPARISON_CARD_HTML } from './comparison-card.generated.ts';

export const COMPARISON_CARD_URI = 'ui://staywire/comparison.html';
export const COMPARISON_CARD_MIME_TYPE = 'text/html;profile=mcp-app';

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;
/** A name, or a number on this machine, with its port: nothing that could end a directive of a policy. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[::1\])(?::\d+)?$/;

/**
 * `_meta` of the resource: `ui` as MCP Apps defines it, and the same in the names of ChatGPT, which shows no picture without them.
 * Pictures come from the hosts that are registered for the brands, as `host` or `host:port`; the card reaches nothing else. The
 * border sets what operators say apart from what the assistant says.
 */
export function comparisonCardMeta(imageHosts: readonly string[], publicUrl: string | null) {
  const origins = imageHosts.filter((host) => HOST.test(host)).flatMap(originsOf);
  const resourceDomains = [...new Set(origins)].sort();
  return {
    ui: { csp: { resourceDomains }, permissions: {}, prefersBorder: true },
    'openai/widgetCSP': { resource_domains: resourceDomains, connect_domains: [] },
    'openai/widgetPrefersBorder': true,
    // `ui.domain` has another form in each host, and Claude refuses a card with that of another.
    ...(publicUrl?.startsWith('https:') ? { 'openai/widgetDomain': new URL(publicUrl).origin } : {}),
  };
}

/** Operators are reached over https, and on this machine over http too. */
function originsOf(host: string): string[] {
  return THIS_MACHINE.test(host) ? [`http://${host}`, `https://${host}`] : [`https://${host}`];
}

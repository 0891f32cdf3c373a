export { COMPARISON_CARD_HTML } from './comparison-card.generated.ts';

export const COMPARISON_CARD_URI = 'ui://staywire/comparison.html';
export const COMPARISON_CARD_MIME_TYPE = 'text/html;profile=mcp-app';

/** `_meta.ui` of the resource, as MCP Apps defines it. */
export type ComparisonCardMeta = {
  readonly csp: { readonly resourceDomains: readonly string[] };
  readonly permissions: Readonly<Record<string, never>>;
  readonly prefersBorder: boolean;
};

const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;
/** A name, or a number on this machine, with its port: nothing that could end a directive of a policy. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[::1\])(?::\d+)?$/;

/**
 * Pictures come from the hosts that are registered for the brands, as `host` or `host:port`; the card reaches nothing else. The
 * border sets what operators say apart from what the assistant says.
 */
export function comparisonCardMeta(imageHosts: readonly string[]): ComparisonCardMeta {
  const origins = imageHosts.filter((host) => HOST.test(host)).flatMap(originsOf);
  return { csp: { resourceDomains: [...new Set(origins)].sort() }, permissions: {}, prefersBorder: true };
}

/** Operators are reached over https, and on this machine over http too. */
function originsOf(host: string): string[] {
  return THIS_MACHINE.test(host) ? [`http://${host}`, `https://${host}`] : [`https://${host}`];
}

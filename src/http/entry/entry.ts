import { API_CATALOG_LINK } from '../discovery/api-catalog.ts';
import { DISCOVERY_PATHS } from '../discovery/discovery-paths.ts';
import type { EntryFormat } from './accepted-format.ts';
import type { EntryFacts } from './entry-facts.ts';
import { ENTRY_PAGE_POLICY, entryPage } from './entry-html.ts';
import { entryJson } from './entry-json.ts';
import { entryMarkdown } from './entry-markdown.ts';

/** Says to whoever asks for the entry, in whatever format, where the interface is described. */
const DISCOVERY_LINKS = [
  API_CATALOG_LINK,
  `<${DISCOVERY_PATHS.openApi}>; rel="service-desc"; type="application/json"`,
  `<${DISCOVERY_PATHS.reference}>; rel="service-doc"; type="text/html"`,
].join(', ');

export type RenderedEntry = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export function renderEntry(format: EntryFormat, facts: EntryFacts): RenderedEntry {
  const headers = { vary: 'Accept, Accept-Encoding', link: DISCOVERY_LINKS };
  switch (format) {
    case 'json':
      return { body: entryJson(facts), headers: { ...headers, 'content-type': 'application/json' } };
    case 'markdown':
      return {
        body: entryMarkdown(facts),
        headers: { ...headers, 'content-type': 'text/markdown; charset=utf-8' },
      };
    case 'html':
      return {
        body: entryPage(facts),
        headers: {
          ...headers,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': ENTRY_PAGE_POLICY,
        },
      };
  }
}

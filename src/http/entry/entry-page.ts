import type { Network } from '../../catalogue/catalogue.ts';
import { OK } from '../../contract/errors.ts';
import { ACCESS, API_VERSION, PATHS } from '../../contract/vocabulary.ts';
import type { ExampleStay } from '../../contract/whole-stay.ts';
import { chooseFormat, type EntryFormat } from '../content-negotiation.ts';
import { API_CATALOG_LINK } from '../discovery/well-known.ts';
import { addressAt, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import {
  BRAND_LOCKED,
  BY_MCP,
  DESCRIPTION,
  type EntryFacts,
  type EntrySource,
  HOW_TO_CONTINUE,
  mcpAddress,
  ONE_PLACE,
  requestedBrand,
  SOURCE_HINT,
  startByGet,
  startCall,
  UNKNOWN_BRAND,
  WHERE_TO_BOOK,
  WHOLE_STAY,
  wholeStay,
} from './entry-facts.ts';
import { ENTRY_PAGE_POLICY, entryMarkdown, entryPage } from './entry-formats.ts';

/** The page at `/`, which shows assistants and people how to start. */
export function createEntryPage({
  network,
  brands,
  places,
  publicUrl,
  exampleStay,
}: {
  readonly network: string;
  readonly brands: Network['brands'];
  readonly places: Network['places'];
  readonly publicUrl: string | null;
  readonly exampleStay: () => ExampleStay;
}): PublicPage {
  const all = [...brands.values()];
  const sources: readonly EntrySource[] = all.map(({ id, name, singleLocation }) => ({
    source: id,
    name,
    single_location: singleLocation !== null,
  }));
  const locations = new Map(
    all.flatMap(({ id, singleLocation }) => {
      const place = singleLocation === null ? undefined : places.get(singleLocation);
      return place ? [[id, { destination: place.id, name: place.name }] as const] : [];
    }),
  );
  const pictureHosts = [...new Set(all.flatMap(({ website }) => website.hosts))].sort();
  return {
    path: '/',
    render({ accept, query }) {
      const requested = query.repeated.get('source') ?? query.once.get('source');
      const facts = {
        network,
        sources,
        pictureHosts,
        requestedBrand: requestedBrand(requested, sources, locations),
        publicUrl,
        version: API_VERSION,
        exampleStay: exampleStay(),
      };
      return { status: OK, ...renderEntry(chooseFormat(accept), facts) };
    },
  };
}

/** Sent with the entry in every format: where the interface is described. */
const DISCOVERY_LINKS = [
  API_CATALOG_LINK,
  `<${DISCOVERY_PATHS.openApi}>; rel="service-desc"; type="application/json"`,
  `<${DISCOVERY_PATHS.reference}>; rel="service-doc"; type="text/html"`,
].join(', ');

type RenderedEntry = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

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

function entryJson(facts: EntryFacts): string {
  const { network, sources, requestedBrand, publicUrl, version } = facts;
  const at = (path: string) => addressAt(publicUrl, path);
  return JSON.stringify({
    api_version: version,
    name: network,
    description: DESCRIPTION,
    ...(requestedBrand.kind === 'unknown_brand' ? { error: 'unknown_source', message: UNKNOWN_BRAND } : {}),
    source: requestedBrand.kind === 'brand' ? requestedBrand.brand.source : null,
    ...(requestedBrand.kind === 'brand' ? { brand_locked: BRAND_LOCKED } : {}),
    ...(requestedBrand.kind === 'brand' && requestedBrand.location
      ? { location: { ...requestedBrand.location, rule: ONE_PLACE } }
      : {}),
    start: startCall(facts),
    start_by_get: startByGet(facts),
    whole_stay: { rule: WHOLE_STAY, ...wholeStay(facts) },
    mcp: { rule: BY_MCP, url: mcpAddress(facts), transport: 'streamable-http' },
    next: HOW_TO_CONTINUE,
    booking: WHERE_TO_BOOK,
    sources,
    source_hint: SOURCE_HINT,
    picture_hosts: facts.pictureHosts,
    schema_url: at(PATHS.schema),
    terms_url: at(PATHS.terms),
    openapi_url: at(DISCOVERY_PATHS.openApi),
    docs_url: at(DISCOVERY_PATHS.reference),
    llms_url: at(DISCOVERY_PATHS.llms),
    help_url: at(DISCOVERY_PATHS.skill),
    access_url: at(DISCOVERY_PATHS.guide),
    skill_url: at(DISCOVERY_PATHS.skill),
    access: ACCESS,
  });
}

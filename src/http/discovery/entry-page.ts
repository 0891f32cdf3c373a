import type { Network } from '../../catalogue/catalogue.ts';
import { OK } from '../../contract/errors.ts';
import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { fieldOrder } from '../../contract/payload-fields.ts';
import { ACCESS, API_VERSION, PATHS } from '../../contract/vocabulary.ts';
import { type ExampleStay, wholeStayExample, wholeStayTemplate } from '../../contract/whole-stay.ts';
import type { Query } from '../incoming-request.ts';
import { addressAt, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { chooseFormat } from '../write-response.ts';
import {
  type Block,
  blocksAsHtml,
  blocksAsMarkdown,
  PAGE_POLICY,
  plainMarkdown,
  styledPage,
} from './pages.ts';

export const DESCRIPTION =
  'Short-term rentals with live, final prices from the operators’ own booking systems, for approved AI assistants.';
export const HOW_TO_CONTINUE =
  'Each answer names the next field, the values on offer and complete addresses to follow. Choose the value that fits the traveller’s words, from available_requests or allowed_values, and ask the traveller where they leave it open: next_request is only the first value on offer. Go on until the result comes: one comparison set, lowest total first.';
const WHOLE_STAY =
  'The whole stay can also be given in one request: put the session and the values into this address and open it.';
export const WHERE_TO_BOOK =
  'Booking happens on the operators’ websites. Give the traveller the url of an option, never an address under /ai/.';
const SOURCE_HINT =
  'A traveller who came from one brand starts with its source: in the body as source, or in the address as ?source=.';
const BRAND_LOCKED =
  'brand_locked true searches this brand alone, false every brand on the network. Send true when the traveller came for it, false when they want to compare, and ask where that is open.';
const ONE_PLACE = 'Its searches are in one place only, so they have no destination.';
const UNKNOWN_BRAND =
  'No brand on this network has that source name. The call shown here searches every brand; for one brand, use a source from the list.';
const BY_MCP =
  'Assistants that speak MCP connect to this address instead (streamable HTTP, no key): one call of search_stays takes the whole trip.';

/** Where the interface is described. */
const LINKS = [
  `<${DISCOVERY_PATHS.openApi}>; rel="service-desc"; type="application/json"`,
  `<${DISCOVERY_PATHS.reference}>; rel="service-doc"; type="text/html"`,
].join(', ');

type EntryDeps = {
  readonly network: string;
  readonly brands: Network['brands'];
  readonly places: Network['places'];
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  readonly exampleStay: () => ExampleStay;
};

/** The page at `/`, which shows assistants and people how to start. */
export function createEntryPage(deps: EntryDeps): PublicPage {
  return {
    path: '/',
    render({ accept, query }) {
      const format = chooseFormat(accept);
      const [type, write] = FORMATS[format];
      const policy = format === 'html' ? { 'content-security-policy': PAGE_POLICY } : {};
      const headers = { vary: 'Accept, Accept-Encoding', link: LINKS, 'content-type': type, ...policy };
      return { status: OK, body: write(entryFacts(deps, query)), headers };
    },
  };
}

type EntryFacts = ReturnType<typeof entryFacts>;

/** For the brand of `/?source=brand`. An unknown name is dropped, so that no page can echo it. */
function entryFacts({ network, brands, places, publicUrl, exampleStay }: EntryDeps, query: Query) {
  const all = [...brands.values()];
  const requested = query.once.get('source');
  // Ignores case, as auth does.
  const brand = all.find(({ id }) => id === requested?.toLowerCase()) ?? null;
  const place = brand?.singleLocation ? places.get(brand.singleLocation) : undefined;
  const at = (path: string) => addressAt(publicUrl, path);
  const auth = at(PATHS.auth);
  const stay = {
    searchUrl: at(PATHS.search),
    session: '{session}',
    order: fieldOrder(brand === null ? ['direct'] : brand.singleLocation ? ['single_location'] : []),
    // The answer is a whole comparison set.
    view: 'compact',
  } as const;
  return {
    network,
    publicUrl,
    at,
    brand,
    location: place ? { destination: place.id, name: place.name } : null,
    isUnknown: brand === null && (query.repeated.has('source') || Boolean(requested)),
    start: { method: 'POST', url: auth, body: brand ? { source: brand.id } : {} },
    /** For assistants that can only open addresses with GET. */
    startByGet: { method: 'GET', url: brand ? `${auth}?source=${encodeURIComponent(brand.id)}` : auth },
    wholeStay: { url_template: wholeStayTemplate(stay), example: wholeStayExample(stay, exampleStay()) },
    mcpUrl: at(MCP_SERVER.path),
    sources: all.map(({ id, name, singleLocation }) => {
      return { source: id, name, single_location: singleLocation !== null };
    }),
    /** For clients that show pictures. */
    pictureHosts: [...new Set(all.flatMap(({ website }) => website.hosts))].sort(),
  };
}

function entryJson(facts: EntryFacts): string {
  const { at, brand, location } = facts;
  return JSON.stringify({
    api_version: API_VERSION,
    name: facts.network,
    description: DESCRIPTION,
    ...(facts.isUnknown ? { error: 'unknown_source', message: UNKNOWN_BRAND } : {}),
    source: brand?.id ?? null,
    ...(brand ? { brand_locked: BRAND_LOCKED } : {}),
    ...(location ? { location: { ...location, rule: ONE_PLACE } } : {}),
    start: facts.start,
    start_by_get: facts.startByGet,
    whole_stay: { rule: WHOLE_STAY, ...facts.wholeStay },
    mcp: { rule: BY_MCP, url: facts.mcpUrl, transport: 'streamable-http' },
    next: HOW_TO_CONTINUE,
    booking: WHERE_TO_BOOK,
    sources: facts.sources,
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

function entryBlocks(facts: EntryFacts): readonly Block[] {
  const { brand, location, start, startByGet, wholeStay } = facts;
  const call = (label: string, text: string) => ({ language: 'http', label, text: `${text}\n` });
  const body = `Content-Type: application/json\n\n${JSON.stringify(start.body)}`;
  return [
    ...(facts.isUnknown ? [`! ${UNKNOWN_BRAND}`] : []),
    '## How an assistant starts',
    `Open a session ${brand ? 'through {brand}' : 'for every brand on the network'}:`,
    call('The first request', `POST ${start.url}\n${body}`),
    'Or, if you can only open addresses:',
    call('The first request with GET', `GET ${startByGet.url}`),
    ...(brand ? [`${BRAND_LOCKED}${location ? ` ${ONE_PLACE} That place is {location}.` : ''}`] : []),
    HOW_TO_CONTINUE,
    WHOLE_STAY,
    call('The whole stay in one request', `GET ${wholeStay.url_template}`),
    'For example: `{example}`',
    WHERE_TO_BOOK,
    '## By MCP',
    BY_MCP,
    '`{mcp}`',
    '## Brands on this network',
    SOURCE_HINT,
    {
      links: facts.sources.map(({ source, name, single_location }) => [
        `${name} (${source}${single_location ? ', one location' : ''})`,
        `/?source=${encodeURIComponent(source)}`,
      ]),
    },
    '## Are you a traveller?',
    'Ask your assistant to look for a stay here. It compares the final prices for your dates, and you book on the website of the operator that you choose.',
    '## More',
    {
      links: [
        ['Fields, values, errors and limits', PATHS.schema],
        ['Terms of use', PATHS.terms],
        ['How to use it well', DISCOVERY_PATHS.skill],
        ['For language models', DISCOVERY_PATHS.llms],
        ['OpenAPI document', DISCOVERY_PATHS.openApi],
        ['Reference for developers', DISCOVERY_PATHS.reference],
        ['How an assistant gets in', DISCOVERY_PATHS.guide],
      ],
    },
    `Version ${API_VERSION}. Addresses under /ai/ open for approved AI assistants only, not for end users.`,
  ];
}

function fillingOf({ publicUrl, brand, location, wholeStay, mcpUrl }: EntryFacts) {
  const values = {
    brand: brand?.name ?? '',
    location: location?.name ?? '',
    example: wholeStay.example,
    mcp: mcpUrl,
  };
  return { values, publicUrl };
}

function entryMarkdown(facts: EntryFacts): string {
  const text = blocksAsMarkdown(entryBlocks(facts), fillingOf(facts));
  return `# ${plainMarkdown(facts.network)}\n\n${DESCRIPTION}\n\n${text}\n`;
}

function entryHtml(facts: EntryFacts): string {
  const { network } = facts;
  const title = `${network}: stays for AI assistants`;
  const head = { title, kicker: 'For AI assistants', heading: network, lede: DESCRIPTION };
  return styledPage(head, blocksAsHtml(entryBlocks(facts), fillingOf(facts)));
}

const FORMATS = {
  json: ['application/json', entryJson],
  markdown: ['text/markdown; charset=utf-8', entryMarkdown],
  html: ['text/html; charset=utf-8', entryHtml],
} as const;

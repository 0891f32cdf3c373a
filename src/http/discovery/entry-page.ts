import type { Network } from '../../catalogue/catalogue.ts';
import { OK } from '../../contract/errors.ts';
import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { fieldOrder } from '../../contract/payload-fields.ts';
import { ACCESS, API_VERSION, PATHS } from '../../contract/vocabulary.ts';
import { type ExampleStay, wholeStayExample, wholeStayTemplate } from '../../contract/whole-stay.ts';
import type { Query } from '../incoming-request.ts';
import { addressAt, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { chooseFormat } from '../write-response.ts';
import { escapedHtml, PAGE_POLICY, plainMarkdown, styledPage } from './page-layout.ts';
import { API_CATALOG_LINK } from './well-known.ts';

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
  API_CATALOG_LINK,
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

function entryMarkdown(facts: EntryFacts): string {
  const { at, brand, location, start, startByGet, wholeStay } = facts;
  const onlyPlace = location ? ` ${ONE_PLACE} That place is ${plainMarkdown(location.name)}.` : '';
  const call = (text: string) => `   \`\`\`http\n   ${text}\n   \`\`\``;
  const paragraphs = [
    `# ${plainMarkdown(facts.network)}`,
    DESCRIPTION,
    ...(facts.isUnknown ? [`**${UNKNOWN_BRAND}**`] : []),
    '## How an assistant starts',
    `1. Open a session ${brand ? `through ${plainMarkdown(brand.name)}` : 'for every brand'}:`,
    call(`POST ${start.url}\n   Content-Type: application/json\n\n   ${JSON.stringify(start.body)}`),
    '   or, if you can only open addresses:',
    call(`GET ${startByGet.url}`),
    ...(brand ? [`   ${BRAND_LOCKED}${onlyPlace}`] : []),
    `2. ${HOW_TO_CONTINUE}`,
    `   ${WHOLE_STAY}`,
    call(`GET ${wholeStay.url_template}`),
    `   For example: \`${wholeStay.example}\``,
    `3. ${WHERE_TO_BOOK}`,
    '## By MCP',
    BY_MCP,
    `\`${facts.mcpUrl}\``,
    '## Sources',
    SOURCE_HINT,
    facts.sources
      .map(({ source, name, single_location }) => {
        return `- \`${source}\`: ${plainMarkdown(name)}${single_location ? ' (one location)' : ''}`;
      })
      .join('\n'),
    '## More',
    `- Fields, values, errors and limits: ${at(PATHS.schema)}
- Terms of use: ${at(PATHS.terms)}
- How to use it well: ${at(DISCOVERY_PATHS.skill)}
- For language models: ${at(DISCOVERY_PATHS.llms)}
- OpenAPI document: ${at(DISCOVERY_PATHS.openApi)}
- Reference for developers: ${at(DISCOVERY_PATHS.reference)}
- How an assistant gets in: ${at(DISCOVERY_PATHS.guide)}
- Version: ${API_VERSION}`,
    'Addresses under /ai/ open for approved AI assistants only, not for end users.',
  ];
  return paragraphs.join('\n\n').concat('\n');
}

function entryHtml(facts: EntryFacts): string {
  const { network, brand, location, start, startByGet, wholeStay } = facts;
  const through = brand
    ? `through <strong>${escapedHtml(brand.name)}</strong>`
    : 'for every brand on the network';
  const onlyPlace = location ? ` ${ONE_PLACE} That place is ${location.name}.` : '';
  const items = facts.sources.map(({ source, name, single_location }) => {
    const current = source === brand?.id ? ' aria-current="page"' : '';
    const note = single_location ? ' <small>one location</small>' : '';
    return `<li><a href="/?source=${encodeURIComponent(source)}"${current}><span>${escapedHtml(name)}</span> <code>${escapedHtml(source)}</code>${note}</a></li>`;
  });
  const main = `${facts.isUnknown ? `<p class="notice" role="status">${escapedHtml(UNKNOWN_BRAND)}</p>\n` : ''}<section aria-labelledby="start">
<h2 id="start">How an assistant starts</h2>
<ol>
<li>
<p>Open a session ${through}.</p>
<pre tabindex="0" aria-label="The first request"><code><b>POST</b> ${escapedHtml(start.url)}
<i>Content-Type: application/json</i>

${escapedHtml(JSON.stringify(start.body))}</code></pre>
<p class="or">Or, if you can only open addresses:</p>
<pre tabindex="0" aria-label="The first request with GET"><code><b>GET</b> ${escapedHtml(startByGet.url)}</code></pre>
${brand ? `<p class="or">${escapedHtml(BRAND_LOCKED + onlyPlace)}</p>\n` : ''}</li>
<li>
<p>${escapedHtml(HOW_TO_CONTINUE)}</p>
<p>${escapedHtml(WHOLE_STAY)}</p>
<pre tabindex="0" aria-label="The whole stay in one request"><code><b>GET</b> ${escapedHtml(wholeStay.url_template)}

<i>For example</i>
${escapedHtml(wholeStay.example)}</code></pre>
</li>
<li><p>${escapedHtml(WHERE_TO_BOOK)}</p></li>
</ol>
</section>
<section aria-labelledby="mcp">
<h2 id="mcp">By MCP</h2>
<p>${escapedHtml(BY_MCP)}</p>
<pre tabindex="0" aria-label="The address of the MCP server"><code>${escapedHtml(facts.mcpUrl)}</code></pre>
</section>
<section aria-labelledby="sources">
<h2 id="sources">Brands on this network</h2>
<p>Choose one to see the call that comes in through it.</p>
<ul class="brands">
${items.join('\n')}
</ul>
</section>
<aside aria-labelledby="traveller">
<h2 id="traveller">Are you a traveller?</h2>
<p>Ask your assistant to look for a stay here. It compares the final prices for your dates, and you book on the website of the operator that you choose.</p>
</aside>
<footer>
<p><a href="${DISCOVERY_PATHS.reference}">Reference for developers</a> <a href="${DISCOVERY_PATHS.llms}">For language models</a> <a href="${DISCOVERY_PATHS.guide}">How an assistant gets in</a></p>
<p><span>Schema <code>${PATHS.schema}</code></span> <span>Terms of use <code>${PATHS.terms}</code></span> <span>Version ${API_VERSION}</span></p>
<p>Addresses under <code>/ai/</code> open for approved assistants only.</p>
</footer>`;
  const title = `${network}: stays for AI assistants`;
  const meta = `<meta name="description" content="${escapedHtml(DESCRIPTION)}">\n`;
  const head = { title, kicker: 'For AI assistants', heading: network, lede: DESCRIPTION };
  return styledPage(head, main, meta);
}

const FORMATS = {
  json: ['application/json', entryJson],
  markdown: ['text/markdown; charset=utf-8', entryMarkdown],
  html: ['text/html; charset=utf-8', entryHtml],
} as const;

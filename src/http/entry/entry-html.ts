import { createHash } from 'node:crypto';
import { PATHS } from '../../contract/vocabulary.ts';
import { DISCOVERY_PATHS } from '../discovery/discovery-paths.ts';
import {
  BRAND_LOCKED,
  BY_MCP,
  DESCRIPTION,
  type EntryFacts,
  type EntryLocation,
  type EntrySource,
  HOW_TO_CONTINUE,
  mcpAddress,
  ONE_PLACE,
  startByGet,
  startCall,
  UNKNOWN_BRAND,
  WHERE_TO_BOOK,
  WHOLE_STAY,
  wholeStay,
} from './entry-facts.ts';
import { ENTRY_STYLE } from './entry-style.ts';

/** Allows nothing but the page's own style. */
export const ENTRY_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(ENTRY_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function entryPage(facts: EntryFacts): string {
  const { network, sources, requestedBrand, version } = facts;
  const { method, url, body } = startCall(facts);
  const byGet = startByGet(facts);
  const { url_template, example } = wholeStay(facts);
  const scope =
    requestedBrand.kind === 'brand'
      ? `through <strong>${escapedHtml(requestedBrand.brand.name)}</strong>`
      : 'for every brand on the network';
  const chosen = requestedBrand.kind === 'brand' ? requestedBrand.brand.source : null;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapedHtml(DESCRIPTION)}">
<title>${escapedHtml(network)}: stays for AI assistants</title>
<style>${ENTRY_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">For AI assistants</p>
<h1>${escapedHtml(network)}</h1>
<p class="lede">${escapedHtml(DESCRIPTION)}</p>
</header>
${requestedBrand.kind === 'unknown_brand' ? `<p class="notice" role="status">${escapedHtml(UNKNOWN_BRAND)}</p>\n` : ''}<section aria-labelledby="start">
<h2 id="start">How an assistant starts</h2>
<ol>
<li>
<p>Open a session ${scope}.</p>
<pre tabindex="0" aria-label="The first request"><code><b>${method}</b> ${escapedHtml(url)}
<i>Content-Type: application/json</i>

${escapedHtml(JSON.stringify(body))}</code></pre>
<p class="or">Or, if you can only open addresses:</p>
<pre tabindex="0" aria-label="The first request with GET"><code><b>${byGet.method}</b> ${escapedHtml(byGet.url)}</code></pre>
${requestedBrand.kind === 'brand' ? `<p class="or">${escapedHtml(BRAND_LOCKED)}${locationHtml(requestedBrand.location)}</p>\n` : ''}</li>
<li>
<p>${escapedHtml(HOW_TO_CONTINUE)}</p>
<p>${escapedHtml(WHOLE_STAY)}</p>
<pre tabindex="0" aria-label="The whole stay in one request"><code><b>GET</b> ${escapedHtml(url_template)}

<i>For example</i>
${escapedHtml(example)}</code></pre>
</li>
<li><p>${escapedHtml(WHERE_TO_BOOK)}</p></li>
</ol>
</section>
<section aria-labelledby="mcp">
<h2 id="mcp">By MCP</h2>
<p>${escapedHtml(BY_MCP)}</p>
<pre tabindex="0" aria-label="The address of the MCP server"><code>${escapedHtml(mcpAddress(facts))}</code></pre>
</section>
<section aria-labelledby="sources">
<h2 id="sources">Brands on this network</h2>
<p>Choose one to see the call that comes in through it.</p>
<ul class="brands">
${sources.map((source) => brandItem(source, chosen)).join('\n')}
</ul>
</section>
<aside aria-labelledby="traveller">
<h2 id="traveller">Are you a traveller?</h2>
<p>Ask your assistant to look for a stay here. It compares the final prices for your dates, and you book on the website of the operator that you choose.</p>
</aside>
<footer>
<p><a href="${DISCOVERY_PATHS.reference}">Reference for developers</a> <a href="${DISCOVERY_PATHS.llms}">For language models</a> <a href="${DISCOVERY_PATHS.guide}">How an assistant gets in</a></p>
<p><span>Schema <code>${PATHS.schema}</code></span> <span>Terms of use <code>${PATHS.terms}</code></span> <span>Version ${escapedHtml(version)}</span></p>
<p>Addresses under <code>/ai/</code> open for approved assistants only.</p>
</footer>
</main>
</body>
</html>
`;
}

function locationHtml(location: EntryLocation | null): string {
  return location === null ? '' : ` ${escapedHtml(ONE_PLACE)} That place is ${escapedHtml(location.name)}.`;
}

function brandItem({ source, name, single_location }: EntrySource, chosen: string | null): string {
  const current = source === chosen ? ' aria-current="page"' : '';
  const note = single_location ? ' <small>one location</small>' : '';
  return `<li><a href="/?source=${encodeURIComponent(source)}"${current}><span>${escapedHtml(name)}</span> <code>${escapedHtml(source)}</code>${note}</a></li>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

import { createHash } from 'node:crypto';
import { PATHS } from '../../contract/vocabulary.ts';
import { addressAt, DISCOVERY_PATHS } from '../public-pages.ts';
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
  SOURCE_HINT,
  startByGet,
  startCall,
  UNKNOWN_BRAND,
  WHERE_TO_BOOK,
  WHOLE_STAY,
  wholeStay,
} from './entry-facts.ts';

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

/** A constant, because the content security policy contains its hash. */
export const ENTRY_STYLE = `
:root{color-scheme:light dark;--paper:#faf7f2;--card:#fff;--ink:#1f2a30;--soft:#5a676e;--line:#e4ddd1;--accent:#0b6b62;--tint:#e3f1ee;--warn:#fff3d6;--warn-ink:#5d4300;--code:#10272b;--code-ink:#e6f2ef;--code-soft:#9db8b5}
@media (prefers-color-scheme:dark){:root{--paper:#12191c;--card:#1a2327;--ink:#e8ecea;--soft:#a3b0b3;--line:#2c383c;--accent:#6fd0c1;--tint:#17332f;--warn:#3a2f12;--warn-ink:#f6dfa4;--code:#0b1315}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:0 auto;padding:clamp(2rem,6vw,4.5rem) 1.25rem 3rem}
header{border-bottom:1px solid var(--line);padding-bottom:1.75rem}
.kicker{margin:0 0 .5rem;color:var(--accent);font-size:.8125rem;font-weight:650;letter-spacing:.09em;text-transform:uppercase}
h1{margin:0;font:600 clamp(2.25rem,6vw,3.25rem)/1.1 Georgia,"Times New Roman",serif;letter-spacing:-.015em;text-wrap:balance;overflow-wrap:anywhere}
.lede{margin:.9rem 0 0;max-width:38rem;color:var(--soft);font-size:1.1875rem;text-wrap:pretty}
h2{margin:0 0 .9rem;font:600 1.3125rem/1.3 Georgia,"Times New Roman",serif}
section{margin-top:2.25rem}
p{margin:0 0 .75rem}
.notice{margin:1.75rem 0 0;padding:.85rem 1.1rem;border-radius:.6rem;background:var(--warn);color:var(--warn-ink)}
ol{margin:0;padding:0;list-style:none;counter-reset:step}
ol>li{position:relative;padding-left:3rem;counter-increment:step}
ol>li+li{margin-top:1.1rem}
ol>li::before{content:counter(step);position:absolute;left:0;top:-.1rem;width:1.9rem;height:1.9rem;border-radius:50%;background:var(--tint);color:var(--accent);font-weight:650;font-size:.9375rem;line-height:1.9rem;text-align:center}
ol p{margin-bottom:.6rem;text-wrap:pretty}
pre{margin:0;padding:1rem 1.2rem;border-radius:.6rem;background:var(--code);color:var(--code-ink);overflow-x:auto;line-height:1.55}
ol p.or{margin:.8rem 0 .6rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre i{font-style:normal;color:var(--code-soft)}
.brands{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.7rem;margin:0;padding:0;list-style:none}
.brands a{display:block;height:100%;padding:.75rem .95rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card);color:inherit;text-decoration:none}
.brands a:hover{border-color:var(--accent)}
.brands a[aria-current]{border-color:var(--accent);background:var(--tint)}
.brands span{display:block;font-weight:600}
.brands code,.brands small{color:var(--soft)}
.brands small{display:block}
aside{margin-top:2.5rem;padding:1.25rem 1.4rem;border-left:3px solid var(--accent);border-radius:0 .6rem .6rem 0;background:var(--card)}
aside h2{margin-bottom:.35rem;font-size:1.125rem}
aside p{margin:0}
footer{margin-top:2.5rem;padding-top:1.1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9375rem}
footer p{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;margin-bottom:.35rem}
footer p:last-child{display:block}
footer a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.3rem}
`;

/** Allows only the page's own style. */
export const ENTRY_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(ENTRY_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function entryMarkdown(facts: EntryFacts): string {
  const { network, sources, requestedBrand, publicUrl, version } = facts;
  const { method, url, body } = startCall(facts);
  const byGet = startByGet(facts);
  const { url_template, example } = wholeStay(facts);
  const scope =
    requestedBrand.kind === 'brand'
      ? `through ${plainMarkdown(requestedBrand.brand.name)}`
      : 'for every brand';
  const lines = [
    `# ${plainMarkdown(network)}`,
    '',
    DESCRIPTION,
    '',
    ...(requestedBrand.kind === 'unknown_brand' ? [`**${UNKNOWN_BRAND}**`, ''] : []),
    '## How an assistant starts',
    '',
    `1. Open a session ${scope}:`,
    '',
    '   ```http',
    `   ${method} ${url}`,
    '   Content-Type: application/json',
    '',
    `   ${JSON.stringify(body)}`,
    '   ```',
    '',
    '   or, if you can only open addresses:',
    '',
    '   ```http',
    `   ${byGet.method} ${byGet.url}`,
    '   ```',
    '',
    ...(requestedBrand.kind === 'brand'
      ? [`   ${BRAND_LOCKED}${locationMarkdown(requestedBrand.location)}`, '']
      : []),
    `2. ${HOW_TO_CONTINUE}`,
    '',
    `   ${WHOLE_STAY}`,
    '',
    '   ```http',
    `   GET ${url_template}`,
    '   ```',
    '',
    `   For example: \`${example}\``,
    '',
    `3. ${WHERE_TO_BOOK}`,
    '',
    '## By MCP',
    '',
    BY_MCP,
    '',
    `\`${mcpAddress(facts)}\``,
    '',
    '## Sources',
    '',
    SOURCE_HINT,
    '',
    ...sources.map(
      ({ source, name, single_location }) =>
        `- \`${source}\`: ${plainMarkdown(name)}${single_location ? ' (one location)' : ''}`,
    ),
    '',
    '## More',
    '',
    `- Fields, values, errors and limits: ${publicUrl ?? ''}${PATHS.schema}`,
    `- Terms of use: ${publicUrl ?? ''}${PATHS.terms}`,
    `- How to use it well: ${addressAt(publicUrl, DISCOVERY_PATHS.skill)}`,
    `- For language models: ${addressAt(publicUrl, DISCOVERY_PATHS.llms)}`,
    `- OpenAPI document: ${addressAt(publicUrl, DISCOVERY_PATHS.openApi)}`,
    `- Reference for developers: ${addressAt(publicUrl, DISCOVERY_PATHS.reference)}`,
    `- How an assistant gets in: ${addressAt(publicUrl, DISCOVERY_PATHS.guide)}`,
    `- Version: ${version}`,
    '',
    'Addresses under /ai/ open for approved AI assistants only, not for end users.',
    '',
  ];
  return lines.join('\n');
}

function locationMarkdown(location: EntryLocation | null): string {
  return location === null ? '' : ` ${ONE_PLACE} That place is ${plainMarkdown(location.name)}.`;
}

/** Escapes names from the network file, which are not markup. */
export function plainMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

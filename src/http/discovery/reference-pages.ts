import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cachedDocument, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { escapedHtml } from './page-layout.ts';

/** The library sets styles only through the object model, and has its icons as data addresses. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The interface for developers: Swagger UI over the OpenAPI document, all from this origin. */
function referencePage(network: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(network)}: interface reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${LIBRARY}/swagger-ui.css">
<link rel="stylesheet" href="${OWN}/reference.css">
<script src="${LIBRARY}/swagger-ui-bundle.js" defer></script>
<script src="${OWN}/reference.js" defer></script>
</head>
<body>
<header class="page-head">
<h1>${escapedHtml(network)}</h1>
<p>The interface for approved AI assistants. Nothing can be sent from this page, because addresses under <code>/ai/</code> refuse browsers: each operation shows its call for a terminal instead, and where one was recorded the answer that a service gave.</p>
<nav aria-label="Documents"><a href="/">Start</a> <a href="${DISCOVERY_PATHS.openApi}">OpenAPI document</a> <a href="${DISCOVERY_PATHS.llms}">For language models</a></nav>
<h2>Operations</h2>
</header>
<div id="reference"></div>
<noscript><p class="page-head">This page needs JavaScript. The OpenAPI document says the same.</p></noscript>
</body>
</html>
`;
}

/** Runs in the browser. The page can send nothing, so each operation shows its call for a terminal instead. */
const REFERENCE_SCRIPT = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** The page has a head of its own, and calls name their server. Each operation shows its call above its parameters. */
const showCalls = (system) => {
  const { createElement: h, Fragment } = system.React;
  return {
    wrapComponents: {
      InfoContainer: () => () => null,
      ServersContainer: () => () => null,
      parameters: (Original) => (props) => {
        const command = system.specSelectors.specJson().getIn(['paths', ...props.pathMethod, 'x-codeSamples', 0, 'source']);
        return h(
          Fragment,
          null,
          command && h('section', { className: 'call' }, h('h4', null, 'Call'), h('pre', { tabIndex: 0 }, command)),
          h(Original, props),
        );
      },
    },
  };
};

const reference = document.getElementById('reference');
/** What the library leaves without a name, or out of reach of a keyboard. */
const mend = () => {
  for (const list of reference.querySelectorAll('select:not([aria-label])')) {
    list.setAttribute('aria-label', list.className.includes('examples') ? 'Example' : 'Media type');
  }
  for (const table of reference.querySelectorAll('table[role=region]')) table.removeAttribute('role');
  for (const code of reference.querySelectorAll('.microlight:not([tabindex])')) code.tabIndex = 0;
};
new MutationObserver(mend).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  url: '${DISCOVERY_PATHS.openApi}',
  dom_id: '#reference',
  supportedSubmitMethods: [],
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: 'obsidian' },
  validatorUrl: null,
  plugins: [showCalls],
});
`;

/** Styles of the page's own head, and corrections to the library's themes. */
const REFERENCE_STYLE = `
:root{color-scheme:light dark;--ink:#1f2a30;--soft:#5a676e;--paper:#faf7f2;--line:#e4ddd1;--accent:#0b6b62;--code:#10272b;--code-ink:#e6f2ef}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecea;--soft:#a3b0b3;--paper:#12191c;--line:#2c383c;--accent:#6fd0c1;--code:#0b1315}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.page-head{max-width:1460px;margin:0 auto;padding:1.75rem 20px 0;box-sizing:border-box}
.page-head h1{margin:0;font:600 2rem/1.2 Georgia,"Times New Roman",serif}
.page-head p{max-width:46rem;margin:.6rem 0 0;color:var(--soft)}
.page-head nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.8rem}
.page-head a{color:var(--accent)}
.page-head code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.page-head h2{margin:1.75rem 0 0;font:600 1.3125rem/1.3 Georgia,"Times New Roman",serif}
html,html.dark-mode,html.dark-mode .swagger-ui{background:var(--paper)}
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method{background:#0b7a4b}
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method{background:#1c5fb0}
html:not(.dark-mode) .swagger-ui :is(.parameter__in,.json-schema-2020-12-expand-deep-button){color:#555}
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message{color:#006b00}
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message code{color:inherit}
html.dark-mode .swagger-ui :is(.header-col,.examples-select__section-label){color:#e4e6e6}
.swagger-ui :is(.scheme-container,.response-col_links,.parameters-col_description input:disabled){display:none}
.call{padding:10px 20px 14px}
.call h4{margin:0 0 .4rem;font-size:14px}
.call pre{margin:0;padding:.9rem 1.1rem;border-radius:.4rem;background:var(--code);color:var(--code-ink);overflow-x:auto;font:600 12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

const manifest = import.meta.resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8'));
const ownDigest = hash('sha256', REFERENCE_SCRIPT + REFERENCE_STYLE).slice(0, 16);
/** Each address changes with the content of its file, so browsers may cache it for good. */
const LIBRARY = `${DISCOVERY_PATHS.reference}/swagger-ui-${version}`;
const OWN = `${DISCOVERY_PATHS.reference}/${ownDigest}`;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Interface reference for people: the page, and the only files of the library that are served. */
export function referencePages(network: string, cacheControl: string): readonly PublicPage[] {
  const asset = (path: string, contentType: string, write: () => string | Uint8Array) =>
    cachedDocument({ path, contentType: `${contentType}; charset=utf-8`, cacheControl: IMMUTABLE, write });
  const fromLibrary = (name: string) => () => readFileSync(new URL(name, manifest));
  return [
    cachedDocument({
      path: DISCOVERY_PATHS.reference,
      contentType: 'text/html; charset=utf-8',
      cacheControl,
      headers: { 'content-security-policy': REFERENCE_POLICY },
      write: () => referencePage(network),
    }),
    asset(`${LIBRARY}/swagger-ui.css`, 'text/css', fromLibrary('swagger-ui.css')),
    asset(`${LIBRARY}/swagger-ui-bundle.js`, 'text/javascript', fromLibrary('swagger-ui-bundle.js')),
    asset(`${OWN}/reference.css`, 'text/css', () => REFERENCE_STYLE),
    asset(`${OWN}/reference.js`, 'text/javascript', () => REFERENCE_SCRIPT),
  ];
}

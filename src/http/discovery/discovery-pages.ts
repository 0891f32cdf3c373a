import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OK } from '../../contract/errors.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { KEY_DIRECTORY_TYPE, type KeyDirectory } from '../../outbound/key-directory.ts';
import { chooseAmong } from '../content-negotiation.ts';
import { ENTRY_PAGE_POLICY, escapedHtml } from '../entry/entry-formats.ts';
import { cachedDocument, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { guideHtml, guideMarkdown } from './guide/guide.ts';
import { SIGNERS } from './guide/signers.generated.ts';
import { llmsText, skillDocument, skillIndex } from './llms-and-skill.ts';
import {
  API_CATALOG_LINK,
  API_CATALOG_TYPE,
  aiCatalog,
  apiCatalog,
  SERVER_CARD_TYPE,
  securityText,
  serverCard,
} from './well-known.ts';

type DiscoveryFacts = {
  readonly network: string;
  /** Null leaves addresses relative. */
  readonly publicUrl: string | null;
  /** Other names under which the service answers. */
  readonly hosts: readonly string[];
  /** Where the owner of an assistant asks for approval. */
  readonly contact: string;
  /** Where to report a vulnerability, as a URI. Null publishes no security.txt. */
  readonly securityContact: string | null;
  /** Null where requests to operators are not signed. */
  readonly keyDirectory: KeyDirectory | null;
  readonly now: () => number;
};

const SOON = 'public, max-age=300';
/** As the conventions of catalogues and cards recommend. */
const HOURLY = 'public, max-age=3600';
const JSON_TYPE = 'application/json';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** All documents about the service. They are open to people and assistants: none is under `/ai/`, and none contains a session. */
export function discoveryPages({
  network,
  publicUrl,
  hosts,
  contact,
  securityContact,
  keyDirectory,
  now,
}: DiscoveryFacts): readonly PublicPage[] {
  const card = { contentType: SERVER_CARD_TYPE, cacheControl: HOURLY, crossOrigin: true } as const;
  const writeCard = () => JSON.stringify(serverCard({ network, publicUrl }));
  return [
    cachedDocument({
      path: DISCOVERY_PATHS.openApi,
      contentType: JSON_TYPE,
      cacheControl: SOON,
      write: () => JSON.stringify(openApiDocument(publicUrl)),
    }),
    cachedDocument({
      path: DISCOVERY_PATHS.reference,
      contentType: 'text/html; charset=utf-8',
      cacheControl: SOON,
      headers: { 'content-security-policy': REFERENCE_POLICY },
      write: () => referencePage(network),
    }),
    ...referenceAssets(),
    cachedDocument({
      path: DISCOVERY_PATHS.llms,
      contentType: PLAIN_TEXT,
      cacheControl: SOON,
      write: () => llmsText({ network, publicUrl }),
    }),
    guidePage({ network, publicUrl, hosts, contact, cacheControl: SOON }),
    cachedDocument({
      path: DISCOVERY_PATHS.apiCatalog,
      contentType: API_CATALOG_TYPE,
      cacheControl: HOURLY,
      headers: { link: API_CATALOG_LINK },
      write: () => apiCatalog(publicUrl),
    }),
    cachedDocument({ ...card, path: DISCOVERY_PATHS.serverCard, write: writeCard }),
    cachedDocument({ ...card, path: DISCOVERY_PATHS.wellKnownServerCard, write: writeCard }),
    cachedDocument({
      path: DISCOVERY_PATHS.aiCatalog,
      contentType: 'application/ai-catalog+json',
      cacheControl: HOURLY,
      crossOrigin: true,
      write: () => JSON.stringify(aiCatalog({ network, publicUrl })),
    }),
    cachedDocument({
      path: DISCOVERY_PATHS.skillIndex,
      contentType: JSON_TYPE,
      cacheControl: HOURLY,
      crossOrigin: true,
      write: () => skillIndex(publicUrl),
    }),
    cachedDocument({
      path: DISCOVERY_PATHS.skill,
      contentType: 'text/markdown; charset=utf-8',
      cacheControl: HOURLY,
      crossOrigin: true,
      write: () => skillDocument(publicUrl),
    }),
    ...(securityContact === null ? [] : [securityPage(securityContact, publicUrl, now)]),
    ...(keyDirectory === null ? [] : [keyDirectoryPage(keyDirectory)]),
  ];
}

function keyDirectoryPage(directory: KeyDirectory): PublicPage {
  return {
    path: DISCOVERY_PATHS.keyDirectory,
    crossOrigin: true,
    render() {
      const { body, headers } = directory();
      return {
        status: OK,
        body,
        tag: hash('sha256', body, 'base64url').slice(0, 22),
        // A proxy that compresses it would break the digest, and with it the signatures.
        headers: {
          'content-type': KEY_DIRECTORY_TYPE,
          'cache-control': `${HOURLY}, no-transform`,
          ...headers,
        },
      };
    },
  };
}

function securityPage(contact: string, publicUrl: string | null, now: () => number): PublicPage {
  return {
    path: DISCOVERY_PATHS.security,
    render: () => ({
      status: OK,
      body: securityText(contact, publicUrl, now()),
      headers: { 'content-type': PLAIN_TEXT, 'cache-control': 'public, max-age=86400' },
    }),
  };
}

const FORMATS = {
  types: { markdown: 'text/markdown', plain: 'text/plain', html: 'text/html' },
  whenNamed: ['markdown', 'plain', 'html'],
  whenAllowed: ['markdown', 'plain', 'html'],
} as const;

/** The page that every refusal of access links to. Plain text is the Markdown. */
export function guidePage({
  network,
  cacheControl,
  ...known
}: {
  readonly network: string;
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
  readonly contact: string;
  readonly cacheControl: string;
}): PublicPage {
  const facts = { ...known, signers: SIGNERS };
  const path = DISCOVERY_PATHS.guide;
  const headers = { vary: 'Accept, Accept-Encoding' };
  const inFormat = (format: keyof typeof FORMATS.types, write: () => string, policy = {}) =>
    cachedDocument({
      path,
      contentType: `${FORMATS.types[format]}; charset=utf-8`,
      cacheControl,
      headers: { ...headers, ...policy },
      write,
    });
  const pages = {
    markdown: inFormat('markdown', () => guideMarkdown(facts)),
    plain: inFormat('plain', () => guideMarkdown(facts)),
    html: inFormat('html', () => guideHtml(network, facts), { 'content-security-policy': ENTRY_PAGE_POLICY }),
  };
  return { path, render: (request) => pages[chooseAmong(FORMATS, request.accept)].render(request) };
}

/** The library sets styles only through the object model, and has its icons as data addresses. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The interface for developers: Swagger UI over the OpenAPI document, all from this origin. */
function referencePage(network: string): string {
  const { libraryStyle, libraryScript, style, script } = REFERENCE_ASSETS;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(network)}: interface reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${libraryStyle}">
<link rel="stylesheet" href="${style}">
<script src="${libraryScript}" defer></script>
<script src="${script}" defer></script>
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
/** Each address changes with the content of its file, so browsers may cache it for good. */
const LIBRARY = `${DISCOVERY_PATHS.reference}/swagger-ui-${version}`;
const OWN = `${DISCOVERY_PATHS.reference}/${digestOf(REFERENCE_SCRIPT + REFERENCE_STYLE)}`;
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** The only files of the library that are served. */
const REFERENCE_ASSETS = {
  libraryStyle: `${LIBRARY}/swagger-ui.css`,
  libraryScript: `${LIBRARY}/swagger-ui-bundle.js`,
  style: `${OWN}/reference.css`,
  script: `${OWN}/reference.js`,
} as const;

function referenceAssets(): readonly PublicPage[] {
  const { libraryStyle, libraryScript, style, script } = REFERENCE_ASSETS;
  const fromLibrary = (name: string) => () => readFileSync(new URL(name, manifest));
  return [
    asset(libraryStyle, STYLE_TYPE, fromLibrary('swagger-ui.css')),
    asset(libraryScript, SCRIPT_TYPE, fromLibrary('swagger-ui-bundle.js')),
    asset(style, STYLE_TYPE, () => REFERENCE_STYLE),
    asset(script, SCRIPT_TYPE, () => REFERENCE_SCRIPT),
  ];
}

function asset(path: string, contentType: string, write: () => string | Uint8Array): PublicPage {
  return cachedDocument({ path, contentType, cacheControl: 'public, max-age=31536000, immutable', write });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cachedDocument, DISCOVERY_PATHS, type PublicPage } from '../public-pages.ts';
import { escapedHtml } from './pages.ts';

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

/** Files of the page itself. The page can send nothing: its script shows the call of each operation for a terminal instead. */
const ownFile = (name: string) => readFileSync(new URL(name, import.meta.url));
const SCRIPT = ownFile('reference.js');
const STYLE = ownFile('reference.css');

const manifest = import.meta.resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8'));
const ownDigest = hash('sha256', Buffer.concat([SCRIPT, STYLE])).slice(0, 16);
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
    asset(`${OWN}/reference.css`, 'text/css', () => STYLE),
    asset(`${OWN}/reference.js`, 'text/javascript', () => SCRIPT),
  ];
}

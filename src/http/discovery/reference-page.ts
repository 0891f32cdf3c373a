import { escapedHtml } from '../entry/entry-html.ts';
import { DISCOVERY_PATHS } from './discovery-paths.ts';
import { REFERENCE_ASSETS } from './reference-assets.ts';

/** The library sets styles through the object model alone, and has its icons as data. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The interface for a developer who reads: Swagger UI over the OpenAPI document, all from this origin. */
export function referencePage(network: string): string {
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

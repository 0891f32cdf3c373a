import type { Brand } from '../brands.ts';
import type { Answer } from '../http.ts';
import { html, type Markup } from './html.ts';
import { themeOf } from './theme.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export const pathOfSite = (brand: Brand) => `/sites/${brand.source}`;

/** A page of a brand's website, from the masthead to the small print. */
export function page(brand: Brand, status: number, title: string, main: Markup): Answer {
  const site = pathOfSite(brand);
  const stays = Object.values(brand.propertyCounts).reduce((sum, count) => sum + count, 0);
  const cities = Object.keys(brand.propertyCounts).length;
  const content = html`<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="masthead"><div class="wrap">
<a class="brand" href="${site}/">${themeOf(brand.source).mark}${brand.name}</a>
<nav aria-label="Main"><a href="${site}/stays">All homes</a><a href="${site}/#about">About us</a></nav>
</div></header>
<main id="main">${main}</main>
<footer><div class="wrap">
<p>${brand.name} · ${stays} homes in ${cities === 1 ? 'one city' : `${cities} cities`}</p>
<p>An invented operator on the Staywire demo network: nothing is charged and no message is sent.</p>
</div></footer>
</body>`;
  return {
    status,
    headers: HEADERS,
    body: documentOf(`${title} · ${brand.name}`, `${site}/style.css`, content),
  };
}

/** A page that belongs to no brand. */
export function plainPage(status: number, title: string, main: Markup): Answer {
  const content = html`<body><main id="main" class="wrap page">${main}</main></body>`;
  return { status, headers: HEADERS, body: documentOf(title, '/style.css', content) };
}

function documentOf(title: string, style: string, content: Markup): string {
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
</head>
${content}
</html>`}\n`;
}

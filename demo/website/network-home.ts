import type { Brand } from '../brands.ts';
import type { Answer, Route } from '../http.ts';
import { html } from './html.ts';
import { pathOfSite, plainPage } from './page.ts';
import { styleOf } from './style.ts';
import { counted } from './wording.ts';

/** The home page of the demo: the operators of the network. */
export function networkHomeRoutes(brands: readonly Brand[]): readonly Route[] {
  const cards = brands.map((brand) => {
    const homes = Object.values(brand.propertyCounts).reduce((sum, count) => sum + count, 0);
    return html`<li><article class="card"><img src="${pathOfSite(brand)}/hero.svg" alt="" width="600" height="400"><div class="text"><h3><a href="${pathOfSite(brand)}/">${brand.name}</a></h3><p>${brand.tagline}</p><p class="quiet small">${counted(homes, 'home')}</p></div></article></li>`;
  });
  return [
    {
      method: 'GET',
      path: '/',
      answer: async () =>
        plainPage(
          200,
          'The Staywire demo network',
          html`<h1>The Staywire demo network</h1><p class="lead">Six invented operators, each with a website and a booking system of its own. Book as much as you like: nothing is charged.</p><ul class="grid">${cards}</ul>`,
        ),
    },
    {
      method: 'GET',
      path: '/style.css',
      answer: async () => ({
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' },
        body: styleOf('stillehus'),
      }),
    },
  ];
}

export function notFoundPage(): Answer {
  return plainPage(
    404,
    'Not found',
    html`<h1>There is no such page</h1><p><a href="/">The demo network</a></p>`,
  );
}

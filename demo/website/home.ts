import type { Answer, DemoRequest } from '../http.ts';
import type { Operator } from '../operator.ts';
import { citiesOf, drawFinder } from './finder.ts';
import { html } from './html.ts';
import { page, pathOfSite } from './page.ts';
import { drawCard } from './property-card.ts';
import { queryOf, readRequestedStay } from './requested-stay.ts';
import { counted } from './wording.ts';

export function answerHome(operator: Operator, { query }: DemoRequest): Answer {
  const { brand, properties } = operator;
  const site = pathOfSite(brand);
  const requested = readRequestedStay(query);
  const favourites = [...properties]
    .sort((one, other) => (other.reviewScore ?? 0) - (one.reviewScore ?? 0))
    .slice(0, 6);
  const cities = citiesOf(brand).map((city) => {
    const homes = properties.filter((property) => property.city === city);
    return html`<li><article class="card">
<img src="${site}/pictures/${homes[0]?.reference}/view.svg" alt="" width="600" height="400" loading="lazy">
<div class="text"><h3><a href="${site}/stays${queryOf(requested, { destination: city.id })}">${city.name}</a></h3><span class="quiet">${counted(homes.length, 'home')}</span></div>
</article></li>`;
  });
  return page(
    brand,
    200,
    brand.tagline,
    html`<div class="hero"><img src="${site}/hero.svg" alt="" width="1200" height="800"><div class="words"><div class="wrap"><h1>${brand.tagline}</h1></div></div></div>
<div class="wrap">
${drawFinder(brand, requested, '')}
<section class="section" id="about"><p class="lead">${brand.introduction}</p></section>
${cities.length > 1 && html`<section class="section cities"><h2>Where we are</h2><ul class="grid">${cities}</ul></section>`}
<section class="section"><h2>Guests’ favourites</h2><ul class="grid">${favourites.map((property) => drawCard(operator, { property, total: null }, requested))}</ul></section>
</div>`,
  );
}

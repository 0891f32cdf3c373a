import { formatAmount, type MinorUnits } from '../../src/stay/money.ts';
import type { Operator, RateCardEntry } from '../operator.ts';
import type { Property } from '../properties.ts';
import { lowestNightly } from '../rates.ts';
import { html, type Markup } from './html.ts';
import { pathOfSite } from './page.ts';
import { queryOf, type RequestedStay } from './requested-stay.ts';
import { counted, moneyInWords } from './wording.ts';

export type PricedProperty = { readonly property: Property; readonly total: MinorUnits | null };

/** One home in a list. The price is that of the stay, or of the cheapest night when no stay is known. */
export function drawCard(
  operator: Operator,
  { property, total }: PricedProperty,
  requested: RequestedStay,
): Markup {
  const { listing } = operator.entry(property);
  const image = listing.images[0];
  const href = `${pathOfSite(operator.brand)}/stays/${property.reference}${queryOf(requested)}`;
  return html`<li><article class="card" data-reference="${property.reference}">
${image && html`<img src="${new URL(image.url).pathname}" alt="${image.alt}" width="600" height="400" loading="lazy">`}
<div class="text">
<h3><a href="${href}">${listing.name}</a></h3>
<p class="where quiet small"><span>${listing.location}</span> ${drawRating(listing.rating)}</p>
<p class="small">${listing.summary}</p>
<p class="price">${drawPrice(operator, property, total, requested)}</p>
</div></article></li>`;
}

function drawPrice(
  operator: Operator,
  property: Property,
  total: MinorUnits | null,
  { stay }: RequestedStay,
): Markup {
  const { currency } = property.city;
  if (total === null || !stay) {
    const lowest = lowestNightly(operator.entry(property).rates, currency);
    return html`<span class="quiet">Nights from ${moneyInWords(lowest, currency)}</span>`;
  }
  const nights = counted(stay.checkOut - stay.checkIn, 'night');
  return html`${drawTotal(total, currency)} <span class="quiet small">for ${nights}, all in</span>`;
}

export function drawTotal(total: MinorUnits, currency: string): Markup {
  return html`<strong data-testid="total" data-amount="${formatAmount(total, currency)}" data-currency="${currency}">${moneyInWords(total, currency)}</strong>`;
}

export function drawRating(rating: RateCardEntry['listing']['rating']): Markup {
  if (!rating) return html`<span class="rating">New</span>`;
  const reviews = rating.review_count;
  return html`<span class="rating"><b>★ ${rating.score.toFixed(1)}</b> of ${rating.scale}${typeof reviews === 'number' && html` <span class="visually-hidden">from</span> (${reviews}<span class="visually-hidden"> reviews</span>)`}</span>`;
}

import { liesIn } from '../cities.ts';
import type { Answer, DemoRequest } from '../http.ts';
import type { Operator } from '../operator.ts';
import { drawFinder, placeNamesOf } from './finder.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { drawCard, type PricedProperty } from './property-card.ts';
import { type RequestedStay, readRequestedStay } from './requested-stay.ts';
import { counted, dayInWords } from './wording.ts';

/** All homes of the brand; with a stay, only the free ones with their totals, cheapest first. */
export function answerResults(operator: Operator, { query }: DemoRequest): Answer {
  const { brand } = operator;
  const requested = readRequestedStay(query);
  const wanted = query.get('destination') ?? '';
  const placeName = placeNamesOf(brand).get(wanted);
  const destination = placeName === undefined ? '' : wanted;
  const inPlace = operator.properties.filter(({ city }) => destination === '' || liesIn(city, destination));
  const shown = free(operator, inPlace, requested);
  const where = placeName ?? 'all our cities';
  const { stay } = requested;
  const heading = stay
    ? `${counted(shown.length, 'home')} free in ${where}`
    : `${counted(shown.length, 'home')} in ${where}`;
  return page(
    brand,
    200,
    heading,
    html`<div class="wrap page">
<h1>${heading}</h1>
${stay && html`<p class="lead">${dayInWords(stay.checkIn)} to ${dayInWords(stay.checkOut)}, ${counted(stay.guests, 'guest')}</p>`}
${drawFinder(brand, requested, destination)}
<section class="section" aria-label="Homes">
${wanted !== '' && placeName === undefined && html`<div class="notice"><p>We have no homes there, so here is everything we have.</p></div>`}
${requested.isInvalid && html`<div class="notice"><p>Please choose a day to arrive and a later day to leave.</p></div>`}
${shown.length === 0 ? html`<p>Nothing is free for these dates. Another day or a shorter stay may help.</p>` : html`<ul class="grid">${shown.map((one) => drawCard(operator, one, requested))}</ul>`}
</section>
</div>`,
  );
}

function free(
  operator: Operator,
  properties: Operator['properties'],
  { stay }: RequestedStay,
): PricedProperty[] {
  if (!stay) return properties.map((property) => ({ property, total: null }));
  return properties
    .flatMap((property) => {
      const offer = operator.offer(property, stay);
      return offer.kind === 'quoted' ? [{ property, total: offer.total }] : [];
    })
    .sort((one, other) => compareCurrencies(one, other) || one.total - other.total);
}

/** Amounts of different currencies have no order, so each currency keeps together. */
function compareCurrencies(one: PricedProperty, other: PricedProperty): number {
  return one.property.city.currency.localeCompare(other.property.city.currency);
}

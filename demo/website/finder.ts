import type { Brand } from '../brands.ts';
import { CITIES, type City, cityOf } from '../cities.ts';
import { areaOf, areasAround } from '../places.ts';
import { html, type Markup } from './html.ts';
import { pathOfSite } from './page.ts';
import type { RequestedStay } from './requested-stay.ts';

export function citiesOf(brand: Brand): readonly City[] {
  return Object.keys(brand.propertyCounts).map(cityOf);
}

/** Every place in which the brand has homes: its cities, and the regions and countries around them. */
export function placeNamesOf(brand: Brand): ReadonlyMap<string, string> {
  const cities = citiesOf(brand);
  const areas = cities.flatMap((city) => areasAround(city.region));
  return new Map([...cities, ...areas].map(({ id, name }) => [id, name]));
}

/** The form that asks where, when and for how many. */
export function drawFinder(brand: Brand, requested: RequestedStay, destination: string): Markup {
  const cityOptions = CITIES.filter((city) => city.id in brand.propertyCounts);
  const countries = [...new Set(cityOptions.map((city) => city.country))].map(areaOf);
  const option = (id: string, name: string) =>
    html`<option value="${id}"${id === destination && html` selected`}>${name}</option>`;
  const where =
    brand.singleLocation !== null
      ? html`<input type="hidden" name="destination" value="${brand.singleLocation}">`
      : html`<div><label for="destination">Where</label><select id="destination" name="destination"><option value="">Anywhere</option>
${destination !== '' && !(destination in brand.propertyCounts) && option(destination, placeNamesOf(brand).get(destination) ?? destination)}
${countries.map((country) => html`<optgroup label="${country.name}">${cityOptions.filter((city) => city.country === country.id).map((city) => option(city.id, city.name))}</optgroup>`)}
</select></div>`;
  return html`<form class="finder" action="${pathOfSite(brand)}/stays" method="get" role="search" aria-label="Find a home">
${where}
${drawStayFields(requested)}
${requested.cameFrom !== null && html`<input type="hidden" name="source" value="${requested.cameFrom}">`}
<div><button type="submit">Find a home</button></div>
</form>`;
}

export function drawStayFields({ checkIn, checkOut, guests }: RequestedStay, most = 14): Markup {
  const counts = Array.from({ length: most }, (_, index) => String(index + 1));
  return html`<div><label for="check_in">Arrive</label><input id="check_in" name="check_in" type="date" value="${checkIn}" required></div>
<div><label for="check_out">Leave</label><input id="check_out" name="check_out" type="date" value="${checkOut}" required></div>
<div><label for="guests">Guests</label><select id="guests" name="guests">${counts.map((count) => html`<option${count === guests && html` selected`}>${count}</option>`)}</select></div>`;
}

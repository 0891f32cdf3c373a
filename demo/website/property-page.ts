import { type Day, firstDayOf, formatMonth, monthOf, weekdayOf } from '../../src/stay/day.ts';
import type { Answer } from '../http.ts';
import { capitalised } from '../listing.ts';
import type { Operator, RateCardEntry, Stay } from '../operator.ts';
import { areasAround } from '../places.ts';
import type { Property } from '../properties.ts';
import { drawBookingPanel, EMPTY_GUEST_FORM, type GuestForm } from './booking-panel.ts';
import { html, type Markup } from './html.ts';
import { page, pathOfSite } from './page.ts';
import { drawRating } from './property-card.ts';
import { queryOf, type RequestedStay } from './requested-stay.ts';

export function answerProperty(operator: Operator, property: Property, requested: RequestedStay): Answer {
  return propertyPage(operator, property, requested, { status: 200, notice: null, guest: EMPTY_GUEST_FORM });
}

/** The page of one home; with a notice at the top when a booking failed. */
export function propertyPage(
  operator: Operator,
  property: Property,
  requested: RequestedStay,
  { status, notice, guest }: { status: number; notice: Markup | null; guest: GuestForm },
): Answer {
  const { listing } = operator.entry(property);
  const site = pathOfSite(operator.brand);
  const { amenities, check_in_time: arrival, check_out_time: departure } = listing;
  return page(
    operator.brand,
    status,
    listing.name,
    html`<div class="wrap page">
<p class="crumbs"><a href="${site}/stays${queryOf(requested, { destination: property.city.id })}">${property.city.name}</a>, ${areasAround(
      property.city.region,
    )
      .map(({ name }) => name)
      .join(', ')}</p>
${notice && html`<div class="notice" role="alert" data-testid="notice">${notice}</div>`}
<h1>${listing.name}</h1>
<ul class="facts"><li>${listing.location}</li><li>${drawRating(listing.rating)}</li><li>${listing.summary}</li></ul>
${drawGallery(listing.images)}
<div class="columns"><div>
${amenities && html`<h2>What you will find</h2><ul class="amenities">${Object.values(amenities).map((label) => html`<li>${label}</li>`)}</ul>`}
<h2>When it is free</h2>${drawMonths(operator, property, requested.stay)}
<h2>Good to know</h2>
<p>${capitalised(property.neighbourhood)} is where you will be. ${arrival && html`Check in from ${arrival}.`} ${departure && html`Check out by ${departure}.`}</p>
<p><b>If you cancel:</b> ${listing.cancellation.summary}</p>
</div>
${drawBookingPanel(operator, property, requested, guest)}
</div></div>`,
  );
}

function drawGallery(images: RateCardEntry['listing']['images']): Markup {
  return html`<div class="gallery">${images
    .slice(0, 5)
    .map(
      ({ url, alt }) => html`<img src="${new URL(url).pathname}" alt="${alt}" width="1200" height="800">`,
    )}</div>`;
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Which nights are free, for the month of the stay (or this one) and the next. */
function drawMonths(operator: Operator, property: Property, stay: Stay | undefined): Markup {
  const first = monthOf(Math.max(stay?.checkIn ?? 0, operator.today(property)));
  return html`<div class="months">${[first, first + 1].map((month) => drawMonth(operator, property, stay, month))}</div>`;
}

function drawMonth(operator: Operator, property: Property, stay: Stay | undefined, month: number): Markup {
  const from = firstDayOf(month);
  const days = firstDayOf(month + 1) - from;
  const calendar = operator.calendar(property, from, days);
  const isFree = (day: Day) => calendar.available[day - calendar.firstDay] === 1;
  const blank = weekdayOf(from);
  const weeks = Array.from({ length: Math.ceil((blank + days) / 7) }, (_, week) => week);
  const cell = (position: number) => {
    const date = position - blank + 1;
    if (date < 1 || date > days) return html`<td></td>`;
    const day = from + date - 1;
    if (stay && day >= stay.checkIn && day < stay.checkOut && isFree(day)) {
      return html`<td class="yours">${date}<span class="visually-hidden"> your stay</span></td>`;
    }
    return isFree(day)
      ? html`<td class="free">${date}<span class="visually-hidden"> free</span></td>`
      : html`<td class="taken">${date}<span class="visually-hidden"> not free</span></td>`;
  };
  return html`<table class="month"><caption>${monthFormat.format(new Date(`${formatMonth(month)}-01T00:00:00Z`))}</caption>
<thead><tr>${WEEKDAYS.map((weekday) => html`<th scope="col">${weekday}</th>`)}</tr></thead>
<tbody>${weeks.map((week) => html`<tr>${WEEKDAYS.map((_, weekday) => cell(week * 7 + weekday))}</tr>`)}</tbody></table>`;
}

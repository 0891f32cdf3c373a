import { formatAmount, parseAmount } from '../../src/stay/money.ts';
import type { Offer, Operator } from '../operator.ts';
import type { Property } from '../properties.ts';
import { lowestNightly } from '../rates.ts';
import { drawStayFields } from './finder.ts';
import { html, type Markup } from './html.ts';
import { pathOfSite } from './page.ts';
import { drawTotal } from './property-card.ts';
import type { RequestedStay } from './requested-stay.ts';
import { counted, dayInWords, moneyInWords, REASONS_IN_WORDS } from './wording.ts';

/** The price and the booking form, beside the description of a home. */
export function drawBookingPanel(
  operator: Operator,
  property: Property,
  requested: RequestedStay,
  guest: GuestForm,
): Markup {
  const { stay } = requested;
  const offer = stay && operator.offer(property, stay);
  return html`<aside class="booking" aria-label="Price and booking">
${offer?.kind === 'quoted' && html`${drawOffer(operator, property, offer, requested)}${drawBookingForm(operator, property, offer, requested, guest)}<hr class="divider">`}
${offer?.kind === 'unavailable' && html`<div class="notice" data-testid="unavailable" role="status"><p><b>Not free for these dates.</b> ${REASONS_IN_WORDS[offer.reason]}</p></div>`}
${requested.isInvalid && html`<div class="notice" role="status"><p>Please choose a day to arrive and a later day to leave.</p></div>`}
${!offer && html`<p class="quiet">Nights from <b>${moneyInWords(lowestNightly(operator.entry(property).rates, property.city.currency), property.city.currency)}</b>. Choose your dates for the full price.</p>`}
<form action="${pathOfSite(operator.brand)}/stays/${property.reference}" method="get" aria-label="Choose dates">
${drawStayFields(requested, Math.max(property.maxGuests, stay?.guests ?? 1))}
${drawOrigin(requested)}
<button type="submit"${offer?.kind === 'quoted' && html` class="second"`}>${offer ? 'Change dates' : 'See the price'}</button>
</form></aside>`;
}

/** The source of the guest and the quote, as hidden fields. */
function drawOrigin({ cameFrom, quote }: RequestedStay): Markup {
  return html`${cameFrom !== null && html`<input type="hidden" name="source" value="${cameFrom}">`}${quote !== null && html`<input type="hidden" name="quote" value="${quote}">`}`;
}

type Quoted = Extract<Offer, { kind: 'quoted' }>;

function drawOffer(operator: Operator, property: Property, offer: Quoted, { stay }: RequestedStay): Markup {
  const { deposit } = operator.entry(property);
  const nights = stay ? stay.checkOut - stay.checkIn : 0;
  const rows = offer.lines.map(
    ({ label, amount }) =>
      html`<tr><th scope="row">${label}</th><td>${moneyInWords(amount, offer.currency)}</td></tr>`,
  );
  return html`<p class="total"><span>Total</span>${drawTotal(offer.total, offer.currency)}</p>
<p class="quiet small">${stay && html`${dayInWords(stay.checkIn)} to ${dayInWords(stay.checkOut)} · ${counted(nights, 'night')} · ${counted(stay.guests, 'guest')}.`} All taxes and fees are in it.</p>
${operator.brand.givesBreakdown && html`<table class="breakdown" data-testid="breakdown"><caption class="visually-hidden">What the price is made of</caption><tbody>${rows}</tbody></table>`}
${deposit && html`<p class="quiet small" data-testid="deposit">We also take a deposit of ${moneyInWords(parseAmount(deposit.amount, offer.currency) ?? 0, offer.currency)} and give it back after your stay.</p>`}`;
}

function drawBookingForm(
  operator: Operator,
  property: Property,
  offer: Quoted,
  requested: RequestedStay,
  guest: GuestForm,
): Markup {
  const field = (name: 'name' | 'email', label: string, type: string, autocomplete: string) => {
    const fault = guest.faults[name];
    return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${guest[name]}" maxlength="200" required${fault !== undefined && html` aria-invalid="true" aria-describedby="${name}-fault"`}>${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}</div>`;
  };
  const asksFirst = property.bookingMode === 'request';
  return html`<form action="${pathOfSite(operator.brand)}/stays/${property.reference}/book" method="post" data-testid="booking-form" aria-label="Book this home">
<input type="hidden" name="check_in" value="${requested.checkIn}"><input type="hidden" name="check_out" value="${requested.checkOut}">
<input type="hidden" name="guests" value="${requested.guests}"><input type="hidden" name="total" value="${formatAmount(offer.total, offer.currency)}">
${drawOrigin(requested)}
${field('name', 'Your name', 'text', 'name')}
${field('email', 'E-mail', 'email', 'email')}
<button class="wide" type="submit">${asksFirst ? 'Ask to book' : 'Book now'}</button>
${asksFirst && html`<p class="quiet small">The host confirms requests within a day. The nights are kept for you until then.</p>`}
</form>`;
}

/** The guest's input in the booking form, and its faults. */
export type GuestForm = {
  readonly name: string;
  readonly email: string;
  readonly faults: { readonly name?: string; readonly email?: string };
};

export const EMPTY_GUEST_FORM: GuestForm = { name: '', email: '', faults: {} };

export function readGuest(fields: URLSearchParams): GuestForm {
  const name = (fields.get('name') ?? '').trim().replaceAll(/\s+/g, ' ');
  const email = (fields.get('email') ?? '').trim();
  return {
    name,
    email,
    faults: {
      ...((name.length < 2 || name.length > 100) && { name: 'Please tell us your name.' }),
      ...(!isAddress(email) && { email: 'Please check the e-mail address, for example ana@example.com.' }),
    },
  };
}

function isAddress(text: string): boolean {
  return text.length <= 200 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$/.test(text);
}

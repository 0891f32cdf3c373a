import type { UnavailableReason } from '../../src/quotes/booking-system.ts';
import type { Random } from '../../src/random.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import { formatAmount, parseAmount } from '../../src/stay/money.ts';
import type { Bookings, GuestBooking } from '../bookings.ts';
import type { Answer, DemoRequest } from '../http.ts';
import type { Operator, Stay } from '../operator.ts';
import type { Property } from '../properties.ts';
import { EMPTY_GUEST_FORM, readGuest } from './booking-panel.ts';
import { html } from './html.ts';
import { page, pathOfSite } from './page.ts';
import { drawTotal } from './property-card.ts';
import { propertyPage } from './property-page.ts';
import { readRequestedStay } from './requested-stay.ts';
import { counted, dayInWords, REASONS_IN_WORDS } from './wording.ts';

/** Handles the booking form: redirects to the confirmation, or shows the property again with the reason. */
export function answerBooking(
  operator: Operator,
  book: (request: BookingRequest) => BookingOutcome,
  property: Property,
  { body }: DemoRequest,
): Answer {
  const fields = new URLSearchParams(body);
  const requested = readRequestedStay(fields);
  const guest = readGuest(fields);
  if (!requested.stay) {
    const notice = html`<p>Please choose a day to arrive and a later day to leave.</p>`;
    return propertyPage(operator, property, requested, { status: 422, notice, guest: EMPTY_GUEST_FORM });
  }
  if (Object.keys(guest.faults).length > 0) {
    const notice = html`<p>Nearly there: please look at your name and e-mail again.</p>`;
    return propertyPage(operator, property, requested, { status: 422, notice, guest });
  }
  const outcome = book({
    property,
    stay: requested.stay,
    name: guest.name,
    email: guest.email,
    cameFrom: requested.cameFrom,
    quote: requested.quote,
    agreedTotal: fields.get('total'),
  });
  switch (outcome.kind) {
    case 'booked': {
      const location = `${pathOfSite(operator.brand)}/bookings/${outcome.booking.code}`;
      return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
    }
    case 'unavailable': {
      const notice = html`<p><b>We are sorry, this stay cannot be booked.</b> ${REASONS_IN_WORDS[outcome.reason]} Nothing was booked; other dates may still be free.</p>`;
      return propertyPage(operator, property, requested, { status: 409, notice, guest });
    }
    case 'price_changed': {
      const notice = html`<p><b>The price has changed since you opened the page.</b> Nothing was booked; please look at the new total below.</p>`;
      return propertyPage(operator, property, requested, { status: 409, notice, guest });
    }
  }
}

export function answerConfirmation(operator: Operator, booking: GuestBooking): Answer | undefined {
  const property = operator.property(booking.reference);
  if (!property) return undefined;
  const { listing } = operator.entry(property);
  const image = listing.images[0];
  const isRequest = property.bookingMode === 'request';
  const isCancelled = booking.cancelled_at !== undefined;
  const standing = isRequest ? 'Your request is with the host' : 'Your stay is booked';
  const heading = isCancelled ? 'Your stay is cancelled' : standing;
  const promise = isRequest
    ? 'The nights are kept for you until the host has answered.'
    : `We look forward to having you in ${property.city.name}.`;
  const day = (text: string) => dayInWords(parseDay(text) ?? 0);
  return page(
    operator.brand,
    200,
    heading,
    html`<div class="wrap page">
<h1>${heading}</h1>
<p class="lead">Thank you, ${booking.name}. ${isCancelled ? 'We hope to see you another time.' : promise}</p>
<section class="receipt" data-testid="confirmation" aria-label="Confirmation">
${image && html`<img src="${new URL(image.url).pathname}" alt="${image.alt}" width="1200" height="800">`}
<div class="text">
<p class="quiet small">Booking code</p>
<p class="code" data-testid="booking-code">${booking.code}</p>
<h2>${listing.name}</h2>
<dl>
<dt>Where</dt><dd>${listing.location}</dd>
<dt>Arrive</dt><dd>${day(booking.check_in)}${listing.check_in_time && `, from ${listing.check_in_time}`}</dd>
<dt>Leave</dt><dd>${day(booking.check_out)}${listing.check_out_time && `, by ${listing.check_out_time}`}</dd>
<dt>Guests</dt><dd>${counted(booking.guests, 'guest')}</dd>
<dt>E-mail</dt><dd>${booking.email}</dd>
</dl>
<p class="total"><span>Total</span>${drawTotal(parseAmount(booking.total, booking.currency) ?? 0, booking.currency)}</p>
<p class="quiet small">${listing.cancellation.summary}</p>
</div></section>
${!isCancelled && html`<form action="${pathOfSite(operator.brand)}/bookings/${booking.code}/cancel" method="post"><button class="second" type="submit">Cancel this stay</button></form>`}
<p><a class="button" href="${pathOfSite(operator.brand)}/">Back to ${operator.brand.name}</a></p>
</div>`,
  );
}

type BookingRequest = {
  readonly property: Property;
  readonly stay: Stay;
  readonly name: string;
  readonly email: string;
  readonly cameFrom: string | null;
  readonly quote: string | null;
  /** The total that the guest saw and agreed to; null when the form did not say. */
  readonly agreedTotal: string | null;
};

export type BookingOutcome =
  | { readonly kind: 'booked'; readonly booking: GuestBooking }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason }
  | { readonly kind: 'price_changed' };

/** Synchronous from check to write, so that two guests never book the same night. */
export function createBook(dependencies: {
  readonly operator: Operator;
  readonly bookings: Bookings;
  readonly random: Random;
  readonly now: () => number;
}): (request: BookingRequest) => BookingOutcome {
  const { operator, bookings, random, now } = dependencies;
  return ({ property, stay, name, email, cameFrom, quote, agreedTotal }) => {
    const offer = operator.offer(property, stay);
    if (offer.kind === 'unavailable') return offer;
    const total = formatAmount(offer.total, offer.currency);
    if (agreedTotal !== null && agreedTotal !== total) return { kind: 'price_changed' };
    const booking: GuestBooking = {
      code: newCode(operator.brand.prefix, random),
      source: operator.brand.source,
      reference: property.reference,
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests: stay.guests,
      name,
      email,
      total,
      currency: offer.currency,
      came_from: cameFrom,
      quote,
      booked_at: new Date(now()).toISOString(),
    };
    bookings.add(booking);
    return { kind: 'booked', booking };
  };
}

/** Without letters and digits that are easily confused. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function newCode(prefix: string, random: Random): string {
  const letters = [...random.bytes(10)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
  return `${prefix}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}

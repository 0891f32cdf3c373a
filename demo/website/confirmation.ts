import { parseDay } from '../../src/stay/day.ts';
import { parseAmount } from '../../src/stay/money.ts';
import type { GuestBooking } from '../bookings.ts';
import type { Answer } from '../http.ts';
import type { Operator } from '../operator.ts';
import { html } from './html.ts';
import { page, pathOfSite } from './page.ts';
import { drawTotal } from './property-card.ts';
import { counted, dayInWords } from './wording.ts';

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

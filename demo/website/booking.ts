import type { BookingOutcome, BookingRequest } from '../book.ts';
import type { Answer, DemoRequest } from '../http.ts';
import type { Operator } from '../operator.ts';
import type { Property } from '../properties.ts';
import { EMPTY_GUEST_FORM, readGuest } from './guest.ts';
import { html } from './html.ts';
import { pathOfSite } from './page.ts';
import { propertyPage } from './property-page.ts';
import { readRequestedStay } from './requested-stay.ts';
import { REASONS_IN_WORDS } from './wording.ts';

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

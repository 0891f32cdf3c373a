import type { BookingsPage } from '../../src/connectors/open/protocol.ts';
import type { Bookings } from '../bookings.ts';
import type { Answer, DemoRequest } from '../http.ts';
import { badRequest, json } from './json-answer.ts';

const PAGE_SIZE = 100;
/** What links of the network carry as their source. */
const MARKER = 'staywire';

/** The bookings of an operator that came from the network, without anything about guests. */
export function answerBookings(source: string, bookings: Bookings, { query }: DemoRequest): Answer {
  const since = Date.parse(query.get('since') ?? '');
  const page = Number(query.get('page') ?? '1');
  if (Number.isNaN(since)) return badRequest('since is not an instant.');
  if (!Number.isInteger(page) || page < 1) return badRequest('There is no such page.');
  const changed = bookings
    .ofBrand(source)
    .filter((one) => one.came_from === MARKER)
    .filter((one) => Date.parse(one.cancelled_at ?? one.booked_at) >= since);
  const answer: BookingsPage = {
    bookings: changed.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => ({
      reference: one.code,
      quote: one.quote ?? null,
      status: one.cancelled_at === undefined ? 'booked' : 'cancelled',
      booked_at: one.booked_at,
      amount: one.total,
      currency: one.currency,
    })),
    next_page: changed.length > page * PAGE_SIZE ? String(page + 1) : null,
  };
  return json(200, answer);
}

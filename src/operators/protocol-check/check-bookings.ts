import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { shownText } from '../../quotes/held-back-value.ts';
import { bookingsPath, MAX_BOOKINGS_PAGES, pageParameter } from '../open/read-bookings.ts';
import { parseBookingsPage, readBookingEntry } from '../open/read-bookings-page.ts';
import type { CallServer } from './call-server.ts';
import { ruleOfDocument } from './check-catalogue.ts';
import { PROTOCOL_RULES, type ProtocolRule } from './protocol-rules.ts';
import type { VerdictCollector } from './verdict.ts';

const REACH_MS = 30 * 86_400_000;

/** Reads the bookings of the last month, if the server tells them; resolves with whether it does. */
export async function checkBookings(
  server: CallServer,
  collector: VerdictCollector,
  now: number,
): Promise<boolean> {
  const since = bookingsPath(now - REACH_MS).slice('/bookings'.length);
  const seen = new Set<string>();
  let bookings = 0;
  for (let query: string | null = since; query !== null; ) {
    const place = `GET /bookings${shownText(query)}`;
    const isLoop = seen.has(query);
    if (isLoop || seen.size >= MAX_BOOKINGS_PAGES) {
      const found = isLoop ? 'a page that was read before' : `more than ${MAX_BOOKINGS_PAGES} pages`;
      fault(collector, isLoop ? 'page_loop' : 'too_many_pages', { place: `${place} next_page`, found });
      break;
    }
    const answer = await server.bookings(query);
    if (answer.kind !== 'document') return seen.size > 0;
    seen.add(query);
    collector.begin('bookings');
    try {
      const page = parseBookingsPage(answer.bytes);
      for (const [index, entry] of page.bookings.entries()) {
        checkEntry(entry, `${place} bookings/${index}`, now, collector);
      }
      bookings += page.bookings.length;
      query = page.next_page === null ? null : `${since}&page=${pageParameter(page.next_page)}`;
    } catch (error) {
      if (!(error instanceof BookingSystemFailure)) throw error;
      fault(collector, ruleOfDocument(error, 'bookings_shape'), { place, found: error.message });
      break;
    }
  }
  collector.passed('bookings', `${bookings} bookings`);
  return true;
}

function checkEntry(entry: unknown, place: string, now: number, collector: VerdictCollector): void {
  const reading = readBookingEntry(entry, { brand: 'check', now });
  if (reading.kind === 'valid') return;
  for (const one of reading.faults) {
    const member = 'member' in one ? one.member : one.path;
    fault(
      collector,
      'booking_unreadable',
      { place: member === '' ? place : `${place}/${member}`, found: one.reason },
      'remedy' in one ? one.remedy : undefined,
    );
  }
}

function fault(
  collector: VerdictCollector,
  rule: ProtocolRule,
  where: { readonly place: string; readonly found: string },
  remedy?: string,
): void {
  const { expected, example } = PROTOCOL_RULES[rule];
  collector.fault('bookings', { ...where, rule, expected: remedy ?? expected, example, milliseconds: null });
}

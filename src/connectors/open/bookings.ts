import type { BrandId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { CallOptions, JsonClient, JsonDocument } from '../../outbound/operator-client.ts';
import type { BookingReports, ReportedBooking } from '../../quotes/booking.ts';
import type { Intake } from '../shared/intake/intake.ts';

export const MAX_BOOKINGS_PAGES = 50;
/** The statuses of servers that do not implement the call. */
export const STATUSES_WITHOUT_THE_CALL: readonly number[] = [404, 405, 501];

export type ReadBookings = (since: number, options: CallOptions) => Promise<BookingReports | null>;

/** Reads all pages of `GET /bookings`, one by one; null when the server does not have this call. */
export function createBookingsReader({
  client,
  brand,
  intake,
  clock,
}: {
  readonly client: JsonClient;
  readonly brand: BrandId;
  readonly intake: Intake;
  readonly clock: Pick<Clock, 'now'>;
}): ReadBookings {
  return async (since, options) => {
    const address = bookingsPath(since);
    const bookings: ReportedBooking[] = [];
    const seen = new Set<string>();
    let leftOut = 0;
    for (let path: string | null = address; path !== null; ) {
      if (seen.has(path)) throw new BookingSystemFailure('garbled', 'the pages of bookings form a loop');
      if (seen.size >= MAX_BOOKINGS_PAGES) {
        throw new BookingSystemFailure(
          'too_large',
          `there are more than ${MAX_BOOKINGS_PAGES} pages of bookings`,
        );
      }
      const page = await readPage(path, options, seen.size === 0);
      if (page === null) return null;
      seen.add(path);
      const { summary } = await intake.run({
        task: 'bookings_page',
        lane: 'background',
        brand,
        document: page.bytes,
        parameters: { brand, now: clock.now() },
        signal: options.signal,
        take: (items) => bookings.push(...items),
      });
      leftOut += summary.leftOut;
      path = summary.nextPage === null ? null : `${address}&page=${pageParameter(summary.nextPage)}`;
    }
    return { bookings, leftOut };
  };

  /** Null when the server does not have the first page. A later page must exist, because the server named it. */
  async function readPage(
    path: string,
    options: CallOptions,
    isFirst: boolean,
  ): Promise<JsonDocument | null> {
    let status = 0;
    const onAnswer = (answered: number) => {
      status = answered;
    };
    try {
      const answer = await client.get(path, { ...options, onAnswer });
      if (answer.kind === 'document') return answer;
      throw new BookingSystemFailure('garbled', 'a page was called unchanged that was never read');
    } catch (failure) {
      if (isFirst && STATUSES_WITHOUT_THE_CALL.includes(status)) return null;
      throw failure;
    }
  }
}

export function bookingsPath(since: number): string {
  return `/bookings?since=${encodeURIComponent(new Date(since).toISOString())}`;
}

export function pageParameter(page: string): string {
  return encodeURIComponent(page.toWellFormed());
}

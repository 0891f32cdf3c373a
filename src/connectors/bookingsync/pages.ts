import type { ReadHeader } from '../../outbound/read-answer.ts';
import type { IntakeItem, IntakeParameters } from '../shared/intake/intake.ts';
import type { CallPass, VendorCalls } from '../shared/vendors/vendor-calls.ts';
import { readPages } from '../shared/vendors/vendor-calls.ts';
import type { BookingsyncPage } from './payloads.ts';

/** The tasks that read a page of a list. */
export type BookingsyncTask =
  | 'bookingsync_rentals'
  | 'bookingsync_records'
  | 'bookingsync_calendar_parts'
  | 'bookingsync_search';

export type BookingsyncList<Name extends BookingsyncTask> = CallPass & {
  /** Without the page number; may have a query. */
  readonly path: string;
  readonly task: Name;
  readonly parameters: IntakeParameters<Name>;
  /** For all pages together. */
  readonly maxBytes?: number;
  readonly maxPages?: number;
  /** Receives each page, and returns whether to read the next. */
  readonly onPage: (items: readonly IntakeItem<Name>[], bytes: number) => boolean | Promise<boolean>;
};

export type ReadBookingsyncList = <Name extends BookingsyncTask>(
  list: BookingsyncList<Name>,
) => Promise<void>;

/** The context for reading related lists during one reading of the catalogue. */
export type ReadingOfLists = {
  readonly readList: ReadBookingsyncList;
  readonly language: string;
  readonly pass: CallPass;
  /** Counts the bytes that the vendor sent. */
  readonly sent: (bytes: number) => void;
};

/** The largest page in the vendor's samples; the vendor sends fewer records where its limit is lower. */
const PER_PAGE = 100;
const MAX_PAGES = 1000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Reads the pages of a list one after the other, by page number: addresses in the vendor's headers are never followed. */
export function createBookingsyncListReader(calls: Pick<VendorCalls, 'read'>): ReadBookingsyncList {
  return async ({ path, onPage, maxBytes = Number.POSITIVE_INFINITY, maxPages = MAX_PAGES, ...call }) => {
    let bytesLeft = maxBytes;
    await readPages({ of: 'a list', max: maxPages }, async (index) => {
      const page = index + 1;
      const query = `${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PER_PAGE}`;
      const answer = await calls.read({
        ...call,
        path: path + query,
        maxBytes: Math.min(MAX_PAGE_BYTES, bytesLeft),
      });
      bytesLeft -= answer.bytes;
      // Each of these tasks returns this summary.
      const { pages } = answer.summary as BookingsyncPage;
      const isMoreWanted = await onPage(answer.items, answer.bytes);
      return { isLast: !isMoreWanted || !hasNextPage(page, answer.header, pages) };
    });
  };
}

function hasNextPage(page: number, header: ReadHeader, pagesInBody: number | null): boolean {
  const pages = Number(header('x-total-pages') ?? pagesInBody ?? 0);
  return page < pages || /;\s*rel="?next"?/.test(header('link') ?? '');
}

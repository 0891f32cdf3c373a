import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';

/** How a page ended. */
export type PageEnd = {
  readonly isLast: boolean;
  /** What no other page has, such as its first record; null or left out when there is nothing of the kind. */
  readonly mark?: string | null;
};

/** Reads pages, counted from 0, one after the other. A vendor may send them without end, or the same one again. */
export async function readPages(
  { of: name, max }: { readonly of: string; readonly max: number },
  readPage: (page: number) => Promise<PageEnd>,
): Promise<void> {
  const marks = new Set<string>();
  for (let page = 0; page < max; page += 1) {
    const { isLast, mark = null } = await readPage(page);
    if (mark !== null && marks.has(mark)) {
      throw new BookingSystemFailure('garbled', `the pages of the ${name} form a loop`);
    }
    if (isLast) return;
    if (mark !== null) marks.add(mark);
  }
  throw new BookingSystemFailure('too_large', `there are more than ${max} pages of ${name}`);
}

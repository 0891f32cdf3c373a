import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { ReadingOfLists } from './bookingsync-pages.ts';
import type { BookingsyncRecordOf } from './records.ts';

type AccountPolicy = BookingsyncRecordOf<'rental_cancelation_policies'>;

/** The default policies of accounts, by account; those that have none are missing. */
export type ReadAccountPolicies = (
  accounts: readonly string[],
) => Promise<ReadonlyMap<string, AccountPolicy>>;

/** The list may hold a copy for each booking, so that it is not read to the end at any price. */
const MAX_PAGES = 20;
/** A brand has one as a rule; each has a policy that is kept, and may cost a reading of the list. */
const MAX_ACCOUNTS = 200;

/** For one reading of the catalogue: the list is read once, and only when a rental has no policy of its own. */
export function createReadAccountPolicies({
  readList,
  language,
  pass,
  sent,
}: ReadingOfLists): ReadAccountPolicies {
  const known = new Map<string, AccountPolicy>();
  const sought = new Set<string>();

  async function readUntilFound(accounts: readonly string[]): Promise<void> {
    let pages = 0;
    await readList({
      path: '/rental_cancelation_policies',
      task: 'bookingsync_records',
      parameters: { resource: 'rental_cancelation_policies', language, asked: null },
      ...pass,
      onPage(records, bytes) {
        sent(bytes);
        pages += 1;
        for (const record of records) {
          if (record.resource !== 'rental_cancelation_policies' || record.account === null) continue;
          if (sought.has(record.account)) known.set(record.account, record);
        }
        return pages < MAX_PAGES && accounts.some((account) => !known.has(account));
      },
    });
  }

  return async (accounts) => {
    const missing = [...new Set(accounts)].filter((account) => !known.has(account) && !sought.has(account));
    const added = missing.slice(0, Math.max(0, MAX_ACCOUNTS - sought.size));
    for (const account of added) sought.add(account);
    try {
      if (added.length > 0) await readUntilFound(added);
    } catch (failure) {
      // Without the list the rentals have no policy, which is said of each of them.
      if (!(failure instanceof BookingSystemFailure) || failure.kind !== 'rejected') throw failure;
    }
    return known;
  };
}

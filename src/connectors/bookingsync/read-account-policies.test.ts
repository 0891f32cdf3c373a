import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import type { ReadBookingsyncList } from './bookingsync-pages.ts';
import { createReadAccountPolicies } from './read-account-policies.ts';
import { bookingsyncRecord } from './records.ts';

const policyOf = (id: number, changes: object) =>
  bookingsyncRecord('rental_cancelation_policies', { id, body: `Policy ${id}.`, ...changes }, 'en');
const ofAccount = (id: number, account: number) =>
  policyOf(id, { policeable_type: 'Account', policeable_id: account });
const ofBooking = (id: number) => policyOf(id, { policeable_type: 'Booking', policeable_id: 7 });

/** A list of which page after page is given, for as long as it is wanted. */
function readerOf(pageAt: (page: number) => readonly unknown[] | undefined) {
  let pages = 0;
  const readList = (async ({ onPage }: { onPage: (items: never, bytes: number) => boolean }) => {
    for (let page = 1; ; page += 1) {
      const items = pageAt(page);
      if (items === undefined) return;
      pages += 1;
      if (!onPage(items as never, 100)) return;
    }
  }) as ReadBookingsyncList;
  const read = createReadAccountPolicies({
    readList,
    language: 'en',
    pass: { signal: new AbortController().signal },
    sent() {},
  });
  return { read, pages: () => pages };
}

describe('the policies of accounts', () => {
  it('are known by what they belong to, wherever the vendor writes it', () => {
    assert.equal(ofAccount(1, 7)?.account, '7');
    assert.equal(policyOf(1, { links: { policeable_type: 'Account', policeable_id: 7 } })?.account, '7');
    assert.equal(policyOf(1, { policeable_type: 'Account', links: { account: 7 } })?.account, '7');
    assert.equal(ofBooking(1)?.account, null);
    assert.equal(policyOf(1, { links: { account: 7, rental: 1 } })?.account, null);
  });

  it('are looked for page by page until they are found, and not again', async () => {
    const { read, pages } = readerOf((page) => [ofBooking(page), ...(page === 3 ? [ofAccount(90, 7)] : [])]);
    assert.equal((await read([])).size, 0);
    assert.equal(pages(), 0, 'nothing is read for rentals that all have a policy');
    assert.equal((await read(['7', '7'])).get('7')?.text, 'Policy 90.');
    assert.equal((await read(['7'])).get('7')?.id, '90');
    assert.equal(pages(), 3);
  });

  it('are given up when there are none among many copies for bookings', async () => {
    const { read, pages } = readerOf((page) => [ofBooking(page)]);
    assert.equal((await read(['7'])).size, 0);
    assert.equal((await read(['7'])).size, 0);
    assert.equal(pages(), 20);
  });

  it('are kept of accounts that have rentals, and of two hundred at most', async () => {
    const accounts = Array.from({ length: 500 }, (_, account) => account + 1);
    const { read } = readerOf(() => accounts.map((account) => ofAccount(account, account)));
    assert.deepEqual([...(await read(['7', '9'])).keys()], ['7', '9']);
    assert.equal((await read(accounts.map(String))).size, 200);
  });

  it('are none when the list is refused, but any other failure fails the catalogue', async () => {
    const failing = (kind: FailureKind) =>
      readerOf(() => {
        throw new BookingSystemFailure(kind, 'no');
      }).read(['7']);
    assert.equal((await failing('rejected')).size, 0);
    await assert.rejects(failing('server_error'), BookingSystemFailure);
  });
});

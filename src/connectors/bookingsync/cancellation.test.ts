import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import { bookingsyncCancellation, createReadAccountPolicies } from './cancellation.ts';
import type { ReadBookingsyncList } from './pages.ts';
import { bookingsyncRecord } from './payloads.ts';

const policy = {
  resource: 'rental_cancelation_policies',
  id: '5',
  account: null,
  text: 'As we say.',
  preset: '',
  items: [],
} as const;
const step = (days: number, percent: number) =>
  ({ resource: 'rental_cancelation_policy_items', id: String(days), days, percent }) as const;

/** By default with the steps that the policy names. */
function read(
  changes: { text?: string; preset?: string; items?: readonly string[] },
  steps: readonly ReturnType<typeof step>[] = [],
  checkIn: string | null = '16:00',
) {
  return bookingsyncCancellation({ ...policy, items: steps.map(({ id }) => id), ...changes }, steps, checkIn);
}

describe('the policy of a rental', () => {
  it('is repeated word for word', () => {
    assert.deepEqual(read({}), { summary: 'As we say.', free_until: null, refundable: null });
  });

  it('without words is free until the day before its first penalty', () => {
    assert.deepEqual(read({ text: '' }, [step(7, 100), step(30, 50)]), {
      summary:
        'From 30 days before check-in, 50 % of the price is kept. From 7 days before check-in, 100 % of the price is kept.',
      free_until: { days_before: 31, time: '23:59' },
      refundable: true,
    });
  });

  it('is not free under words of its own, which may keep a down-payment, unless a step says so', () => {
    // The vendor's sample.
    const text = 'In case of cancelation the downpayment paid upon booking is non-refundable.';
    const nothing = { summary: text, free_until: null, refundable: null };
    assert.deepEqual(read({ text }, [step(120, 10)]), nothing);
    assert.deepEqual(read({ text }, [step(120, 10), step(60, 0)]), nothing);
    assert.deepEqual(read({ text }, [step(30, 50), step(365, 0)]), {
      summary: text,
      free_until: { days_before: 31, time: '23:59' },
      refundable: true,
    });
  });

  it('promises nothing that its steps do not say', () => {
    for (const steps of [[], [step(400, 100)], [step(30, 0)]]) {
      const { free_until, refundable } = Object(read({ text: '', preset: 'own' }, [...steps, step(400, 5)]));
      assert.deepEqual([free_until, refundable], [null, null]);
    }
  });

  it('promises nothing when a step could not be read', () => {
    const { free_until, refundable } = Object(read({ text: '', items: ['30', '60'] }, [step(30, 50)]));
    assert.deepEqual([free_until, refundable], [null, null]);
  });

  for (const [preset, free, words] of [
    ['flexible', { days_before: 1, time: '16:00' }, /24 hours before check-in/],
    ['moderate', { days_before: 5, time: '16:00' }, /5 days before check-in/],
    ['strict', null, /within 48 hours/],
    ['moderate20200317', { days_before: 5, time: '16:00' }, /half of the stay/],
    ['strict20200317', null, /7 days before check-in/],
  ] as const) {
    it(`is as the vendor documents its preset ${preset}`, () => {
      const { summary, ...structured } = Object(read({ text: ' ', preset }));
      assert.match(summary, words);
      assert.deepEqual(structured, { free_until: free, refundable: true });
      assert.deepEqual(read({ preset }), { summary: 'As we say.', free_until: free, refundable: true });
    });
  }

  it('promises no hour more than midnight when the hour of check-in is not known', () => {
    const { free_until } = Object(read({ preset: 'flexible' }, [], null));
    assert.deepEqual(free_until, { days_before: 1, time: '00:00' });
  });

  it('is missing when there is none, or one that says nothing', () => {
    assert.equal(bookingsyncCancellation(undefined, [], null), undefined);
    assert.equal(read({ text: '', preset: 'constructor' }), undefined);
  });
});

const policyOf = (id: number, changes: object) =>
  bookingsyncRecord('rental_cancelation_policies', { id, body: `Policy ${id}.`, ...changes }, 'en');
const ofAccount = (id: number, account: number) =>
  policyOf(id, { policeable_type: 'Account', policeable_id: account });
const ofBooking = (id: number) => policyOf(id, { policeable_type: 'Booking', policeable_id: 7 });

/** Serves the pages of a list one after the other until the reader stops. */
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

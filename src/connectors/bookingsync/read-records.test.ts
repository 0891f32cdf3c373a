import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { readAllAmenities } from './catalogue.ts';
import type { ReadBookingsyncList } from './pages.ts';
import type { BookingsyncResource } from './payloads.ts';
import { readBookingsyncRecords } from './payloads.ts';

const signal = new AbortController().signal;

function read(resource: BookingsyncResource, records: readonly unknown[], asked: readonly string[] | null) {
  const document = new TextEncoder().encode(JSON.stringify({ [resource]: records }));
  return [...readBookingsyncRecords(document, { resource, language: 'en', asked })];
}
const policy = (id: number) => ({ id, body: 'p'.repeat(20_000) });

describe('a page of records', () => {
  it('has each record once, and only those that were asked for', () => {
    const policies = Array.from({ length: 400 }, (_, index) => policy(1 + (index % 200)));
    const idsOf = (asked: readonly string[] | null) =>
      read('rental_cancelation_policies', policies, asked).map(({ id }) => id);
    assert.deepEqual(idsOf(['7', '9', '999']), ['7', '9']);
    assert.equal(idsOf(null).length, 200);
  });

  it('brings amenities in our words', () => {
    const amenities = [
      { id: 1, key: 'bbq' },
      { id: 2, key: 'moat' },
      { id: 3, key: '' },
    ];
    assert.deepEqual(read('amenities', amenities, null), [
      {
        resource: 'amenities',
        id: '1',
        mapped: { amenities: { barbecue: 'Barbecue' }, unmapped: [] },
      },
      { resource: 'amenities', id: '2', mapped: { amenities: null, unmapped: ['moat'] } },
    ]);
  });

  it('is refused with more than a thousand', () => {
    const amenities = (count: number) => Array.from({ length: count }, (_, id) => ({ id, key: `key ${id}` }));
    assert.equal(read('amenities', amenities(1000), null).length, 1000);
    assert.throws(
      () => read('amenities', amenities(1001), null),
      (error) => error instanceof BookingSystemFailure && error.kind === 'too_large',
    );
  });
});

describe('the list of amenities', () => {
  /** The pages read and the bytes counted of an endless list. */
  async function readEndless(idsOn: (page: number) => readonly number[]) {
    let pages = 0;
    let bytes = 0;
    const readList: ReadBookingsyncList = async ({ onPage }) => {
      let isMoreWanted = true;
      while (isMoreWanted) {
        const items = idsOn(pages).map((id) => ({
          resource: 'amenities',
          id: String(id),
          mapped: { amenities: null, unmapped: [] },
        }));
        pages += 1;
        isMoreWanted = await onPage(items as never, 100);
      }
    };
    const sent = (some: number) => {
      bytes += some;
    };
    const names = await readAllAmenities(readList, { pass: { signal }, sent });
    return { pages, bytes, names: names.size };
  }

  it('ends with a page that tells nothing new', async () => {
    assert.deepEqual(await readEndless(() => [1, 2]), { pages: 2, bytes: 200, names: 2 });
  });

  it('ends when there are more than any vendor has', async () => {
    const hundred = (page: number) => Array.from({ length: 100 }, (_, index) => page * 100 + index);
    assert.deepEqual(await readEndless(hundred), { pages: 20, bytes: 2000, names: 2000 });
  });
});

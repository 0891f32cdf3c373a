import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDay } from '../../stay/day.ts';
import { createBookingsyncCalendarReader } from './calendar.ts';
import { createReadRelated } from './catalogue.ts';
import type { ReadBookingsyncList } from './pages.ts';

const signal = new AbortController().signal;
const FROM = parseDay('2027-03-10') ?? 0;
const horizon = { from: FROM, nights: 4 };
const rental = (number: string) => ({
  availability: `${number}1`,
  changeOver: `${number}2`,
  nightlyRateMap: `${number}3`,
  minimumStay: 2,
  currency: 'EUR',
  maxGuests: 4,
  maximumStay: null,
});
const rentals = new Map([
  ['5', rental('5')],
  ['6', rental('6')],
]);

/** Lists by path; other paths are refused, as by the vendor. */
function vendorWith(lists: Readonly<Record<string, readonly unknown[] | 'server_error'>>) {
  const asked: string[] = [];
  const readList: ReadBookingsyncList = async ({ path, parameters, onPage }) => {
    asked.push(path);
    const items = lists[path];
    if (items === undefined) throw new BookingSystemFailure('rejected', 'the operator answered with 404');
    if (items === 'server_error')
      throw new BookingSystemFailure('server_error', 'the operator answered with 500');
    // The reading thread leaves out records that were not requested.
    const currencies = 'currencies' in parameters ? parameters.currencies : null;
    const wanted = items.filter(
      (item) => !currencies || currencies.has((item as { readonly rental: string }).rental),
    );
    await onPage(wanted as never, 100);
  };
  return { asked, readList };
}

const nights = (number: string, signs: string) => ({ kind: 'nights', rental: number, signs });
const changes = (number: string) => ({ kind: 'changes', rental: number, signs: 'CCCC' });
const rates = (number: string, minimumStay: number) => ({
  kind: 'rates',
  rental: number,
  nights: {
    ratedFrom: new Int32Array(4).fill(FROM),
    minimumStay: new Uint16Array(4).fill(minimumStay),
    price: new Uint32Array(4).fill(8000),
  },
});
const MAPS = {
  '/availabilities/51,61?from=20270310&priced_only=true': [nights('5', '0011'), nights('6', '1100')],
  '/change_overs/52,62': [changes('5'), changes('6')],
};

describe('the calendars of several rentals', () => {
  it('are read by their numbers, with rates where the token may read them', async () => {
    const { asked, readList } = vendorWith({
      ...MAPS,
      '/rates?rental_id=5,6': [rates('5', 3), rates('6', 4)],
    });
    const reader = createBookingsyncCalendarReader({
      readList,
      budget: DEFAULT_BRAND_BUDGET,
      rateSources: ['nightly_rate_maps', 'rates'],
    });
    const readings = await reader.read(rentals, horizon, { signal });
    const found = [...readings].map(([reference, reading]) => {
      assert.ok(reading.kind === 'valid');
      return [reference, [...reading.value.available], reading.value.minimumStay[0]];
    });
    assert.deepEqual(found, [
      ['5', [1, 1, 0, 0], 3],
      ['6', [0, 0, 1, 1], 4],
    ]);
    asked.length = 0;
    await reader.read(rentals, horizon, { signal });
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/nightly')),
      [],
      'a source that was refused is not asked again',
    );
  });

  it('are found in the whole list where numbers are refused, without those of others', async () => {
    const { asked, readList } = vendorWith({
      '/availabilities?from=20270310&priced_only=true': [
        nights('9', '0000'),
        nights('6', '1100'),
        nights('5', '0011'),
      ],
      '/change_overs': [changes('6'), changes('5')],
    });
    const reader = createBookingsyncCalendarReader({
      readList,
      budget: DEFAULT_BRAND_BUDGET,
      rateSources: ['rates'],
    });
    for (let round = 0; round < 2; round += 1) {
      asked.length = 0;
      const readings = await reader.read(rentals, horizon, { signal });
      assert.deepEqual([...readings.keys()], ['5', '6']);
      for (const reading of readings.values()) {
        assert.ok(reading.kind === 'valid');
        // Only the facts of the rental itself are known.
        assert.deepEqual([...reading.value.minimumStay], [2, 2, 2, 2]);
      }
    }
    assert.deepEqual(asked, ['/availabilities?from=20270310&priced_only=true', '/change_overs']);
  });

  it('are not read without a failure of the vendor being seen', async () => {
    const { readList } = vendorWith({ ...MAPS, '/rates?rental_id=5,6': 'server_error' });
    const reader = createBookingsyncCalendarReader({
      readList,
      budget: DEFAULT_BRAND_BUDGET,
      rateSources: ['rates'],
    });
    await assert.rejects(reader.read(rentals, horizon, { signal }), /500/);
  });

  it('are read within what the rentals that were asked for can need', async () => {
    const limits: Record<string, readonly unknown[]> = {};
    const { readList } = vendorWith({ ...MAPS, '/rates?rental_id=5,6': [rates('5', 3)] });
    const reader = createBookingsyncCalendarReader({
      readList: async (list) => {
        limits[list.path.split(/[/?]/)[1] ?? ''] = [list.maxPages, list.maxBytes];
        await readList(list);
      },
      budget: DEFAULT_BRAND_BUDGET,
      rateSources: ['rates'],
    });
    await reader.read(rentals, horizon, { signal });
    const maxBytes = 2 * 768 * 1024;
    assert.deepEqual(limits, {
      availabilities: [2, maxBytes],
      change_overs: [2, maxBytes],
      rates: [44, maxBytes],
    });
  });

  it('end with the page on which the last map is, whatever the vendor says of a next one', async () => {
    const wanted: boolean[] = [];
    const reader = createBookingsyncCalendarReader({
      readList: async ({ path, onPage }) => {
        if (!path.startsWith('/availabilities')) return;
        for (const number of ['5', '6']) wanted.push(await onPage([nights(number, '0011')] as never, 100));
      },
      budget: DEFAULT_BRAND_BUDGET,
      rateSources: [],
    });
    await reader.read(rentals, horizon, { signal });
    assert.deepEqual(wanted, [true, false]);
  });

  it('count what is sent against the budget of the brand', async () => {
    const { readList } = vendorWith(MAPS);
    const reader = createBookingsyncCalendarReader({
      readList,
      budget: { listings: 10, bytes: 20 },
      rateSources: ['rates'],
    });
    await assert.rejects(
      reader.read(rentals, horizon, { signal }),
      /more than four times its budget\.megabytes/,
    );
    const changes = createBookingsyncCalendarReader({
      readList: async ({ onPage }) => void (await onPage([], 100)),
      budget: { listings: 10, bytes: 20 },
      rateSources: ['rates'],
    });
    assert.equal(await changes.changedSince(0, signal), null);
  });

  it('may have changed, or the vendor does not tell', async () => {
    const instant = Date.UTC(2027, 2, 1, 12, 30, 15, 500);
    const since = 'updated_since=2027-03-01T12%3A30%3A15Z';
    const lists = {
      [`/availabilities?${since}`]: [nights('5', '0')],
      [`/change_overs?${since}`]: [changes('6'), changes('5')],
      [`/rates?${since}`]: [],
    };
    const changedWith = (readList: ReadBookingsyncList) =>
      createBookingsyncCalendarReader({
        readList,
        budget: DEFAULT_BRAND_BUDGET,
        rateSources: ['rates'],
      }).changedSince(instant, signal);
    assert.deepEqual(await changedWith(vendorWith(lists).readList), ['5', '6']);
    assert.equal(await changedWith(vendorWith({}).readList), null);
  });
});

describe('records that did not come with their rental', () => {
  const photo = (id: string) => ({
    resource: 'photos',
    id,
    position: 1,
    image: { url: '', alt: '', type: 'other' },
  });
  const relatedOf = (readList: ReadBookingsyncList) =>
    createReadRelated({ readList, language: 'en', pass: { signal }, sent: () => undefined });

  it('are read by their numbers, fifty at a time and each once', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => String(index + 1));
    const { asked, readList } = vendorWith({
      [`/photos/${ids.slice(0, 50).join()}`]: ids.slice(0, 50).map(photo),
      [`/photos/${ids.slice(50).join()}`]: ids.slice(50).map(photo),
    });
    const found = await relatedOf(readList)('photos', [...ids, '1']);
    assert.deepEqual([[...found.keys()], asked.length], [ids, 2]);
  });

  it('are found in the whole list where numbers are refused, which is read once', async () => {
    const { asked, readList } = vendorWith({ '/photos': ['1', '2', '3'].map(photo) });
    const related = relatedOf(readList);
    assert.ok((await related('photos', ['1'])).has('1'));
    assert.ok((await related('photos', ['2'])).has('2'));
    assert.deepEqual(asked, ['/photos/1', '/photos']);
    assert.deepEqual(await related('photos', []), new Map());
  });
});

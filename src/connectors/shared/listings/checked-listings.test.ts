import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainContext, plainListing } from '../../../../test/support/plain-listing.ts';
import { weightOf } from '../../../parsing/owned-memory.ts';
import type { Intake, IntakeParameters, IntakeTaskName } from '../intake/intake.ts';
import { createInlineIntake, readInChunks } from '../intake/run-task.ts';
import { type CheckedSummary, checkedListings } from './checked-listings.ts';
import { createGatherListings } from './gather-listings.ts';
import type { RawListing } from './listing.ts';

const { places, ...context } = plainContext;
const budget = { listings: 100_000, bytes: 1_000_000_000 };
const signal = new AbortController().signal;
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
/** One sign that is eighteen once it is normalised. */
const LIGATURE = '\ufdfa';
const words = numbers(500).map((at) => LIGATURE.repeat(300) + at);
const picture = (at: number) => ({ url: `https://casas.example/${at}.jpg`, caption: 'a'.repeat(1900) });
const stayUrl = 'https://casas.example/{reference}';

type Found = {
  readonly listing: RawListing;
  readonly unmapped: readonly string[];
  readonly nights: number;
};

/** What crosses from the thread that reads to the one that serves. */
function crossing<Name extends IntakeTaskName>(
  task: Name,
  page: unknown,
  parameters: IntakeParameters<Name>,
) {
  const chunks = readInChunks(task, bytesOf(page), parameters, places);
  const items: unknown[] = [];
  for (let next = chunks.next(); ; next = chunks.next()) {
    if (next.done) return { items, summary: next.value as CheckedSummary };
    items.push(...next.value.items);
  }
}

const PAGES = {
  beds24: () =>
    crossing(
      'beds24_properties',
      {
        success: true,
        data: [
          {
            id: 1,
            name: 'a'.repeat(1_000_000),
            city: 'Lisboa',
            currency: 'EUR',
            featureCodes: words,
            texts: [{ language: 'en', cancellationPolicy: 'a'.repeat(1_000_000) }],
            pictures: numbers(500).map(picture),
            roomTypes: numbers(500).map((id) => ({ id, maxPeople: 2 })),
          },
        ],
      },
      {
        ...context,
        stayUrl,
        language: 'en',
        cancellationText: null,
        pictureUrl: 'https://casas.example/{reference}.jpg',
      },
    ),
  hostaway: () =>
    crossing(
      'hostaway_listings',
      {
        status: 'success',
        result: numbers(20).map((id) => ({
          id,
          name: 'a'.repeat(100_000),
          city: 'Lisboa',
          personCapacity: 2,
          currencyCode: 'EUR',
          listingAmenities: numbers(500).map((amenityId) => ({ amenityId })),
          listingImages: numbers(500).map(picture),
        })),
      },
      {
        ...context,
        stayUrl,
        amenityNames: new Map(words.map((word, at) => [String(at + 1), word])),
        policies: new Map(),
        directPolicy: null,
        cancellationText: null,
      },
    ),
};

it('a page of a vendor leaves the reading thread in small parts, however much its rooms share', () => {
  for (const [vendor, read] of Object.entries(PAGES)) {
    const { items, summary } = read();
    assert.ok(items.length >= 20, vendor);
    for (const item of items) assert.ok(weightOf(item) < 200_000, `${vendor}: ${weightOf(item)} bytes`);
    assert.ok(weightOf(summary) < 400_000, `${vendor}: a summary of ${weightOf(summary)} bytes`);
    assert.ok(summary.unmappedAmenities.length > 0 && summary.unmappedAmenities.length <= 500, vendor);
    assert.ok(
      summary.unmappedAmenities.every(({ amenity }) => amenity.length <= 80),
      vendor,
    );
    const text = JSON.stringify(items);
    assert.ok(!text.includes(LIGATURE) && !text.includes(LIGATURE.normalize('NFKC')), vendor);
  }
});

describe('listings that are checked where they are read', () => {
  const raw: readonly Found[] = [
    { listing: { ...plainListing }, unmapped: ['Moat', 'MOAT'], nights: 1 },
    { listing: { ...plainListing, name: 'Another' }, unmapped: ['Moat'], nights: 2 },
    { listing: { ...plainListing, reference: 'casa-2', cancellation: {} }, unmapped: [], nights: 3 },
    { listing: { ...plainListing, reference: 'casa-3', place: 'Atlantis' }, unmapped: ['Moat'], nights: 4 },
    {
      listing: { ...plainListing, reference: 'casa-4', summary: 'Call +351 900 000 000' },
      unmapped: [],
      nights: 5,
    },
    { listing: { reference: 'x'.repeat(1000) }, unmapped: [], nights: 6 },
  ];
  function* readRaw(): Generator<Found, { readonly pages: number }> {
    yield* raw;
    return { pages: 1 };
  }
  const none = new Uint8Array();

  it('are what they would be if they were put together elsewhere', async () => {
    const gathered = createGatherListings({
      intake: createInlineIntake({ places }),
      context: plainContext,
      budget,
    });
    await gathered.add(
      raw.map(({ listing }) => listing),
      signal,
    );
    const checked = createGatherListings({
      intake: createInlineIntake({ places }),
      context: plainContext,
      budget,
    });
    const found = checkedListings<null, Found, { readonly pages: number }>(readRaw);
    const items = found(none, { ...context } as never, places);
    for (let next = items.next(); ; next = items.next()) {
      if (next.done) {
        assert.equal(next.value.pages, 1);
        checked.ended(next.value);
        break;
      }
      checked.take([next.value], 1);
    }
    const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
    assert.deepEqual(checked.reading().properties, gathered.reading().properties);
    assert.deepEqual(checked.reading().counts, gathered.reading().counts);
    assert.deepEqual(
      checked.reading().rejections.toSorted(byText),
      gathered.reading().rejections.toSorted(byText),
    );
    assert.deepEqual(checked.reading().unmappedAmenities, [{ amenity: 'Moat', listings: 2 }]);
  });

  it('can be seen as they were published, but for those that will come again', () => {
    const found = checkedListings<null, Found, { readonly pages: number }>(
      readRaw,
      ({ nights }) => nights === 3,
    );
    assert.deepEqual(
      [...found.published(none, { ...context } as never)],
      raw.filter(({ nights }) => nights !== 3).map(({ listing }) => listing),
    );
  });
});

describe('listings that are put together from several answers', () => {
  it('are sent to the reading thread in parts of bounded size, and taken only as they are sent', async () => {
    const inline = createInlineIntake({ places });
    const sizes: number[] = [];
    const taken: number[] = [];
    let pulled = 0;
    const intake: Intake = {
      ...inline,
      run(order) {
        sizes.push(order.document.byteLength);
        taken.push(pulled);
        return inline.run(order);
      },
    };
    const gather = createGatherListings({ intake, context: plainContext, budget });
    const images = numbers(30).map((at) => ({
      url: `https://casas.example/${at}.jpg`,
      alt: 'a'.repeat(1900),
      type: 'other',
    }));
    const listings = Iterator.from(numbers(50)).map((at) => {
      pulled += 1;
      return { ...plainListing, reference: `casa-${at}`, images };
    });
    await gather.add(listings, signal);
    assert.equal(gather.reading().properties.length, 50);
    assert.ok(Math.max(...sizes) < 400_000, `a part of ${Math.max(...sizes)} bytes`);
    assert.ok((taken[0] ?? 50) < 10, `${taken[0]} were put together for the first part`);
  });
});

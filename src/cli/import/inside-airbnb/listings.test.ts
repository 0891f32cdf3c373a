import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishedAmenities, readListingRow } from './listings.ts';

const CELLS = {
  id: '12',
  name: 'Loft',
  picture_url: 'https://a0.muscache.com/1.jpg',
  accommodates: '4',
  property_type: 'Entire loft',
  bedrooms: '2',
  beds: '3',
  bathrooms_text: '1.5 baths',
  neighbourhood_cleansed: 'OLD TOWN',
  review_scores_rating: '4.5',
  number_of_reviews: '8',
  minimum_nights: '3',
  maximum_nights: '1125',
  price: '$90.00',
};
const city = { place: 'harbour', city: 'Harbour', currency: 'USD' };

function readRow(changes: Record<string, string> = {}) {
  const cells: Record<string, string> = { ...CELLS, ...changes };
  return readListingRow({ line: 2, cell: (column) => cells[column] ?? '', fault: null }, city);
}

function listingWith(changes: Record<string, string>) {
  const reading = readRow(changes);
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  return reading.value.listing;
}

describe('a row of the published listings', () => {
  it('becomes a listing', () => {
    const reading = readRow();
    assert.ok(reading.kind === 'valid');
    assert.deepEqual(reading.value, {
      listing: {
        reference: '12',
        name: 'Loft',
        place: 'harbour',
        location: 'OLD TOWN, Harbour',
        max_guests: 4,
        summary: 'Entire loft · 4 guests · 2 bedrooms · 3 beds · 1.5 baths',
        bedrooms: 2,
        bathrooms: 1.5,
        amenities: null,
        rating: { score: 4.5, scale: 5, review_count: 8 },
        cancellation: {
          summary:
            'The imported file does not say how a booking can be cancelled. The terms are on the page of the home.',
        },
        images: [{ url: 'https://a0.muscache.com/1.jpg', alt: 'Loft', type: 'other' }],
        url: 'https://www.airbnb.com/rooms/12',
        currency: 'USD',
        booking_mode: 'request',
      },
      amenities: [],
      terms: { price: '$90.00', minimumStay: 3, maximumStay: 1125 },
    });
  });

  it('counts bathrooms as a number or in words', () => {
    const bathrooms = (bathroomsText: string, number = '') =>
      listingWith({ bathrooms: number, bathrooms_text: bathroomsText }).bathrooms;
    assert.deepEqual(
      [
        bathrooms('1 shared bath'),
        bathrooms('2.5 baths'),
        bathrooms('Half-bath'),
        bathrooms('Shared half-bath'),
      ],
      [1, 2.5, 0.5, 0.5],
    );
    assert.deepEqual([bathrooms('', '1.0'), bathrooms(''), bathrooms('0 baths')], [1, null, 0]);
  });

  it('is rated out of 5, or out of 100 in old files', () => {
    assert.deepEqual(listingWith({ review_scores_rating: '93' }).rating, {
      score: 93,
      scale: 100,
      review_count: 8,
    });
    assert.deepEqual(listingWith({ review_scores_rating: '5.0' }).rating, {
      score: 5,
      scale: 5,
      review_count: 8,
    });
    for (const score of ['', 'n/a', '101', '-1']) {
      assert.ok(!('rating' in listingWith({ review_scores_rating: score })), score);
    }
    assert.ok(!('rating' in listingWith({ review_scores_rating: '', number_of_reviews: '' })));
    assert.equal(listingWith({ number_of_reviews: '0' }).rating, null, 'nobody has rated it yet');
  });

  it('has a name, a page and a policy also where the file has none', () => {
    assert.equal(listingWith({ name: '' }).name, 'Entire loft in Harbour');
    assert.equal(listingWith({ listing_url: 'https://x.example/1' }).url, 'https://x.example/1');
    assert.equal(
      listingWith({ cancellation_policy: 'strict_14_with_grace_period' }).cancellation.summary,
      'Cancellation policy: strict 14 with grace period. The terms are on the page of the home.',
    );
    assert.equal(listingWith({ instant_bookable: 't' }).booking_mode, 'instant');
    assert.equal(
      listingWith({ bedrooms: '0' }).summary,
      'Entire loft · 4 guests · studio · 3 beds · 1.5 baths',
    );
  });

  it('is held back with the column that is wrong', () => {
    const faultWith = (changes: Record<string, string>) => {
      const reading = readRow(changes);
      return reading.kind === 'invalid' ? reading.faults.map(({ field, rule }) => `${field} ${rule}`) : [];
    };
    assert.deepEqual(faultWith({ accommodates: '0' }), ['accommodates out_of_range']);
    assert.deepEqual(faultWith({ accommodates: 'two' }), ['accommodates out_of_range']);
    assert.deepEqual(faultWith({ picture_url: '' }), ['picture_url missing_member']);
    assert.deepEqual(faultWith({ id: '' }), ['id wrong_format']);
    assert.deepEqual(faultWith({ id: 'a b' }), ['id wrong_format']);
    assert.deepEqual(faultWith({ picture_url: `https://a/${'x'.repeat(3000)}` }), ['picture_url too_long']);
  });

  it('lists amenities as JSON, or in braces in old files', () => {
    assert.deepEqual(publishedAmenities('["Wifi", "Pack \\u2019n play"]'), ['Wifi', 'Pack ’n play']);
    assert.deepEqual(publishedAmenities('{TV,"Cable TV","A \\"good\\" one",Wifi}'), [
      'TV',
      'Cable TV',
      'A "good" one',
      'Wifi',
    ]);
    for (const cell of ['', '{}', '[]', '[1,null]', '["open', 'Wifi', '{"a"'])
      assert.deepEqual(publishedAmenities(cell), [], cell);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aStayOption } from '../../../test/support/stay-option.ts';
import type { TextStyle } from '../terminal.ts';
import { amountText, momentText, optionText, priceText, ratingText } from './result-text.ts';

const plain = { styled: (_: TextStyle, text: string) => text };

describe('an amount', () => {
  for (const [amount, currency, text] of [
    [1234.5, 'EUR', '1,234.50'],
    [353.66, 'USD', '353.66'],
    [98000, 'JPY', '98,000'],
    [12.345, 'KWD', '12.345'],
    [100, 'HUF', '100.00'],
    [-5, 'EUR', '-5.00'],
    [7, 'euro', '7.00'],
  ] as const) {
    it(`of ${amount} ${currency} is ${text}`, () => {
      assert.equal(amountText(amount, currency), text);
      assert.equal(priceText(amount, currency), `${currency} ${text}`);
    });
  }
});

describe('a moment and a rating', () => {
  it('are said as they are, and nothing is made up', () => {
    assert.equal(momentText('2027-04-03T18:00:00+01:00'), '3 Apr 2027, 18:00');
    assert.equal(momentText('2027-04-03T17:00:00Z'), '3 Apr 2027, 17:00 UTC');
    for (const none of [null, '', 'soon', '2027-02-30T10:00:00Z']) assert.equal(momentText(none), null);
    assert.equal(ratingText({ score: 9.7, scale: 10, review_count: null }), '9.7 of 10');
    assert.equal(ratingText({ score: 0, scale: 10, review_count: 0 }), 'not rated yet');
    assert.equal(ratingText({ score: 0, scale: 10, review_count: null }), '');
    assert.equal(ratingText({ score: 0, scale: 10, review_count: 3 }), '0 of 10');
  });
});

describe('one home in full', () => {
  it('has its price lines, policy, times, pictures and the address to book at', () => {
    const option = aStayOption({
      images: {
        primary: { url: 'https://casas.example/1.jpg', alt: 'The house' },
        gallery: [
          { url: 'https://casas.example/1.jpg', alt: 'The house', type: 'exterior' },
          { url: 'https://casas.example/2.jpg', alt: 'The kitchen', type: 'kitchen' },
        ],
      },
      quote: {
        line_items: [
          { label: '3 nights', amount: 262 },
          { label: 'Cleaning', amount: 38 },
        ],
        deposit: { amount: 150, refundable: true },
        due_on_site: 12,
        price_guarantee: 'held',
      },
    });
    assert.deepEqual(optionText(option, plain).split('\n'), [
      '1. Sótão dos Azulejos',
      'where      Mouraria, Lisbon',
      'brand      Casa Lumeira',
      'home       Two bedrooms for four',
      'sleeps     4 guests, 2 bedrooms, 1 bathroom',
      'rating     4.9 of 5, 154 reviews',
      'amenities  Wi-Fi',
      'times      arrival from 15:00, departure until 11:00',
      'booking    at once',
      'policy     free cancellation until 3 Apr 2027, 18:00',
      '           Free of charge until seven days before arrival.',
      '',
      'EUR 262.00  3 nights',
      ' EUR 38.00  Cleaning',
      'EUR 300.00  total for 3 nights',
      'EUR 100.00  a night',
      'EUR 150.00  deposit, given back',
      ' EUR 12.00  paid there besides',
      'The operator holds this price until 1 Mar 2027, 12:30 UTC.',
      '',
      'The house',
      '  https://casas.example/1.jpg',
      'The kitchen',
      '  https://casas.example/2.jpg',
      '',
      'To book, on the operator’s website:',
      'https://casas.example/1?from=2027-04-10',
    ]);
  });

  it('leaves out what is not published, and says that a price is not held', () => {
    const text = optionText(
      aStayOption({
        amenities: null,
        check_in_time: null,
        check_out_time: null,
        rating: { score: 0, scale: 5, review_count: null },
        availability: {
          status: 'available',
          booking_mode: 'request',
          inventory_source: 'rate_card',
          confirmation_hours: 24,
        },
        cancellation: { free_cancellation_until: null, refundable: false },
      }),
      plain,
    );
    assert.match(text, /^amenities {2}not published$/m);
    assert.match(text, /^booking {4}on request, answered within 24 hours$/m);
    assert.match(text, /^policy {5}not refundable$/m);
    assert.match(text, /^The operator gives no breakdown\.$/m);
    assert.match(
      text.replaceAll('\n', ' '),
      /true when it was asked for, and is confirmed on the operator’s website/,
    );
    assert.doesNotMatch(text, /^(?:times|rating) /m);
  });

  it('obeys nothing that an operator wrote', () => {
    const hostile = '\u001b]0;owned\u0007\u202e';
    const text = optionText(
      aStayOption({
        name: hostile,
        location: hostile,
        amenities: { wifi: hostile },
        url: `https://casas.example/${hostile}`,
        images: { primary: { url: `https://casas.example/${hostile}`, alt: hostile }, gallery: [] },
        cancellation: { summary: hostile },
        quote: { line_items: [{ label: hostile, amount: 300 }] },
      }),
      plain,
    );
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});

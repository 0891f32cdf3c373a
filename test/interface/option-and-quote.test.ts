import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NOON, property } from '../support/network.ts';
import { priced, setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

const TOKYO = {
  id: 'tokyo-jp',
  name: 'Tokyo',
  kind: 'city',
  time_zone: 'Asia/Tokyo',
  currency: 'JPY',
} as const;
const KUWAIT = {
  id: 'kuwait-kw',
  name: 'Kuwait City',
  kind: 'city',
  time_zone: 'Asia/Kuwait',
  currency: 'KWD',
} as const;

test('an option, whole', async (t) => {
  const { operator, open } = await setScene(t);
  operator.quote = priced({ a: '250.00' });
  const { body } = await (await open('acme')).search({ guests: 1 });
  const { nxq, ...quote } = body.results[1].quote;
  assert.match(nxq, /^nxq_[A-Za-z0-9_-]{16,}$/);
  assert.deepEqual(
    { ...body.results[1], quote },
    {
      rank: 2,
      property_id: 'acme:a',
      name: 'House a',
      brand: 'Brand acme',
      location: 'Alfama, Lisbon',
      capacity: { max_guests: 4, summary: 'Two bedrooms for four', bedrooms: 2, bathrooms: 1 },
      amenities: { wifi: 'Wi-Fi' },
      rating: { score: 4.5, scale: 5, review_count: 12 },
      cancellation: {
        summary: 'Free of charge until seven days before arrival.',
        free_cancellation_until: '2027-04-03T17:00:00Z',
        free_cancellation_until_local: '2027-04-03T18:00:00+01:00',
        free_cancellation: 'until',
        refundable: true,
      },
      check_in_time: '15:00',
      check_out_time: '11:00',
      images: {
        primary: { url: 'https://stay.example/a/1.jpg', alt: 'The house' },
        gallery: [{ url: 'https://stay.example/a/2.jpg', alt: 'The kitchen', type: 'kitchen' }],
      },
      availability: {
        status: 'available',
        booking_mode: 'instant',
        inventory_source: 'live_booking_system',
        confirmation_hours: null,
      },
      url: 'https://stay.example/a?check_in=2027-04-10&check_out=2027-04-13&guests=1&source=staywire',
      quote: {
        amount: 250,
        nightly_average: 83.33,
        currency: 'EUR',
        check_in: '2027-04-10',
        check_out: '2027-04-13',
        guests: 1,
        nights: 3,
        line_items: [],
        line_items_available: false,
        price_valid_until: '2027-03-01T12:30:00Z',
        price_guarantee: 'at_retrieval',
        retrieved_at: '2027-03-01T12:00:00Z',
        deposit: null,
        due_on_site: null,
        signature: null,
        verify_url: null,
      },
    },
  );
});

test('what an operator does not publish is there with null, never left out', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('bare', {
            bedrooms: null,
            bathrooms: null,
            amenities: null,
            rating: { score: 4.1, scale: 5, review_count: null },
            cancellation: { summary: 'No refunds.', free_until: null },
            check_in_time: null,
            check_out_time: null,
            images: [{ url: 'https://stay.example/1.jpg', alt: 'The house', type: 'exterior' }],
            booking_mode: 'request',
          }),
        ],
        entry: { website: { hosts: ['stay.example'] } },
      },
    },
  });
  const { body } = await (await open('acme')).search();
  const [option] = body.results;
  const nulls = {
    'option.amenities': option.amenities,
    'capacity.bedrooms': option.capacity.bedrooms,
    'capacity.bathrooms': option.capacity.bathrooms,
    'rating.review_count': option.rating.review_count,
    'cancellation.free_cancellation_until': option.cancellation.free_cancellation_until,
    'option.check_in_time': option.check_in_time,
    'option.check_out_time': option.check_out_time,
    'cancellation.free_cancellation_until_local': option.cancellation.free_cancellation_until_local,
    'cancellation.refundable': option.cancellation.refundable,
    'availability.confirmation_hours': option.availability.confirmation_hours,
    'quote.deposit': option.quote.deposit,
    'quote.due_on_site': option.quote.due_on_site,
    'quote.signature': option.quote.signature,
    'quote.verify_url': option.quote.verify_url,
    all_results_url: body.all_results_url,
  };
  for (const [key, value] of Object.entries(nulls)) assert.equal(value, null, key);
  assert.deepEqual(option.images.gallery, []);
  assert.equal(option.availability.booking_mode, 'request');
  assert.equal(option.cancellation.summary, 'No refunds.');
});

test('what travellers ask next: deposits, what is due on site, refunds, the wait for a confirmation', async (t) => {
  const { operator, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('p', {
            booking_mode: 'request',
            confirmation_hours: 24,
            cancellation: { summary: 'No refunds.', refundable: false },
          }),
        ],
      },
    },
  });
  operator.quote = (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: '300.00',
    deposit: { amount: '150.00', refundable: true },
    due_on_site: '12.60',
  });
  const [option] = (await (await open()).search()).body.results;
  assert.equal(option.quote.amount, 300);
  assert.deepEqual(option.quote.deposit, { amount: 150, refundable: true });
  assert.equal(option.quote.due_on_site, 12.6);
  assert.equal(option.availability.confirmation_hours, 24);
  assert.equal(option.cancellation.refundable, false);
});

test('free cancellation is until a time to come, over, never or unpublished, and the null date is none of them', async (t) => {
  const free_until = { days_before: 7, time: '18:00' };
  const summary = 'Free of charge until seven days before arrival.';
  const policies = {
    silent: { summary, free_until },
    yes: { summary, free_until, refundable: true },
    // A free period and no refunds contradict each other, so the no is held back.
    torn: { summary, free_until, refundable: false },
    no: { summary, refundable: false },
    open: { summary },
    sure: { summary, refundable: true },
  };
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: Object.entries(policies).map(([reference, cancellation]) =>
          property(reference, { cancellation }),
        ),
      },
    },
  });
  const terms = async (check_in_day: string, check_out: string) => {
    const conversation = await open();
    const { body } = await conversation.send({
      destination: 'lisbon-pt',
      check_in_day,
      check_out,
      guests: 2,
    });
    const { results }: { results: Home[] } = body;
    return Object.fromEntries(
      results.map(({ property_id, cancellation: { free_cancellation, refundable, ...dates } }) => [
        property_id.replace('acme:', ''),
        [free_cancellation, refundable, dates.free_cancellation_until, dates.free_cancellation_until_local],
      ]),
    );
  };
  type Home = {
    property_id: string;
    cancellation: Record<'free_cancellation' | 'refundable', unknown> & Record<string, unknown>;
  };
  const certain = {
    no: ['never', false, null, null],
    open: ['unpublished', null, null, null],
    sure: ['unpublished', true, null, null],
  };
  const until = ['until', true, '2027-04-03T17:00:00Z', '2027-04-03T18:00:00+01:00'];
  assert.deepEqual(await terms('2027-04-10', '2027-04-13'), {
    silent: until,
    yes: until,
    torn: until,
    ...certain,
  });
  // After the free period the operator may refund a part.
  const over = ['over', null, null, null];
  assert.deepEqual(await terms('2027-03-05', '2027-03-08'), {
    silent: over,
    yes: over,
    torn: over,
    ...certain,
  });
});

function quoting(total: string, lines?: { label: string; amount: string }[]): ScriptedOperator['quote'] {
  return (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total,
    ...(lines ? { lines } : {}),
  });
}

test('a breakdown is shown when it adds up to the cent, discounts included', async (t) => {
  const { operator, open } = await setScene(t);
  operator.quote = quoting('330.10', [
    { label: 'Three nights', amount: '330.30' },
    { label: 'Early booking', amount: '-33.03' },
    { label: 'Cleaning', amount: '25.00' },
    { label: 'City tax', amount: '7.83' },
  ]);
  const { quote } = (await (await open()).search()).body.results[0];
  assert.equal(quote.amount, 330.1);
  assert.equal(quote.line_items_available, true);
  assert.deepEqual(quote.line_items, [
    { label: 'Three nights', amount: 330.3 },
    { label: 'Early booking', amount: -33.03 },
    { label: 'Cleaning', amount: 25 },
    { label: 'City tax', amount: 7.83 },
  ]);
});

test('yen have no decimals and dinars have three', async (t) => {
  const { operator, open } = await setScene(t, {
    network: { places: [TOKYO, KUWAIT] },
    brands: {
      acme: {
        properties: [
          property('shibuya', { place: 'tokyo-jp', currency: 'JPY' }, [
            { from: '2027-03-01', to: '2027-09-01', available: true, price: '21000' },
          ]),
          property('salmiya', { place: 'kuwait-kw', currency: 'KWD' }, [
            { from: '2027-03-01', to: '2027-09-01', available: true, price: '30.125' },
          ]),
        ],
      },
    },
  });
  operator.quote = (reference, { currency }) =>
    reference === 'shibuya'
      ? {
          property: reference,
          status: 'quoted',
          currency,
          total: '64000',
          lines: [{ label: 'Three nights', amount: '64000' }],
        }
      : {
          property: reference,
          status: 'quoted',
          currency,
          total: '90.376',
          lines: [
            { label: 'Three nights', amount: '90.375' },
            { label: 'Tax', amount: '0.001' },
          ],
        };
  const tokyo = (await (await open()).search({ destination: 'tokyo-jp' })).body;
  assert.equal(tokyo.comparison_set.currency, 'JPY');
  assert.equal(tokyo.results[0].quote.amount, 64000);
  assert.equal(tokyo.results[0].quote.nightly_average, 21333);
  assert.deepEqual(tokyo.results[0].quote.line_items, [{ label: 'Three nights', amount: 64000 }]);
  const kuwait = (await (await open()).search({ destination: 'kuwait-kw' })).body;
  assert.equal(kuwait.comparison_set.currency, 'KWD');
  assert.equal(kuwait.results[0].quote.amount, 90.376);
  assert.equal(kuwait.results[0].quote.nightly_average, 30.125);
  assert.equal(kuwait.results[0].quote.line_items_available, true);
});

test('today is the place’s: in Tokyo tomorrow has begun when it is still today in UTC', async (t) => {
  const { service, open } = await setScene(t, {
    network: { places: [TOKYO] },
    brands: {
      acme: {
        properties: [
          property('shibuya', { place: 'tokyo-jp', currency: 'JPY' }, [
            { from: '2027-03-01', to: '2027-09-01', available: true, price: '21000' },
          ]),
        ],
      },
    },
  });
  const firstDay = async () =>
    (await (await open()).send({ check_in_month: '2027-03' })).body.allowed_values.check_in_day[0];
  assert.equal(await firstDay(), '2027-03-01');
  service.time.now = NOON + 4 * 3_600_000;
  assert.equal(await firstDay(), '2027-03-02', '16:00 UTC is 01:00 of the next day in Tokyo');
});

async function sceneWithRateCard(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'rate-card-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'card.json');
  const { listing } = property('card');
  const publish = (nightly: string) =>
    writeFileSync(
      file,
      JSON.stringify({
        properties: [
          {
            listing,
            rates: { nightly, seasons: [], discounts: [], fees: [], taxes: [] },
            booked: [],
            deposit: { amount: '200.00', refundable: true },
            due_on_site: { amount: '2.00', per: 'guest_night' },
          },
        ],
      }),
    );
  publish('100.00');
  const scene = await setScene(t, {
    brands: { acme: { properties: [], entry: { booking_system: { kind: 'rate-card', file } } } },
  });
  return { ...scene, publish, withdraw: () => rmSync(file) };
}

test('a price from a rate card says that it is one', async (t) => {
  const { open } = await sceneWithRateCard(t);
  const { body } = await (await open('acme')).search();
  const [{ availability, quote }] = body.results;
  assert.equal(availability.inventory_source, 'rate_card');
  assert.equal(quote.amount, 300);
  assert.equal(quote.line_items_available, true);
  assert.equal(quote.price_guarantee, 'at_retrieval');
  assert.deepEqual(quote.deposit, { amount: 200, refundable: true });
  assert.equal(quote.due_on_site, 12);
  assert.match(body.notes, /live quotes from the operators’ rate cards/);
});

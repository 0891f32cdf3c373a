import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { RateCard, rateFault } from '../src/connectors/rate-card/rate-card.ts';
import { NetworkFile } from '../src/network/network-file.ts';
import { parseDay } from '../src/stay/day.ts';
import { parseAmount } from '../src/stay/money.ts';
import { createBookings } from './bookings.ts';
import { BRANDS } from './brands.ts';
import { CITIES } from './cities.ts';
import { demoNetworkFile } from './network-file.ts';
import { createOperator } from './operator.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const ORIGIN = 'http://127.0.0.1:8090';

function operatorsAt(now: number) {
  return BRANDS.map((brand) =>
    createOperator({
      brand,
      site: `${ORIGIN}/sites/${brand.source}`,
      bookings: createBookings(null),
      now: () => now,
    }),
  );
}

const cardsAt = (now: number) =>
  operatorsAt(now).map((operator) => ({
    properties: operator.properties.map((property) => operator.entry(property)),
  }));

test('the network is large enough to be worth searching', () => {
  const entries = cardsAt(NOON).flatMap(({ properties }) => properties);
  assert.equal(BRANDS.length, 6);
  assert.ok(entries.length >= 200, `${entries.length} properties`);
  const cities = new Set(BRANDS.flatMap((brand) => Object.keys(brand.propertyCounts)));
  assert.equal(cities.size, CITIES.length, 'every city has properties');
  assert.ok(cities.size >= 12);
  const used = CITIES.filter((city) => cities.has(city.id));
  assert.ok(new Set(used.map((city) => city.country)).size >= 6);
  assert.ok(new Set(used.map((city) => city.timeZone)).size >= 6);
  assert.deepEqual(
    new Set(used.map((city) => city.currency)),
    new Set(['EUR', 'GBP', 'USD', 'JPY', 'DKK', 'AUD']),
  );
  const amenities = new Set(entries.flatMap(({ listing }) => Object.keys(listing.amenities ?? {})));
  assert.ok(amenities.size >= 24, `${amenities.size} amenities`);
});

test('every property is a valid line of a rate card', () => {
  const rateCard = Compile(RateCard);
  for (const card of cardsAt(NOON)) {
    assert.deepEqual([...rateCard.Errors(card)].slice(0, 3), []);
    for (const { rates, booked, listing } of card.properties) {
      assert.equal(rateFault(rates, booked, listing.currency), undefined, listing.reference);
    }
  }
});

test('names and references are unique within a brand', () => {
  for (const { properties } of cardsAt(NOON)) {
    assert.equal(new Set(properties.map(({ listing }) => listing.name)).size, properties.length);
    assert.equal(new Set(properties.map(({ listing }) => listing.reference)).size, properties.length);
  }
});

test('two starts on the same day give the same network', () => {
  assert.deepEqual(cardsAt(NOON), cardsAt(NOON + 60_000));
});

test('the network rolls with the clock: listings stay, bookings move on', () => {
  const [today, nextYear] = [cardsAt(NOON), cardsAt(NOON + 400 * 86_400_000)];
  assert.deepEqual(
    today.map(({ properties }) => properties.map(({ listing }) => listing)),
    nextYear.map(({ properties }) => properties.map(({ listing }) => listing)),
  );
  const firstDay = parseDay('2027-12-19') ?? 0;
  for (const { booked } of nextYear.flatMap(({ properties }) => properties)) {
    for (const { to } of booked) assert.ok((parseDay(to) ?? 0) > firstDay, to);
  }
});

test('the near future is fuller than the far one, and never full', () => {
  const taken = (from: number) => {
    const nights = operatorsAt(NOON).flatMap((operator) =>
      operator.properties.flatMap((property) => [
        ...operator.calendar(property, operator.today(property) + from, 60).available,
      ]),
    );
    return nights.filter((available) => available === 0).length / nights.length;
  };
  const [near, far] = [taken(0), taken(300)];
  assert.ok(near > 0.3 && near < 0.7, `near: ${near}`);
  assert.ok(far > 0.005 && far < near / 2, `far: ${far}`);
});

test('special cases: one storefront, one without breakdown, one without facts, one unreliable, one rate card', () => {
  assert.deepEqual(
    BRANDS.filter((brand) => brand.singleLocation !== null).map((brand) => Object.keys(brand.propertyCounts)),
    [['lisbon-pt']],
  );
  assert.equal(BRANDS.filter((brand) => !brand.givesBreakdown).length, 1);
  assert.equal(BRANDS.filter((brand) => brand.isUnreliable).length, 1);
  assert.equal(BRANDS.filter((brand) => brand.connection === 'rate-card').length, 1);
  const [silent] = operatorsAt(NOON).filter(({ brand }) => !brand.publishesFacts);
  assert.ok(silent);
  for (const { listing } of silent.properties.map(silent.entry)) {
    const { amenities, bedrooms, bathrooms, check_in_time, check_out_time, cancellation, rating } = listing;
    assert.deepEqual(
      [amenities, bedrooms, bathrooms, check_in_time, check_out_time, cancellation.free_until],
      [null, null, null, null, null, null],
    );
    assert.equal(rating?.review_count ?? null, null);
  }
});

test('promises are told in three ways, and what is paid besides a price in a currency’s own decimals', () => {
  assert.deepEqual(
    BRANDS.filter((brand) => brand.holdMinutes !== null).map(({ source }) => source),
    ['casa-lumeira'],
  );
  const agreed = demoNetworkFile(ORIGIN).brands.filter((brand) => brand.quote_hold_minutes !== undefined);
  assert.deepEqual(
    agreed.map(({ source, quote_hold_minutes }) => [source, quote_hold_minutes]),
    [['hearthlane', 20]],
  );
  const entries = cardsAt(NOON).flatMap(({ properties }) => properties);
  for (const { deposit, listing } of entries.filter((entry) => entry.deposit)) {
    assert.ok((parseAmount(deposit?.amount ?? '', listing.currency) ?? 0) > 0, listing.reference);
  }
  assert.ok(entries.some(({ deposit }) => deposit));
  assert.ok(entries.some(({ deposit }) => !deposit));
  for (const { listing } of entries) {
    const { booking_mode: mode, confirmation_hours: hours, cancellation } = listing;
    assert.ok(mode === 'request' || hours === null, 'only a request waits');
    if (cancellation.free_until) assert.equal(cancellation.refundable, true);
  }
  assert.ok(entries.some(({ listing }) => listing.confirmation_hours === 24));
  assert.ok(entries.some(({ listing }) => listing.cancellation.refundable === false));
});

test('the network file is valid and hangs together', () => {
  const file = demoNetworkFile(ORIGIN);
  assert.deepEqual([...Compile(NetworkFile).Errors(file)], []);
  assert.equal(file.refresh_seconds, 30);
  const places = new Map(file.places.map((place) => [place.id, place]));
  assert.equal(places.size, file.places.length);
  for (const place of file.places) {
    const parent = place.parent === undefined ? undefined : places.get(place.parent);
    assert.equal(
      parent?.kind,
      { city: 'region', region: 'country', country: undefined }[place.kind],
      place.id,
    );
    if (parent) assert.equal(parent.currency, place.currency);
  }
  for (const [index, card] of cardsAt(NOON).entries()) {
    const brand = file.brands[index];
    assert.ok(brand);
    for (const { listing } of card.properties) {
      const place = places.get(brand.places?.[listing.place] ?? listing.place);
      assert.equal(place?.kind, 'city', listing.place);
      assert.equal(place.currency, listing.currency);
      for (const url of [listing.url, ...listing.images.map((image) => image.url)]) {
        assert.ok(brand.website.hosts.includes(new URL(url).host), url);
      }
    }
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { type Beds24Options, startBeds24 } from '../emulators/beds24.ts';
import { aHome } from '../emulators/homes.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { patient, STAY } from './usual-request.ts';
import { type EmulatedVendorSystem, vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const beds24: EmulatedVendorSystem<Beds24Options> = { ...vendorOf('beds24'), start: startBeds24 };

describe('the connector to Beds24', () => {
  it('gives room types their amenities, and nothing private', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system } = await connectVendorFor(t, beds24, { homes, pageSize: 2 });
    const { properties, rejections, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    assert.equal(properties.length, homes.length);
    for (const { amenities } of properties) assert.ok('wifi' in (amenities ?? {}));
    assert.ok(unmappedAmenities?.length);
    assert.ok(unmappedAmenities.every(({ listings }) => listings === homes.length));
    assert.doesNotMatch(JSON.stringify(properties), /private|@|\+351/);
  });

  it('prices many rooms with one call, to the cent, and keeps the deposit out', async (t) => {
    const homes = Array.from({ length: 30 }, (_, index) =>
      aHome({
        id: index + 1,
        nightlyPrice: (text) => 99_99 + Number(text.slice(-2)) + index,
        deposit: index * 50_00,
      }),
    );
    const { system, emulator } = await connectVendorFor(t, beds24, { homes });
    await system.catalogue(patient);
    emulator.book(7, formatDay(STAY.checkIn + 1), formatDay(STAY.checkIn + 2));
    const before = emulator.requests.length;
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    const outcomes = await system.quote({ references, ...STAY }, patient);
    assert.equal(outcomes.length, homes.length);
    for (const [index, outcome] of outcomes.entries()) {
      const truth = emulator.priceOf(index + 1, formatDay(STAY.checkIn), formatDay(STAY.checkOut), 2);
      assert.equal(outcome.reference, references[index]);
      if (index + 1 === 7) {
        assert.equal(verdictOf(outcome), 'booked');
        continue;
      }
      const { deposit } = assertExactPrice(outcome, truth, beds24);
      assert.deepEqual(deposit, index === 0 ? null : { amount: index * 50_00, refundable: true });
    }
    assert.equal(emulator.requests.length - before, 2, 'one for the prices, one for the reason of a refusal');
  });

  it('shows the property’s policy only for a price that it can be the policy of', async (t) => {
    const policyOf = async (options: Partial<Beds24Options>, entry = {}) => {
      const { system, emulator } = await connectVendorFor(t, beds24, { ...options, entry });
      await system.catalogue(patient);
      const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
      assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
      return outcome.quote.cancellation;
    };
    assert.equal(await policyOf({}), undefined);
    assert.equal(await policyOf({ offers: 'two' }, { offer_id: 2 }), undefined);
    const unstated = await policyOf({ offers: 'two' });
    assert.match(unstated?.summary ?? '', /states no cancellation policy/);
    assert.deepEqual([unstated?.free, unstated?.refundable], [null, null]);
  });

  it('gives the policy in whatever language there is', async (t) => {
    for (const textLanguage of ['de', 'EN']) {
      const { system } = await connectVendorFor(t, beds24, { textLanguage });
      const { properties, rejections } = await system.catalogue(patient);
      assert.deepEqual(rejections, []);
      assert.equal(properties[0]?.cancellation.summary, aHome().cancellation);
    }
  });

  it('does not know the reason when the calendar of a refused stay cannot be read', async (t) => {
    const { system, emulator } = await connectVendorFor(t, beds24);
    await system.catalogue(patient);
    emulator.book(1, formatDay(STAY.checkIn), formatDay(STAY.checkOut));
    emulator.setFault('error_500', 'calendar');
    const outcomes = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
    assert.deepEqual(outcomes.map(verdictOf), ['not_offered']);
  });

  for (const limitHeaders of ['wiki', 'openapi'] as const) {
    it(`never spends more credits than there are in a burst, with the headers of the ${limitHeaders}`, async (t) => {
      const { system, emulator } = await connectVendorFor(t, beds24, {
        limits: 'documented',
        limitHeaders,
        entry: { rate_limits: undefined, timeout_ms: 2000 },
      });
      await system.catalogue(patient);
      const references = [emulator.referenceOf(1)];
      const outcomes = await Promise.all(
        Array.from({ length: 150 }, () => system.quote({ references, ...STAY }, patient)),
      );
      const kinds = Object.groupBy(outcomes.flat(), (outcome) => verdictOf(outcome) ?? '');
      assert.deepEqual(
        [emulator.budget.exceeded, emulator.budget.refused],
        [0, 0],
        JSON.stringify(emulator.budget),
      );
      assert.ok((kinds.quoted?.length ?? 0) > 80, JSON.stringify(Object.keys(kinds)));
      assert.ok((kinds.rate_limited?.length ?? 0) > 0);
    });
  }

  it('sends its calls one after the other', async (t) => {
    const { system, emulator } = await connectVendorFor(t, beds24, { entry: { timeout_ms: 300 } });
    await system.catalogue(patient);
    const before = emulator.requests.length;
    emulator.setFault('slow', 'quote');
    const references = [emulator.referenceOf(1)];
    await Promise.all([0, 1, 2].map(() => system.quote({ references, ...STAY }, patient)));
    assert.equal(
      emulator.requests.length - before,
      1,
      'the others were still waiting when their time was over',
    );
  });
});

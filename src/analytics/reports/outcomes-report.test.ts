import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../../test/support/sample-network.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import { sampleOutcome } from '../bookings/booking-outcomes.contract.ts';
import { countsIn } from './counts.ts';
import { outcomesReport } from './outcomes-report.ts';
import { createReportNames } from './report.ts';

const network = sampleNetwork(['sol', 'casas', 'mar']);

function tablesOf(bookings: readonly BookingOutcome[], brand: string | null = null) {
  const { sections } = outcomesReport({
    names: createReportNames(network, []),
    brand,
    brands: brand === null ? [...network.brands.keys()] : [brand],
    places: network.places,
    counts: countsIn([]),
    bookings,
  });
  return Object.fromEntries(sections.map((table) => [table.id, table]));
}

describe('the report of outcomes', () => {
  it('lists every brand of the network, so that it is seen who reports no bookings', () => {
    const booked = ['1', '2'].map((reference) => sampleOutcome(reference, { brand: 'mar' }));
    const rowsOf = (...given: Parameters<typeof tablesOf>) =>
      tablesOf(...given).brands?.rows.map(([brand, bookings]) => [Object(brand).id, bookings]);
    assert.deepEqual(rowsOf([...booked, sampleOutcome('3', { brand: 'gone' })]), [
      ['mar', 2],
      ['gone', 1],
      ['casas', 0],
      ['sol', 0],
    ]);
    assert.deepEqual(rowsOf([], 'sol'), [['sol', 0]]);
  });

  it('says where a share of stays can be too low; of one brand there is none', () => {
    const hint =
      /Stays at operators that report no bookings count among the stays, so a share can be too low/;
    for (const id of ['by_assistant', 'by_place', 'by_lead_time']) {
      assert.match(tablesOf([])[id]?.note ?? '', hint);
      const ofBrand = tablesOf([], 'sol')[id];
      assert.equal(ofBrand?.note, 'Bookings that stand and whose quote is known.');
      assert.equal(ofBrand?.columns.length, 2);
    }
  });

  it('counts a quote once, however many bookings are reported for it', () => {
    const quote = {
      assistant: 'acme',
      property: 'sol:1',
      place: 'calpe',
      checkIn: '2027-06-01',
      checkOut: '2027-06-08',
      guests: 4,
      amount: 12_345,
      currency: 'EUR',
      retrievedAt: 900,
    };
    const booked = [
      ['1', 'nxq_a'],
      ['2', 'nxq_a'],
      ['3', 'nxq_b'],
    ].map(([reference = '', nxq = '']) => sampleOutcome(reference, { brand: 'sol', nxq, quote }));
    const { accuracy, brands } = tablesOf(booked);
    assert.deepEqual(
      accuracy?.rows.map(([, compared, equal]) => [compared, equal]),
      [[2, 2]],
    );
    assert.equal(brands?.rows[0]?.[1], 3);
  });

  it('gives the whole command that brings bookings in', () => {
    const command = (brand: string | null) => tablesOf([], brand).amounts?.whenEmpty.split(': ')[1];
    assert.equal(command(null), 'staywire outcomes import FILE --brand BRAND');
    assert.equal(command('sol'), 'staywire outcomes import FILE --brand sol');
  });
});

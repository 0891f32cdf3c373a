import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainListing } from '../../../../test/support/plain-listing.ts';
import { unpackPeriods } from '../calendars/night-periods.ts';
import { readPlainLine } from './plain-line.ts';

const read = (line: unknown) =>
  readPlainLine(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)));
const period = { from: '2027-05-01', to: '2027-05-08', available: true, price: '120.50' };
const calendar = (periods: unknown, changes: object = {}) => ({
  type: 'calendar',
  property: 'casa-1',
  periods,
  ...changes,
});

describe('a line of the plain format', () => {
  it('is a header, a property or a calendar', () => {
    assert.deepEqual(read({ type: 'header', format: 'staywire-plain', version: 1, made: 'by hand' }), {
      kind: 'header',
    });
    const line = { type: 'property', ...plainListing };
    assert.deepEqual(read(line), { kind: 'property', listing: line });
    assert.deepEqual(read(' \t\r'), { kind: 'blank' });
    assert.deepEqual(read(''), { kind: 'blank' });
  });

  it('holds the nights of a home in their order', () => {
    const later = {
      from: '2027-05-08',
      to: '2027-05-09',
      available: false,
      minimum_stay: 3,
      maximum_stay: 14,
      closed_to_arrival: true,
      closed_to_departure: true,
    };
    const line = read(calendar([later, period]));
    assert.ok(line.kind === 'calendar');
    const defaults = { minimumStay: 1, maximumStay: 0, closedToArrival: false, closedToDeparture: false };
    assert.deepEqual(unpackPeriods(line.periods), [
      { from: 20_939, to: 20_946, available: true, ...defaults, price: 120.5 },
      {
        from: 20_946,
        to: 20_947,
        available: false,
        minimumStay: 3,
        maximumStay: 14,
        closedToArrival: true,
        closedToDeparture: true,
        price: Number.NaN,
      },
    ]);
  });

  const REFUSED: readonly (readonly [
    line: unknown,
    reference: string | null,
    field: string,
    rule: string,
  ])[] = [
    ['{"type":"property"', null, '', 'not_json'],
    ['nothing', null, '', 'not_json'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, null, '', 'too_complex'],
    [`"${'x'.repeat(1024 * 1024)}"`, null, '', 'too_long'],
    [[], null, '', 'wrong_type'],
    [7, null, '', 'wrong_type'],
    [{}, null, 'type', 'unknown_choice'],
    [{ type: 'Property' }, null, 'type', 'unknown_choice'],
    [{ type: 'header', format: 'staywire-plain', version: 2 }, null, 'version', 'unknown_choice'],
    [{ type: 'header', format: 'other', version: 1 }, null, 'format', 'unknown_choice'],
    [calendar([period], { property: 'a b' }), null, 'property', 'wrong_format'],
    [calendar('none'), 'casa-1', 'periods', 'wrong_type'],
    [calendar(Array(1001).fill(period)), 'casa-1', 'periods', 'too_many_entries'],
    [calendar([{ ...period, available: 't' }]), 'casa-1', 'periods/0/available', 'wrong_type'],
    [calendar([{ ...period, from: '2027-02-30' }]), 'casa-1', 'periods/0/from', 'no_such_day'],
    [calendar([period, { ...period, to: '2027-13-01' }]), 'casa-1', 'periods/1/to', 'no_such_day'],
    [calendar([{ ...period, to: '2027-05-01' }]), 'casa-1', 'periods/0/to', 'period_backwards'],
    [calendar([{ ...period, price: '1234567890.123456' }]), 'casa-1', 'periods/0/price', 'price_too_fine'],
    [
      calendar([period, { ...period, from: '2027-05-07', to: '2027-06-01' }]),
      'casa-1',
      'periods',
      'calendar_overlap',
    ],
  ];
  for (const [line, reference, field, rule] of REFUSED) {
    it(`is refused by ${rule} at ${field || 'the line'}: ${JSON.stringify(line).slice(0, 60)}`, () => {
      const refused = read(line);
      assert.ok(refused.kind === 'refused');
      assert.deepEqual(
        [refused.reference, refused.fault.field, refused.fault.rule],
        [reference, field, rule],
      );
    });
  }

  it('that is not UTF-8 is refused', () => {
    const refused = readPlainLine(Buffer.from([0x22, 0xff, 0x22]));
    assert.ok(refused.kind === 'refused' && refused.fault.rule === 'not_json');
    assert.equal(refused.fault.reason, 'the line is not UTF-8');
  });

  it('may have a price of fifteen digits, with any zeros', () => {
    for (const price of ['000000000001.00', '999999999.999999', '123456789012.10', '0', '100.000000']) {
      const line = read(calendar([{ ...period, price }]));
      assert.ok(line.kind === 'calendar', price);
      assert.equal(line.periods.prices[0], Number(price));
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../../stay/day.ts';
import { readGuestyCalendar } from '../../guesty/calendar.ts';
import { readHostawayCalendar } from '../../hostaway/calendar.ts';
import { obstacleOfStay } from './unavailable-reasons.ts';

const FROM = parseDay('2027-05-01') ?? 0;
const horizon = { from: FROM, nights: 4 };
const listing = { currency: 'EUR', maxGuests: 4, minimumStay: 2, maximumStay: 14 };
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const guesty = (answer: unknown, changes: object = {}) => {
  const [reading] = readGuestyCalendar(bytesOf(answer), { horizon, listing: { ...listing, ...changes } });
  assert.ok(reading);
  return reading;
};
const hostaway = (result: unknown, changes: object = {}) => {
  const [reading] = readHostawayCalendar(bytesOf({ status: 'success', result }), {
    horizon,
    listing: { ...listing, ...changes },
  });
  assert.ok(reading);
  return reading;
};
const columns = (reading: ReturnType<typeof guesty>) => {
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  const { firstDay, ...rest } = reading.value;
  assert.equal(firstDay, FROM);
  return Object.fromEntries(Object.entries(rest).map(([name, column]) => [name, [...column]]));
};
const faults = (reading: ReturnType<typeof guesty>) =>
  reading.kind === 'invalid' ? reading.faults.map(({ rule, reason, field }) => [rule, reason, field]) : [];

describe('a calendar of nights', () => {
  it('is read from what Hostaway says of each', () => {
    const reading = hostaway([
      {
        date: '2027-05-01',
        isAvailable: 1,
        status: 'available',
        price: '80',
        minimumStay: '1',
        maximumStay: 1125,
      },
      { date: '2027-05-02', isAvailable: 1, status: 'pending', closedOnArrival: 1, closedOnDeparture: null },
      { date: '2027-05-03', isAvailable: 0, status: 'available' },
      { date: '2027-05-04', isAvailable: 1, status: 'available', availableUnitsToSell: 0 },
    ]);
    assert.deepEqual(columns(reading), {
      available: [1, 0, 0, 0],
      minimumStay: [1, 1, 1, 1],
      maximumStay: [0, 0, 0, 0],
      closedToArrival: [0, 1, 0, 0],
      closedToDeparture: [0, 0, 0, 0],
      price: [8000, 0, 0, 0],
    });
  });

  it('takes the limits of the listing only where they do not contradict the night', () => {
    const reading = guesty([
      { date: '2027-05-01', status: 'available', minNights: 20 },
      { date: '2027-05-02', status: 'available', maxNights: 1 },
      { date: '2027-05-03', status: 'available' },
    ]);
    const { minimumStay, maximumStay } = columns(reading);
    assert.deepEqual(
      [minimumStay, maximumStay],
      [
        [20, 1, 2, 1],
        [20, 1, 14, 0],
      ],
    );
    const without = guesty([{ date: '2027-05-01', status: 'available' }], {
      minimumStay: null,
      maximumStay: null,
    });
    assert.deepEqual(
      [columns(without).minimumStay, columns(without).maximumStay],
      [
        [1, 1, 1, 1],
        [0, 0, 0, 0],
      ],
    );
  });

  it('that contradicts itself is refused, with the night, the rule and the value', () => {
    const reading = guesty([
      { date: '2027-05-01', status: 'available', minNights: 5, maxNights: 3 },
      { date: '2027-05-02', status: 'available' },
      { date: '2027-05-02', status: 'booked' },
      { date: '2027-02-30', status: 'booked' },
      { date: '2027-05-03', status: 7, minNights: -2, cta: 'yes' },
      'a night',
    ]);
    assert.deepEqual(faults(reading), [
      [
        'contradicts_itself',
        'nights[2] (2027-05-02): says something else than nights[1] (2027-05-02)',
        'nights/2',
      ],
      ['no_such_day', 'nights[3]: date is 2027-02-30, must be a day, YYYY-MM-DD', 'nights/3/date'],
      ['out_of_range', 'nights[4] (2027-05-03): status is 7, must be a text', 'nights/4/status'],
      ['wrong_type', 'nights[4] (2027-05-03): cta is another text, must be true or false', 'nights/4/cta'],
      ['wrong_type', 'nights[5]: is another text, must be an object', 'nights/5'],
      [
        'contradicts_itself',
        'nights[0] (2027-05-01): the minimum stay is 5, above the maximum stay of 3',
        'nights/0',
      ],
    ]);
  });

  it('ignores the limits of stays on nights that are not for sale', () => {
    const reading = guesty([
      { date: '2027-05-01', status: 'available' },
      { date: '2027-05-02', status: 'booked', minNights: 5, maxNights: 3, ctd: true },
      { date: '2027-05-03', status: 'booked', minNights: -2, maxNights: 'any' },
      { date: '2027-05-04', status: 'available' },
    ]);
    assert.deepEqual(columns(reading), {
      available: [1, 0, 0, 1],
      minimumStay: [2, 1, 1, 2],
      maximumStay: [14, 0, 0, 14],
      closedToArrival: [0, 0, 0, 0],
      closedToDeparture: [0, 1, 0, 0],
      price: [0, 0, 0, 0],
    });
    assert.ok(!('closedNights' in reading));
  });

  it('closes a night for sale whose limits of stays cannot be, and says why', () => {
    const reading = guesty([
      { date: '2027-05-01', status: 'available', minNights: 5, maxNights: 3 },
      { date: '2027-05-02', status: 'available', maxNights: 'any', ctd: true },
      { date: '2027-05-03', status: 'available' },
    ]);
    const { available, minimumStay, closedToDeparture } = columns(reading);
    assert.deepEqual(
      [available, minimumStay, closedToDeparture],
      [
        [0, 0, 1, 0],
        [1, 1, 2, 1],
        [0, 1, 0, 0],
      ],
    );
    assert.ok('closedNights' in reading);
    assert.deepEqual(
      reading.closedNights.map(({ rule, field, reason }) => [rule, field, reason]),
      [
        [
          'contradicts_itself',
          'nights/0',
          'nights[0] (2027-05-01): the minimum stay is 5, above the maximum stay of 3',
        ],
        [
          'wrong_type',
          'nights/1/maxNights',
          'nights[1] (2027-05-02): maxNights is another text, must be a whole number, at least 1',
        ],
      ],
    );
  });

  it('in which no night for sale is left so is refused', () => {
    const reading = guesty([
      { date: '2027-05-01', status: 'available', minNights: 5, maxNights: 3 },
      { date: '2027-05-02', status: 'booked' },
    ]);
    assert.deepEqual(
      faults(reading).map(([rule]) => rule),
      ['contradicts_itself'],
    );
  });

  it('without a night that was asked for is none', () => {
    for (const reading of [guesty([]), guesty({}), guesty({ days: {} }), hostaway([]), hostaway(null)]) {
      assert.equal(reading.kind, 'invalid');
    }
    assert.equal(guesty({ data: { days: [{ date: '2027-05-01', status: 'available' }] } }).kind, 'valid');
    const many = Array.from({ length: 1501 }, () => ({ date: '2027-05-01', status: 'available' }));
    assert.deepEqual(
      faults(guesty(many)).map(([rule]) => rule),
      ['too_many_entries'],
    );
  });

  it('lists a few of many faults, and counts the others', () => {
    const many = Array.from({ length: 50 }, () => 'a night');
    assert.deepEqual(faults(guesty(many)).at(-1), ['too_many_faults', '30 other faults', undefined]);
  });
});

describe('the obstacle of a stay', () => {
  const night = (at: number, changes: object = {}) => ({
    date: `2027-05-0${at + 1}`,
    status: 'available',
    minNights: 2,
    maxNights: 3,
    ...changes,
  });
  const obstacle = (
    changes: Record<number, object>,
    [arrival, departure]: readonly [number, number] = [0, 2],
  ) => {
    const reading = guesty([0, 1, 2, 3].map((at) => night(at, changes[at])));
    assert.ok(reading.kind === 'valid');
    return obstacleOfStay(reading.value, { checkIn: FROM + arrival, checkOut: FROM + departure });
  };

  it('is the first rule that it breaks', () => {
    assert.equal(obstacle({}), undefined);
    assert.equal(obstacle({ 1: { status: 'reserved' } }), 'booked');
    assert.equal(obstacle({ 2: { status: 'reserved' } }), undefined, 'the night after the stay is another’s');
    assert.equal(obstacle({}, [0, 1]), 'minimum_stay');
    assert.equal(obstacle({}, [0, 4]), 'maximum_stay');
    assert.equal(obstacle({ 0: { cta: true } }), 'closed_to_arrival');
    assert.equal(obstacle({ 2: { ctd: true } }), 'closed_to_departure');
    assert.equal(obstacle({ 0: { ctd: true }, 1: { cta: true } }), undefined);
    assert.equal(obstacle({}, [3, 5]), 'booked', 'nights beyond the calendar');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDay, parseDay } from './day.ts';
import { formatLocal, instantOf, isTimeZone, todayIn } from './time-zone.ts';

describe('today', () => {
  const todayText = (zone: string, instant: string) => formatDay(todayIn(zone, Date.parse(instant)));

  it('is the day on the calendar of the place', () => {
    assert.equal(todayText('UTC', '2027-05-10T23:30:00Z'), '2027-05-10');
    assert.equal(todayText('Asia/Tokyo', '2027-05-10T23:30:00Z'), '2027-05-11');
    assert.equal(todayText('America/Los_Angeles', '2027-05-10T06:59:59.999Z'), '2027-05-09');
    assert.equal(todayText('America/Los_Angeles', '2027-05-10T07:00:00Z'), '2027-05-10');
    assert.equal(todayText('Pacific/Kiritimati', '2027-05-10T10:00:00Z'), '2027-05-11');
    assert.equal(todayText('Pacific/Pago_Pago', '2027-05-10T10:59:59Z'), '2027-05-09');
  });
});

describe('a local time', () => {
  it('shows the wall clock and its offset, before and after a change', () => {
    const local = (instant: string, zone: string) => formatLocal(Date.parse(instant), zone);
    assert.equal(local('2027-03-28T00:59:59.999Z', 'Europe/Lisbon'), '2027-03-28T00:59:59+00:00');
    assert.equal(local('2027-03-28T01:00:00Z', 'Europe/Lisbon'), '2027-03-28T02:00:00+01:00');
    assert.equal(local('2027-05-01T03:00:00Z', 'America/St_Johns'), '2027-05-01T00:30:00-02:30');
    assert.equal(local('2027-05-01T18:15:00Z', 'Asia/Kathmandu'), '2027-05-02T00:00:00+05:45');
  });

  it('is the same instant', () => {
    const zones = fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Australia/Lord_Howe');
    const seconds = fc.integer({ min: 1_500_000_000, max: 2_500_000_000 });
    fc.assert(
      fc.property(zones, seconds, (zone, second) => {
        assert.equal(Date.parse(formatLocal(second * 1000, zone)), second * 1000);
      }),
    );
  });
});

describe('the instant of a time on the wall clock', () => {
  const instantText = (day: string, time: string, zone: string) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return new Date(instantOf(parseDay(day) ?? Number.NaN, hours * 60 + minutes, zone)).toISOString();
  };

  it('moves a time that the clock skips behind the change, east and west of Greenwich', () => {
    assert.equal(instantText('2027-03-28', '01:30', 'Europe/Lisbon'), '2027-03-28T01:30:00.000Z');
    assert.equal(instantText('2027-03-28', '02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z');
    assert.equal(instantText('2027-03-14', '02:30', 'America/New_York'), '2027-03-14T07:30:00.000Z');
  });

  it('takes a time that the clock shows twice the first time, east and west of Greenwich', () => {
    assert.equal(instantText('2027-10-31', '01:30', 'Europe/Lisbon'), '2027-10-31T00:30:00.000Z');
    assert.equal(instantText('2027-10-31', '02:30', 'Europe/Berlin'), '2027-10-31T00:30:00.000Z');
    assert.equal(instantText('2027-11-07', '01:30', 'America/New_York'), '2027-11-07T05:30:00.000Z');
  });

  it('lies on the day that it was asked for, wherever midnight is not skipped', () => {
    const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Europe/Lisbon', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 20_000, max: 24_000 }),
        fc.integer({ min: 0, max: 1439 }),
        (zone, day, minutes) => {
          assert.equal(todayIn(zone, instantOf(day, minutes, zone)), day);
          assert.equal(todayIn(zone, instantOf(day, 0, zone) - 1), day - 1);
        },
      ),
    );
  });
});

describe('a time zone', () => {
  it('is one that the calendar knows', () => {
    assert.equal(isTimeZone('Europe/Lisbon'), true);
    assert.equal(isTimeZone('UTC'), true);
    for (const zone of ['', 'Europe/Atlantis', 'Lisbon']) assert.equal(isTimeZone(zone), false, zone);
  });
});

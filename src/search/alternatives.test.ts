import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, nightOf, type StagedHome, searchStage, TODAY } from '../../test/support/search-stage.ts';
import { ANY_STAY, type CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import { parseDay } from '../stay/day.ts';
import {
  alternativesFrom,
  countRefused,
  fieldToChangeFirst,
  type HomesInDoubt,
  type RefusedHomes,
  reasonsAmongMatches,
} from './alternatives.ts';

const LOFT: StagedHome = { brand: 'acme', reference: 'loft', maxGuests: 4 };

const day = (text: string) => parseDay(text) ?? 0;

const STAY: CompleteCriteria = {
  ...ANY_STAY,
  place: 'lisbon-pt',
  checkIn: day('2027-03-10'),
  checkOut: day('2027-03-13'),
  guests: 3,
};

const by = (...reasons: Parameters<typeof countRefused>[0]) => countRefused(reasons);

function ways(
  refused: RefusedHomes,
  {
    homes = [LOFT],
    inDoubt = ({ checkIn, checkOut, guests }) =>
      checkIn === STAY.checkIn && checkOut === STAY.checkOut && guests === STAY.guests ? ['acme:loft'] : [],
  }: { readonly homes?: readonly StagedHome[]; readonly inDoubt?: HomesInDoubt } = {},
) {
  const { index } = searchStage(homes);
  const found = alternativesFrom({ criteria: STAY, refused, index, inDoubt, now: NOW });
  return Object.fromEntries(
    Object.entries(found).map(([field, list]) => [
      field,
      list.map((way) => way.map(({ value }) => value).join(' to ')),
    ]),
  );
}

test('stays of as many nights are offered on the nearest days, and departures nearest to the one that was meant', () => {
  assert.deepEqual(ways(by('not_offered')), {
    check_in_day: [
      '2027-03-11 to 2027-03-14',
      '2027-03-09 to 2027-03-12',
      '2027-03-12 to 2027-03-15',
      '2027-03-08 to 2027-03-11',
      '2027-03-13 to 2027-03-16',
    ],
    check_out: ['2027-03-12', '2027-03-14', '2027-03-11', '2027-03-15', '2027-03-16'],
  });
});

test('a stay that the index does not offer, or that was refused too, is no way on', () => {
  const busy: StagedHome = {
    ...LOFT,
    change: ({ available }) => {
      available[nightOf('2027-03-13')] = 0;
    },
  };
  const { check_in_day: arrivals, check_out: departures } = ways(by('booked'), { homes: [busy] });
  assert.deepEqual(arrivals?.slice(0, 2), ['2027-03-09 to 2027-03-12', '2027-03-08 to 2027-03-11']);
  assert.deepEqual(departures, ['2027-03-12', '2027-03-11']);
  const nothing = ways(by('not_offered'), { inDoubt: () => ['acme:loft'] });
  assert.deepEqual(nothing, { check_in_day: [], check_out: [] });
});

test('a stay that was too short is not made shorter, and one that was too long not longer', () => {
  const later = ['2027-03-14', '2027-03-15', '2027-03-16', '2027-03-17', '2027-03-18'];
  assert.deepEqual(ways(by('minimum_stay', 'minimum_stay')).check_out, later);
  assert.deepEqual(ways(by('maximum_stay')).check_out, ['2027-03-12', '2027-03-11']);
  assert.equal(ways(by('maximum_stay', 'booked')).check_out?.length, 5);
});

test('a party that was too large is offered smaller ones', () => {
  assert.deepEqual(ways(by('too_many_guests')), { guests: ['2', '1'] });
  const both = ways(by('too_many_guests', 'booked'));
  assert.deepEqual(Object.keys(both), ['check_in_day', 'check_out', 'guests']);
});

test('the field to change first follows from the reasons, which are counted', () => {
  assert.deepEqual(by('booked', 'lead_time', 'booked'), [
    { reason: 'booked', homes: 2 },
    { reason: 'lead_time', homes: 1 },
  ]);
  assert.equal(fieldToChangeFirst(by('too_many_guests')), 'guests');
  assert.equal(fieldToChangeFirst(by('minimum_stay')), 'check_out');
  assert.equal(fieldToChangeFirst(by('maximum_stay')), 'check_out');
  assert.equal(fieldToChangeFirst(by('minimum_stay', 'booked')), 'check_in_day');
  assert.equal(fieldToChangeFirst([]), 'check_in_day');
});

test('only homes that match are counted, each under its own reason', () => {
  const criteria = { ...STAY, checkIn: TODAY + 5, checkOut: TODAY + 7, guests: 2 };
  const { index } = searchStage([
    { brand: 'acme', reference: '1' },
    { brand: 'acme', reference: '2' },
    { brand: 'acme', reference: '3' },
    { brand: 'other', reference: '4' },
    { brand: 'acme', reference: 'small', maxGuests: 1 },
    { brand: 'acme', reference: 'elsewhere', place: 'porto-pt' },
  ]);
  const rules = new Map<string, UnavailableReason>([
    ['acme:1', 'minimum_stay'],
    ['acme:small', 'minimum_stay'],
    ['other:4', 'lead_time'],
    ['acme:2', 'minimum_stay'],
    ['acme:elsewhere', 'lead_time'],
    ['acme:gone', 'closed_to_arrival'],
  ]);
  const reasons = reasonsAmongMatches({ index, criteria, now: NOW, rules, others: 1 });
  assert.deepEqual(reasons, ['minimum_stay', 'minimum_stay', 'lead_time']);
  const none = { index, criteria, now: NOW, rules: new Map(), others: 4 };
  assert.deepEqual(reasonsAmongMatches(none), []);
});

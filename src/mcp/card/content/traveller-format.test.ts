import assert from 'node:assert/strict';
import { test } from 'node:test';
import { travellerFormat } from './traveller-format.ts';

const german = travellerFormat({ locale: 'de-DE', timeZone: 'Europe/Berlin', currency: 'EUR' });
const american = travellerFormat({ locale: 'en-US', timeZone: 'America/New_York', currency: 'JPY' });

/** Formats may use several kinds of blanks. */
const plain = (text: string) => text.replace(/\s/g, ' ');

test('amounts are written as the traveller writes them, in the currency of the set', () => {
  assert.equal(plain(german.money(1234.5)), '1.234,50 €');
  assert.equal(plain(german.money(1234)), '1.234 €');
  assert.equal(plain(american.money(48_000)), '¥48,000');
});

test('an amount is never rounded, also where people leave decimals out', () => {
  const hungarian = travellerFormat({ locale: 'en-GB', timeZone: 'Europe/Budapest', currency: 'HUF' });
  assert.equal(plain(hungarian.money(45_120.5)), 'HUF 45,120.50');
  assert.equal(plain(hungarian.money(45_120)), 'HUF 45,120');
});

test('days, times of day and instants follow the traveller’s locale', () => {
  assert.equal(plain(american.stay('2027-04-10', '2027-04-14')), 'Sat, Apr 10 – Wed, Apr 14, 2027');
  assert.equal(plain(american.timeOfDay('15:00')), '3:00 PM');
  assert.equal(plain(american.instant('2027-03-01T12:30:00Z')), 'Mon, Mar 1, 2027, 7:30 AM');
  assert.equal(plain(german.instant('2027-03-01T12:30:00Z')), 'Mo., 1. März 2027, 13:30');
});

test('the clock of the home is shown as it stands there', () => {
  assert.equal(plain(german.localTime('2027-04-05T23:59:00-05:00')), 'Mo., 5. Apr. 2027, 23:59');
});

test('a locale, time zone or currency that nobody knows does not break the card', () => {
  const odd = travellerFormat({ locale: 'no_such!', timeZone: 'Mars/Olympus', currency: 'not a code' });
  assert.equal(odd.money(12.5), '12.5 not a code');
  assert.ok(odd.instant('2027-03-01T12:30:00Z').includes('2027'));
  const silent = travellerFormat({ locale: undefined, timeZone: undefined, currency: 'EUR' });
  assert.ok(silent.money(5).includes('5'));
});

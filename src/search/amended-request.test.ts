import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYWHERE,
  answered,
  asked,
  decide,
  PORTO,
  refusalOf,
  session,
} from '../../test/support/decisions.ts';
import { stagedSession } from '../../test/support/search-stage.ts';
import type { Session } from '../sessions/session.ts';

const direct = stagedSession({ source: null });
const STAY = { check_in: '2027-03-05', check_out: '2027-03-08' };

/** What the answer leads on with, as `field=value`. */
function leadsTo(state: Session, values: Record<string, unknown>): string[] {
  return refusalOf(decide(state, values)).corrections.map(({ field, value }) => `${field}=${value}`);
}

function carriedIn(state: Session, values: Record<string, unknown>): string[] {
  return refusalOf(decide(state, values)).carried.map((one) =>
    [one.with, ...one.values].map(({ field, value }) => `${field}=${value}`).join('&'),
  );
}

describe('a value under a wrong name', () => {
  it('is sent again under the right one, with what depends on it', () => {
    const stay = ['check_in_day=2027-03-05', 'check_out=2027-03-08'];
    assert.deepEqual(leadsTo(direct, { destination: 'Porto', ...STAY }), stay);
    assert.deepEqual(leadsTo(direct, { ...STAY, checkin: '2027-03-04' }), [], 'two names for one field');
    assert.deepEqual(leadsTo(direct, { city: 'Porto', adults: '02' }), ['destination=porto-pt', 'guests=2']);
    assert.deepEqual(leadsTo(direct, { ' Check-In ': '2027-3-5' }), ['check_in_day=2027-03-05']);
  });

  it('replaces the answer of a search that has a result', () => {
    const other = { check_in: '2027-03-10', check_out: '2027-03-12' };
    const stay = ['check_in_day=2027-03-10', 'check_out=2027-03-12'];
    assert.deepEqual(leadsTo(answered(PORTO), other), stay);
    assert.deepEqual(leadsTo(answered(PORTO), { adults: 3 }), ['guests=3']);
    assert.deepEqual(leadsTo(answered(ANYWHERE), { amenity: 'pool' }), ['amenities=pool']);
  });

  it('is left out where it would not be taken', () => {
    assert.deepEqual(leadsTo(direct, { check_in: 'soon', check_out: '2027-03-08' }), []);
    assert.deepEqual(leadsTo(direct, { adults: 99 }), []);
    assert.deepEqual(leadsTo(direct, { amenity: 'pool' }), [], 'nothing to refine yet');
    assert.deepEqual(leadsTo(direct, { check_in: '2027-03-05', adults: 99 }), ['check_in_day=2027-03-05']);
    assert.deepEqual(
      leadsTo(answered(PORTO), { check_in: '2027-03-10', adults: 99 }),
      [],
      'the old party is not wanted',
    );
  });

  it('comes with corrections of the others', () => {
    assert.deepEqual(leadsTo(direct, { adults: 2, check_in_day: '5 March 2027' }), [
      'guests=2',
      'check_in_day=2027-03-05',
    ]);
  });

  it('is not part of the party alone', () => {
    assert.deepEqual(leadsTo(answered(PORTO), { kids: 1 }), []);
    assert.deepEqual(leadsTo(direct, { adults: 2, kids: 1 }), []);
    assert.deepEqual(leadsTo(direct, { guests: 2, adults: 3 }), []);
  });

  it('does not go on in the only place of a session when another was asked for', () => {
    const inPorto = stagedSession({ onlyPlace: 'porto-pt', payload: { brand_locked: true } });
    assert.deepEqual(leadsTo(inPorto, { destination: 'lisbon-pt', check_in: '2027-03-05' }), []);
    assert.deepEqual(leadsTo(inPorto, { destination: 'Porto', check_in: '2027-03-05' }), [
      'check_in_day=2027-03-05',
    ]);
  });

  it('is not guessed among many that are unknown', () => {
    const many = { check_in: '2027-03-05', a1: 1, b1: 1, c1: 1, d1: 1 };
    assert.deepEqual(leadsTo(direct, many), []);
  });
});

describe('a destination without brand_locked', () => {
  const stay = { check_in_day: '2027-03-05', check_out: '2027-03-08', guests: 2 };

  it('goes along with each value of brand_locked with which it is taken', () => {
    assert.deepEqual(carriedIn(session, { destination: 'Lisbon', ...stay }), [
      'brand_locked=true&destination=lisbon-pt',
      'brand_locked=false&destination=lisbon-pt',
    ]);
    const forSix = { ...stay, guests: 6 };
    assert.deepEqual(carriedIn(session, { destination: 'Lisbon', ...forSix }), [
      'brand_locked=false&destination=lisbon-pt',
    ]);
    assert.deepEqual(carriedIn(session, { destination: 'Atlantis', ...stay }), []);
    assert.deepEqual(carriedIn(session, { ...stay, check_out: 'soon' }), []);
  });

  it('goes along after a brand_locked that cannot be read', () => {
    assert.deepEqual(carriedIn(session, { brand_locked: 'maybe', destination: 'porto-pt' }), [
      'brand_locked=true&destination=porto-pt',
      'brand_locked=false&destination=porto-pt',
    ]);
  });

  it('takes along what else waits: an amenity, and values under wrong names', () => {
    assert.deepEqual(carriedIn(session, { destination: 'portugal', ...stay, amenities: 'pool' }), [
      'brand_locked=true&destination=portugal&amenities=pool',
      'brand_locked=false&destination=portugal&amenities=pool',
    ]);
    assert.deepEqual(carriedIn(session, { where: 'Porto', ...STAY, adults: 2 }), [
      'brand_locked=true&destination=porto-pt&check_in_day=2027-03-05&check_out=2027-03-08&guests=2',
      'brand_locked=false&destination=porto-pt&check_in_day=2027-03-05&check_out=2027-03-08&guests=2',
    ]);
  });

  it('is not carried where brand_locked is set, or not asked for', () => {
    assert.deepEqual(carriedIn(asked({ brand_locked: true }), { destination: 'Atlantis' }), []);
    assert.deepEqual(carriedIn(direct, { destination: 'Atlantis' }), []);
  });
});

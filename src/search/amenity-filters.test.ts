import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchStage, stagedSession, THREE_HOMES } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { judgeAmenity, keepAmenities, readAmenities } from './amenity-filters.ts';

/** All three homes fit. */
const STAY: Payload = {
  brand_locked: false,
  destination: 'portugal',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-08',
  guests: '2',
};
const { facts } = searchStage();
const complete = (changes: Partial<Session> = {}) => stagedSession({ payload: STAY, ...changes });
const offering = (...values: string[]): Partial<Session> => ({
  result: {
    answersPayload: true,
    amenityOffers: values.map((value) => ({ value, match_count: 1, of: 3 })),
  },
});

describe('what a request says about amenities', () => {
  it('is one amenity, as a text or alone in a list', () => {
    for (const raw of ['pool', ['pool']]) assert.deepEqual(readAmenities(raw), { kind: 'one', text: 'pool' });
    assert.deepEqual(readAmenities('x'.repeat(120)), { kind: 'one', text: 'x'.repeat(120) });
  });

  it('is to take all filters off when it is empty', () => {
    for (const raw of [[], '']) assert.deepEqual(readAmenities(raw), { kind: 'clear' });
  });

  it('is refused when there are several, or something else', () => {
    for (const raw of [
      ['pool', 'wifi'],
      ['pool', 'pool'],
      [1, 2, 3],
    ]) {
      assert.deepEqual(readAmenities(raw), { kind: 'unread', reason: { code: 'one_amenity_per_request' } });
    }
    for (const raw of [7, null, undefined, {}, [7], [null], [['pool']], 'x'.repeat(121)]) {
      assert.deepEqual(readAmenities(raw), { kind: 'unread', reason: { code: 'wrong_type' } });
    }
  });
});

describe('filters', () => {
  const keep = (amenities: readonly string[], payload: Payload = STAY) =>
    keepAmenities(amenities, stagedSession({ amenities }), payload, facts);

  it('are kept as they are while a match has them all', () => {
    for (const amenities of [[], ['wifi'], ['pool', 'wifi']]) assert.equal(keep(amenities), amenities);
  });

  it('are given up one by one otherwise: the first ones stay', () => {
    assert.deepEqual(keep(['hot_tub', 'wifi']), ['hot_tub']);
    assert.deepEqual(keep(['wifi', 'hot_tub']), ['wifi']);
    assert.deepEqual(keep(['helipad', 'wifi', 'hot_tub', 'pool']), ['wifi', 'pool']);
    assert.deepEqual(keep(['pool', 'wifi'], { ...STAY, guests: '5' }), ['pool']);
  });

  it('are all given up when nothing matches at all', () => {
    assert.deepEqual(keep(['wifi'], { ...STAY, guests: '9' }), []);
    const none: readonly string[] = [];
    assert.equal(keep(none, { ...STAY, guests: '9' }), none);
  });
});

describe('an amenity after a result', () => {
  it('is taken when the result offers it, whatever the index says by now', () => {
    const session = complete({ amenities: ['wifi'], ...offering('sauna') });
    assert.deepEqual(judgeAmenity('sauna', session, facts), { kind: 'taken', amenities: ['wifi', 'sauna'] });
    const renamed = searchStage([
      { brand: 'acme', reference: 'spa', amenities: { wifi: 'Wi-Fi', spa: 'Sauna' } },
    ]);
    assert.deepEqual(judgeAmenity('sauna', session, renamed.facts), {
      kind: 'taken',
      amenities: ['wifi', 'sauna'],
    });
  });

  it('can be named by its label, or by its key in another case', () => {
    const session = complete(offering('pool', 'hot_tub'));
    for (const text of ['Swimming pool', 'SWIMMING  POOL', 'swimming-pool', 'Pool']) {
      assert.deepEqual(judgeAmenity(text, session, facts), { kind: 'taken', amenities: ['pool'] }, text);
    }
    assert.deepEqual(judgeAmenity('Hot tub', session, facts), { kind: 'taken', amenities: ['hot_tub'] });
  });

  it('changes nothing when it is applied already', () => {
    const session = complete({ amenities: ['pool'], ...offering('wifi') });
    for (const text of ['pool', 'swimming pool']) {
      assert.deepEqual(judgeAmenity(text, session, facts), { kind: 'taken', amenities: session.amenities });
    }
  });

  it('is refused when it does not tell the options apart', () => {
    const session = complete(offering('hot_tub'));
    assert.deepEqual(judgeAmenity('wifi', session, facts), {
      kind: 'refused',
      reason: { code: 'not_discriminating' },
      suggestions: [],
    });
  });

  it('is refused with what stands in its way when other answers rule it out', () => {
    const session = complete({ amenities: ['wifi'], ...offering('pool') });
    for (const text of ['hot_tub', 'Hot tub', 'HOT-TUB']) {
      const verdict = judgeAmenity(text, session, facts);
      assert.ok(verdict.kind === 'refused');
      assert.deepEqual(verdict.reason, { code: 'conflicts_with', fields: ['amenities'] }, text);
    }
  });

  it('that nobody has is not on the network, and the nearest one on offer is suggested', () => {
    const session = complete(offering('pool', 'hot_tub'));
    assert.deepEqual(judgeAmenity('helipad', session, facts), {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: [],
    });
    assert.deepEqual(judgeAmenity('hottub', complete(offering('pool')), facts), {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: [],
    });
    assert.deepEqual(judgeAmenity('poool', session, facts), {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: ['pool'],
    });
  });
});

describe('an amenity before a result', () => {
  it('is judged by the matches: one that all of them have is taken too', () => {
    const loft = complete({ payload: { ...STAY, brand_locked: true, destination: 'lisbon-pt' } });
    assert.deepEqual(judgeAmenity('wifi', loft, facts), { kind: 'taken', amenities: ['wifi'] });
    assert.deepEqual(judgeAmenity('Wi-Fi', loft, facts), { kind: 'taken', amenities: ['wifi'] });
  });

  it('is judged by the matches of the filters that are on', () => {
    const filtered = complete({ amenities: ['hot_tub'] });
    assert.deepEqual(judgeAmenity('pool', filtered, facts), {
      kind: 'taken',
      amenities: ['hot_tub', 'pool'],
    });
    const verdict = judgeAmenity('wifi', filtered, facts);
    assert.ok(verdict.kind === 'refused');
    assert.deepEqual(verdict.reason, { code: 'conflicts_with', fields: ['amenities'] });
  });

  it('is judged by the matches when the result no longer answers the search', () => {
    const moved = complete({
      result: { answersPayload: false, amenityOffers: [{ value: 'sauna', match_count: 1, of: 2 }] },
    });
    assert.deepEqual(judgeAmenity('wifi', moved, facts), { kind: 'taken', amenities: ['wifi'] });
    assert.equal(judgeAmenity('sauna', moved, facts).kind, 'refused');
  });

  it('suggests the nearest that a match has', () => {
    const verdict = judgeAmenity('hot_tup', complete(), facts);
    assert.deepEqual(verdict, {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: ['hot_tub'],
    });
  });

  it('is not guessed from a label that several amenities have', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'spa', amenities: { indoor_pool: 'Bath', outdoor_pool: 'Bath' } },
    ]);
    assert.equal(judgeAmenity('Bath', complete(), stage.facts).kind, 'refused');
    assert.equal(judgeAmenity('indoor_pool', complete(), stage.facts).kind, 'taken');
  });

  it('that is a key is that key, also when it is the label of another', () => {
    const stage = searchStage([
      { brand: 'acme', reference: 'spa', amenities: { bath: 'pool', pool: 'Basin' } },
    ]);
    assert.deepEqual(judgeAmenity('pool', complete(), stage.facts), { kind: 'taken', amenities: ['pool'] });
    assert.deepEqual(judgeAmenity('basin', complete(), stage.facts), { kind: 'taken', amenities: ['pool'] });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchStage, stagedSession, THREE_HOMES } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { judgeAmenities, keepAmenities, readAmenities } from './amenity-filters.ts';

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
const judgeAmenity = (
  text: string,
  ...others: Parameters<typeof judgeAmenities> extends [unknown, ...infer Rest] ? Rest : never
) => judgeAmenities({ kind: 'named', texts: [text] }, ...others);
const offering = (...values: string[]): Partial<Session> => ({
  result: {
    answersPayload: true,
    amenityOffers: values.map((value) => ({ value, match_count: 1, of: 3 })),
  },
});

describe('what a request says about amenities', () => {
  it('is one amenity, as a text or alone in a list', () => {
    for (const raw of ['pool', ['pool']])
      assert.deepEqual(readAmenities(raw), { kind: 'named', texts: ['pool'] });
    assert.deepEqual(readAmenities('x'.repeat(120)), { kind: 'named', texts: ['x'.repeat(120)] });
  });

  it('is to take all filters off when it is empty', () => {
    for (const raw of [[], '']) assert.deepEqual(readAmenities(raw), { kind: 'clear' });
  });

  it('is refused when there are several, or something else', () => {
    const several = readAmenities(['pool', 'sauna', 'pool']);
    assert.ok(several.kind === 'named');
    assert.deepEqual(judgeAmenities(several, complete(offering('hot_tub', 'pool')), facts), {
      kind: 'refused',
      reason: { code: 'one_amenity_per_request' },
      suggestions: ['pool'],
    });
    for (const raw of [7, null, undefined, {}, [7], [1, 2], [null], [['pool']], 'x'.repeat(121)]) {
      assert.deepEqual(readAmenities(raw), { kind: 'unread' });
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
    for (const text of ['Hot tub', 'hottub']) {
      assert.deepEqual(judgeAmenity(text, session, facts), { kind: 'taken', amenities: ['hot_tub'] }, text);
    }
  });

  it('changes nothing when it is applied already', () => {
    const session = complete({ amenities: ['pool'], ...offering('wifi') });
    for (const text of ['pool', 'swimming pool']) {
      assert.deepEqual(judgeAmenity(text, session, facts), { kind: 'taken', amenities: session.amenities });
    }
  });

  it('is refused when it does not tell the options apart', () => {
    const everyoneHas = searchStage(
      THREE_HOMES.map((home) => ({ ...home, amenities: { ...home.amenities, wifi: 'Wi-Fi' } })),
    );
    assert.deepEqual(judgeAmenity('wifi', complete(offering('hot_tub', 'pool')), everyoneHas.facts), {
      kind: 'refused',
      reason: { code: 'not_discriminating', having: 3, of: 3 },
      suggestions: [],
    });
  });

  it('that every match has is not taken for another one that is spelt alike', () => {
    const laundry = searchStage(
      THREE_HOMES.map((home, number) => ({
        ...home,
        amenities: { washing_machine: 'Washer', ...(number === 0 ? { coffee_machine: 'Coffee' } : {}) },
      })),
    );
    const verdict = judgeAmenity('washing_machine', complete(offering('coffee_machine')), laundry.facts);
    assert.deepEqual(verdict, {
      kind: 'refused',
      reason: { code: 'not_discriminating', having: 3, of: 3 },
      suggestions: [],
    });
  });

  it('that tells them apart by now is taken, although the result did not offer it', () => {
    assert.deepEqual(judgeAmenity('wifi', complete(offering('hot_tub')), facts), {
      kind: 'taken',
      amenities: ['wifi'],
    });
    assert.deepEqual(judgeAmenity('Swimming pool', complete(offering()), facts), {
      kind: 'taken',
      amenities: ['pool'],
    });
  });

  it('is refused with the homes of which nobody knows, because they publish nothing', () => {
    const silent = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'hut', amenities: null },
      { brand: 'other', reference: 'barn', amenities: null },
    ]);
    const verdict = judgeAmenity('helipad', complete(offering('pool')), silent.facts);
    assert.deepEqual(verdict, {
      kind: 'refused',
      reason: { code: 'not_on_network', unpublished: 2 },
      suggestions: [],
    });
    const six = complete({ payload: { ...STAY, brand_locked: true }, ...offering('pool') });
    assert.deepEqual(judgeAmenity('hot_tub', six, silent.facts), {
      kind: 'refused',
      reason: { code: 'conflicts_with', fields: ['brand_locked'], unpublished: 1 },
      suggestions: [],
    });
  });

  it('is one of a list when several are named in one text, and those of them on offer are suggested', () => {
    const session = complete(offering('pool', 'hot_tub'));
    const lists = [
      ['hot_tub,pool', 'hot_tub', 'pool'],
      ['Hot tub, Swimming pool', 'hot_tub', 'pool'],
      ['pool , sauna, hot tub', 'pool', 'hot_tub'],
      ['jacuzzi, jacuzzi', 'hot_tub'],
    ] as const;
    for (const [text, ...suggestions] of lists) {
      const reason = { code: 'one_amenity_per_request' };
      assert.deepEqual(judgeAmenity(text, session, facts), { kind: 'refused', reason, suggestions }, text);
    }
    const unknown = judgeAmenity('sauna,helipad', session, facts);
    assert.ok(unknown.kind === 'refused');
    assert.equal(unknown.reason.code, 'not_on_network', 'a comma alone makes no list');
  });

  it('is suggested only while it is not applied, and five at most', () => {
    const applied = complete({ amenities: ['wifi'] });
    const listed = judgeAmenity('wifi,pool', applied, facts);
    assert.ok(listed.kind === 'refused');
    assert.deepEqual(listed.suggestions, ['pool']);
    const misspelt = judgeAmenity('wiffi', applied, facts);
    assert.ok(misspelt.kind === 'refused');
    assert.deepEqual(misspelt.suggestions, []);
    const keys = ['bar', 'bikes', 'desk', 'garden', 'gym', 'pool', 'spa'];
    const amenities = Object.fromEntries(keys.map((key) => [key, key]));
    const { facts: rich } = searchStage([...THREE_HOMES, { brand: 'acme', reference: 'resort', amenities }]);
    const seven = judgeAmenity(keys.join(','), complete(offering(...keys)), rich);
    assert.ok(seven.kind === 'refused');
    assert.deepEqual(seven.suggestions, ['bar', 'bikes', 'desk', 'garden', 'gym']);
  });

  it('with a comma in its label is still one', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'spa', amenities: { pool_heated: 'Pool, heated' } },
    ]);
    assert.deepEqual(judgeAmenity('Pool, heated', complete(offering('pool_heated')), stage.facts), {
      kind: 'taken',
      amenities: ['pool_heated'],
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

  it('that none of the matches has is refused with their number, and the nearest one on offer is suggested', () => {
    const session = complete(offering('pool', 'hot_tub'));
    assert.deepEqual(judgeAmenity('helipad', session, facts), {
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

  it('is suggested by an everyday word for it when some match has it', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'villa', amenities: { air_conditioning: 'Cool', pets_allowed: 'Pets' } },
    ]);
    for (const [text, key] of [
      ['aircon', 'air_conditioning'],
      ['AC', 'air_conditioning'],
      ['dog friendly', 'pets_allowed'],
      ['jacuzzi', 'hot_tub'],
    ] as const) {
      assert.deepEqual(judgeAmenity(text, complete(), stage.facts), {
        kind: 'refused',
        reason: { code: 'not_on_network' },
        suggestions: [key],
      });
    }
    assert.deepEqual(judgeAmenity('aircon', complete(), facts), {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: [],
    });
  });

  it('that is applied already, or that every match has, is said to be so by an everyday word too', () => {
    const stage = searchStage([
      { brand: 'acme', reference: 'villa', amenities: { hot_tub: 'Tub', pets_allowed: 'Animals' } },
    ]);
    const applied = complete({ amenities: ['pets_allowed'] });
    assert.deepEqual(judgeAmenity('dogs', applied, stage.facts), {
      kind: 'refused',
      reason: { code: 'already_applied' },
      suggestions: [],
    });
    assert.deepEqual(judgeAmenity('jacuzzi', applied, stage.facts), {
      kind: 'refused',
      reason: { code: 'not_discriminating', having: 1, of: 1 },
      suggestions: [],
    });
    const verdict = judgeAmenity('jacuzzi', complete({ amenities: ['wifi'] }), facts);
    assert.ok(verdict.kind === 'refused');
    assert.deepEqual(verdict.reason, { code: 'conflicts_with', fields: ['amenities'] });
  });

  it('suggests those of which a word begins alike', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'villa', amenities: { washing_machine: 'Laundry', sea_view: 'Sea' } },
    ]);
    const near = (text: string) => {
      const verdict = judgeAmenity(text, complete(), stage.facts);
      return verdict.kind === 'refused' ? verdict.suggestions : verdict;
    };
    assert.deepEqual(near('washer'), ['washing_machine']);
    assert.deepEqual(near('machines'), ['washing_machine']);
    assert.deepEqual(near('seaside'), [], 'three letters are too few');
  });

  it('is a key of one operator before it is a label of another', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'other', reference: 'rival', amenities: { zz1: 'Pool', zz2: 'POOL' } },
    ]);
    for (const text of ['Pool', 'POOL', ' pool ']) {
      const verdict = judgeAmenity(text, complete(), stage.facts);
      assert.deepEqual(verdict, { kind: 'taken', amenities: ['pool'] }, text);
    }
  });

  it('is known by at most a thousand labels, so that one operator cannot hold up the others', () => {
    const keyOf = (number: number) => `key_${String(number).padStart(4, '0')}`;
    const amenities = Object.fromEntries(
      Array.from({ length: 1200 }, (_, number) => [keyOf(number), `Label ${number}`]),
    );
    const stage = searchStage([{ brand: 'acme', reference: 'many', amenities }]);
    assert.equal(judgeAmenity('Label 999', complete(), stage.facts).kind, 'taken');
    assert.equal(judgeAmenity('Label 1000', complete(), stage.facts).kind, 'refused');
    assert.equal(judgeAmenity('key_1100', complete(), stage.facts).kind, 'taken', 'a key always is');
  });

  it('is known by what any operator calls it, once some match has it', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      {
        brand: 'other',
        reference: 'abroad',
        maxGuests: 1,
        amenities: { pool: 'Piscina', spa: 'Termas' },
      },
    ]);
    assert.deepEqual(judgeAmenity('piscina', complete(), stage.facts), {
      kind: 'taken',
      amenities: ['pool'],
    });
    assert.equal(judgeAmenity('termas', complete(), stage.facts).kind, 'refused');
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

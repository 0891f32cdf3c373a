import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchStage, stagedSession, THREE_HOMES } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { judgeAmenities, keepAmenities } from './amenities.ts';
import type { SearchFacts } from './payload.ts';
import { readAmenities } from './supplied-values.ts';

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
const named = (...texts: string[]) => ({ kind: 'named', texts, isAfresh: false }) as const;
/** One amenity is taken, fulfilled or refused. */
function judgeAmenity(text: string, session: Session, known: SearchFacts) {
  const { amenities, fulfilled, refused } = judgeAmenities(named(text), session, known);
  const [refusal] = refused;
  if (refusal) return { kind: 'refused', ...refusal } as const;
  const [amenity] = fulfilled;
  return amenity === undefined
    ? ({ kind: 'taken', amenities } as const)
    : ({ kind: 'fulfilled', amenity } as const);
}
const offering = (...values: string[]): Partial<Session> => ({
  result: {
    answersPayload: true,
    amenityOffers: values.map((value) => ({ value, match_count: 1, of: 3 })),
  },
});

describe('what a request says about amenities', () => {
  it('is one amenity, as a text or alone in a list, or several', () => {
    for (const raw of ['pool', ['pool']]) assert.deepEqual(readAmenities(raw), named('pool'));
    assert.deepEqual(readAmenities('x'.repeat(120)), named('x'.repeat(120)));
    assert.deepEqual(readAmenities(['pool', 'sauna', 'pool']), named('pool', 'sauna', 'pool'));
  });

  it('is to take all filters off when it is empty', () => {
    for (const raw of [[], '', ['']]) assert.deepEqual(readAmenities(raw), { kind: 'clear' });
    assert.deepEqual(readAmenities(['', 'pool']), { ...named('pool'), isAfresh: true });
  });

  it('is refused when it is something else', () => {
    for (const raw of [7, null, undefined, {}, [7], [1, 2], [null], [['pool']], 'x'.repeat(121)]) {
      assert.deepEqual(readAmenities(raw), { kind: 'unreadable' });
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

  it('is fulfilled when every match has it', () => {
    const everyoneHas = searchStage(
      THREE_HOMES.map((home) => ({ ...home, amenities: { ...home.amenities, wifi: 'Wi-Fi' } })),
    );
    for (const text of ['wifi', 'WLAN']) {
      const verdict = judgeAmenity(text, complete(offering('hot_tub', 'pool')), everyoneHas.facts);
      assert.deepEqual(verdict, { kind: 'fulfilled', amenity: 'wifi' }, text);
    }
  });

  it('that every match has is not taken for another one that is spelt alike', () => {
    const laundry = searchStage(
      THREE_HOMES.map((home, number) => ({
        ...home,
        amenities: { washing_machine: 'Washer', ...(number === 0 ? { coffee_machine: 'Coffee' } : {}) },
      })),
    );
    const verdict = judgeAmenity('washing_machine', complete(offering('coffee_machine')), laundry.facts);
    assert.deepEqual(verdict, { kind: 'fulfilled', amenity: 'washing_machine' });
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

  it('is suggested only while it is not applied, and five at most', () => {
    const misspelt = judgeAmenity('wiffi', complete({ amenities: ['wifi'] }), facts);
    assert.ok(misspelt.kind === 'refused');
    assert.deepEqual(misspelt.suggestions, []);
    const keys = ['sea_1', 'sea_2', 'sea_3', 'sea_4', 'sea_5', 'sea_6'].map((key) => `view_${key}`);
    const amenities = Object.fromEntries(keys.map((key) => [key, key]));
    const { facts: rich } = searchStage([...THREE_HOMES, { brand: 'acme', reference: 'resort', amenities }]);
    const near = judgeAmenity('viewpoint', complete(offering(...keys)), rich);
    assert.ok(near.kind === 'refused');
    assert.deepEqual(near.suggestions, keys.slice(0, 5));
  });

  it('with a comma in its label is still one, unless it is a list of others', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'spa', amenities: { slope: 'Ski-in, out', pool_wifi: 'Pool, Wi-Fi' } },
    ]);
    const [one, list] = ['Ski-in, out', 'pool, wifi'].map((text) =>
      judgeAmenities(named(text), complete(), stage.facts, { atOnce: true }),
    );
    assert.deepEqual(one?.amenities, ['slope']);
    assert.deepEqual(
      list?.amenities,
      ['pool', 'wifi'],
      'a list of words before any label or key of an operator',
    );
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

describe('several amenities', () => {
  const session = complete(offering('pool', 'hot_tub'));
  const next = (amenity: string, position: number) => ({
    reason: { code: 'one_amenity_per_request', amenity },
    suggestions: [amenity],
    position,
  });

  it('are applied one in a request: the first that narrows the matches', () => {
    for (const texts of [
      ['hot_tub', 'pool'],
      ['hot_tub,pool'],
      ['Hot tub, Swimming pool'],
      ['jacuzzi, pool'],
    ]) {
      const { amenities, fulfilled, refused } = judgeAmenities(named(...texts), session, facts);
      assert.deepEqual(
        [amenities, fulfilled, refused],
        [['hot_tub'], ['pool'], []],
        'a tub comes with a pool',
      );
    }
    const { amenities, refused } = judgeAmenities(named('pool', 'hot_tub', 'wifi'), session, facts);
    assert.deepEqual([amenities, refused], [['pool'], [next('hot_tub', 2), next('wifi', 3)]]);
  });

  it('are all applied at once where the transport has no limit', () => {
    const judged = judgeAmenities(named('pool', 'helipad', 'hot_tub', 'wifi'), session, facts, {
      atOnce: true,
    });
    assert.deepEqual(judged.amenities, ['pool', 'hot_tub']);
    assert.deepEqual(
      judged.refused.map(({ reason, position }) => [reason, position]),
      [
        [{ code: 'not_on_network' }, 2],
        [{ code: 'conflicts_with', fields: ['amenities'] }, 4],
      ],
      'no home with a tub has Wi-Fi',
    );
  });

  it('are judged by what those before them leave, and one that is on already is no further one', () => {
    const applied = complete({ amenities: ['wifi'] });
    for (const texts of [['wifi', 'pool'], ['wifi,pool'], ['WLAN', 'pool', 'Pool']]) {
      const { amenities, refused } = judgeAmenities(named(...texts), applied, facts);
      assert.deepEqual([amenities, refused], [['wifi', 'pool'], []]);
    }
    const same = judgeAmenities(named('wifi', 'wifi'), applied, facts);
    assert.equal(same.amenities, applied.amenities);
    assert.equal(same.isTaken, true);
  });

  it('are no list for a comma alone', () => {
    const { refused, isTaken } = judgeAmenities(named('sauna,helipad'), session, facts);
    assert.deepEqual([refused.length, refused[0]?.reason.code, isTaken], [1, 'not_on_network', false]);
  });
});

describe('an amenity before a result', () => {
  it('is judged by the matches: one that all of them have is fulfilled', () => {
    const loft = complete({ payload: { ...STAY, brand_locked: true, destination: 'lisbon-pt' } });
    assert.deepEqual(judgeAmenity('wifi', loft, facts), { kind: 'fulfilled', amenity: 'wifi' });
    assert.deepEqual(judgeAmenity('Wi-Fi', loft, facts), { kind: 'fulfilled', amenity: 'wifi' });
  });

  it('is judged by the matches of the filters that are on', () => {
    const filtered = complete({ amenities: ['hot_tub'] });
    assert.deepEqual(judgeAmenity('pool', filtered, facts), { kind: 'fulfilled', amenity: 'pool' });
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

  it('can be named by an everyday word for it when some match has it', () => {
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
      const verdict = judgeAmenity(text, complete(), stage.facts);
      assert.deepEqual(verdict, { kind: 'taken', amenities: [key] }, text);
    }
    assert.deepEqual(judgeAmenity('aircon', complete(), facts), {
      kind: 'refused',
      reason: { code: 'not_on_network' },
      suggestions: [],
    });
    const own = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'spa', amenities: { jacuzzi: 'Tub' } },
    ]);
    assert.deepEqual(
      judgeAmenity('Jacuzzi', complete(), own.facts),
      { kind: 'taken', amenities: ['hot_tub'] },
      'a word comes before a key of one operator',
    );
  });

  it('that is applied already, or that every match has, is known by an everyday word too', () => {
    const stage = searchStage([
      { brand: 'acme', reference: 'villa', amenities: { hot_tub: 'Tub', pets_allowed: 'Animals' } },
    ]);
    const applied = complete({ amenities: ['pets_allowed'] });
    assert.deepEqual(judgeAmenity('dogs', applied, stage.facts), {
      kind: 'taken',
      amenities: applied.amenities,
    });
    assert.deepEqual(judgeAmenity('jacuzzi', applied, stage.facts), {
      kind: 'fulfilled',
      amenity: 'hot_tub',
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
    assert.deepEqual(near('washing'), ['washing_machine']);
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
    assert.equal(judgeAmenity('Label 999', complete(), stage.facts).kind, 'fulfilled');
    assert.equal(judgeAmenity('Label 1000', complete(), stage.facts).kind, 'refused');
    assert.equal(judgeAmenity('key_1100', complete(), stage.facts).kind, 'fulfilled', 'a key always is');
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
      { brand: 'acme', reference: 'spa', amenities: { inner_bath: 'Bath', outer_bath: 'Bath' } },
    ]);
    assert.deepEqual(judgeAmenity('Bath', complete(), stage.facts), {
      kind: 'refused',
      reason: { code: 'ambiguous' },
      suggestions: [],
    });
    assert.equal(judgeAmenity('inner_bath', complete(), stage.facts).kind, 'taken');
  });

  it('is that of several brands before a key or label of one', () => {
    const stage = searchStage([
      { brand: 'acme', reference: 'villa', amenities: { pool: 'Piscina', olive_press: 'Mill' } },
      { brand: 'borealis', reference: 'inn', amenities: { olive_press: 'Mill' } },
      { brand: 'borealis', reference: 'den', amenities: { piscina: 'Piscina', 'olive-press': 'Press' } },
      { brand: 'acme', reference: 'loft' },
    ]);
    for (const [text, key] of [
      ['Piscina', 'pool'],
      ['piscina', 'pool'],
      ['olive press', 'olive_press'],
      ['Press', 'olive-press'],
    ] as const) {
      assert.deepEqual(
        judgeAmenity(text, complete(), stage.facts),
        { kind: 'taken', amenities: [key] },
        text,
      );
    }
  });

  it('is to be chosen where operators call several shared ones so', () => {
    const stage = searchStage([
      ...THREE_HOMES,
      { brand: 'acme', reference: 'villa', amenities: { pool: 'Piscina', piscina: 'Piscina' } },
      { brand: 'borealis', reference: 'den', amenities: { sauna: 'Piscina' } },
    ]);
    const { kind, ...refusal } = judgeAmenity('Piscina', complete(), stage.facts);
    assert.deepEqual(
      [kind, refusal],
      ['refused', { reason: { code: 'ambiguous' }, suggestions: ['pool', 'sauna'] }],
    );
  });

  it('that is a key is that key, also when it is the label of another', () => {
    const stage = searchStage([
      { brand: 'acme', reference: 'spa', amenities: { bath: 'pool', pool: 'Basin' } },
      { brand: 'acme', reference: 'loft' },
    ]);
    assert.deepEqual(judgeAmenity('pool', complete(), stage.facts), { kind: 'taken', amenities: ['pool'] });
    assert.deepEqual(judgeAmenity('basin', complete(), stage.facts), { kind: 'taken', amenities: ['pool'] });
  });
});

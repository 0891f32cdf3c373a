import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchStage, stagedSession, THREE_HOMES } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { judgeAmenities } from './amenities.ts';
import type { SearchFacts } from './payload.ts';

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

describe('what a request says about amenities', () => {});

describe('an amenity after a result', () => {
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
});

describe('several amenities', () => {
  const session = complete(offering('pool', 'hot_tub'));

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
});

describe('an amenity before a result', () => {
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
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchProgress, SearchQuestion } from '../../src/client/client.ts';
import { property } from '../support/network.ts';
import { setClientStage } from './client-stage.ts';

const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };

/** Answers from a list, in turn, and remembers what was asked. */
function answering(...answers: readonly (string | number | boolean | null)[]) {
  const asked: SearchQuestion[] = [];
  return {
    asked,
    choose: (question: SearchQuestion) => {
      asked.push(question);
      const answer = answers[asked.length - 1];
      assert.notEqual(answer, undefined, `asked for ${question.field} once too often`);
      return answer ?? null;
    },
  };
}

function progressOf() {
  const values: object[] = [];
  const kinds: string[] = [];
  return {
    values,
    kinds,
    onProgress: (progress: SearchProgress) => {
      kinds.push(progress.kind);
      if (progress.kind === 'sending') values.push(progress.values);
    },
  };
}

describe('a whole search', () => {
  it('asks for what is missing, in the order of the service', async (t) => {
    const { client } = await setClientStage(t);
    const { asked, choose } = answering('lisbon-pt', '2027-04', '2027-04-10', '2027-04-13');
    const outcome = await client.search({ guests: 2, choose });
    assert.equal(outcome.kind, 'comparison');
    assert.deepEqual(
      asked.map(({ field }) => field),
      ['destination', 'check_in_month', 'check_in_day', 'check_out'],
    );
    assert.deepEqual(
      asked[0]?.choices.map(({ label }) => label),
      ['Portugal', 'Lisbon', 'Porto'],
    );
  });

  it('tells of a field that the session does not have, whenever it was refused', async (t) => {
    const { client } = await setClientStage(t, {
      source: 'acme',
      scene: { brands: { acme: { properties: [property('a')], entry: { single_location: 'lisbon-pt' } } } },
    });
    const { guests, ...unfinished } = { ...STAY, destination: 'Porto', brand_locked: true };
    for (const input of [
      { ...unfinished, guests },
      { ...unfinished, choose: answering(guests).choose },
    ]) {
      const outcome = await client.search(input);
      assert.equal(outcome.kind, 'comparison');
      assert.deepEqual(
        outcome.refusals.map(({ field, error }) => [field, error]),
        [['destination', 'unknown_field']],
      );
    }
  });

  it('stops at the first question when nobody can be asked, and the session goes on', async (t) => {
    const { client } = await setClientStage(t);
    const { guests, ...unfinished } = STAY;
    const outcome = await client.search(unfinished);
    assert.equal(outcome.kind, 'stopped');
    assert.equal(outcome.because, 'no_choice');
    assert.equal(outcome.question.field, 'guests');
    assert.equal((await client.step(outcome, { guests })).kind, 'comparison');
  });

  it('asks again for each refused field with the reason, also when another comes first', async (t) => {
    const { client } = await setClientStage(t);
    const { asked, choose } = answering('2027-04-10', '2027-04-13', 2);
    const outcome = await client.search({ ...STAY, check_in_day: '2020-04-10', guests: 99, choose });
    assert.equal(outcome.kind, 'comparison');
    assert.equal(outcome.body.query.guests, 2);
    assert.deepEqual(
      asked.map(({ field, refusal }) => [field, refusal?.error, refusal?.reason?.code]),
      [
        ['check_in_day', 'invalid_value', 'in_the_past'],
        ['check_out', 'prerequisite_missing', undefined],
        ['guests', 'invalid_value', 'party_too_large'],
      ],
    );
    assert.deepEqual(asked[2]?.refusal?.suggestions?.[0], '4');
    assert.deepEqual(outcome.refusals, []);
  });

  it('ends although every choice is refused', async (t) => {
    const { client } = await setClientStage(t);
    let asked = 0;
    const outcome = await client.search({
      ...STAY,
      destination: 'Atlantis',
      choose: () => {
        asked += 1;
        return 'Atlantis';
      },
    });
    assert.equal(outcome.kind, 'stopped');
    assert.equal(outcome.because, 'too_many_questions');
    assert.equal(outcome.question.refusal?.reason?.code, 'not_on_network');
    assert.equal(asked, 30);
  });

  it('ends while a choice is being made when its signal aborts', async (t) => {
    const { client } = await setClientStage(t);
    const leaving = new AbortController();
    const outcome = client.search({
      signal: leaving.signal,
      choose: () => {
        leaving.abort(new Error('the traveller left'));
        return new Promise<string>(() => {});
      },
    });
    await assert.rejects(outcome, /the traveller left/);
  });
});

describe('amenities', () => {
  const homes = {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { wifi: 'Wi-Fi' } }),
          property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
          property('c', { amenities: { wifi: 'Wi-Fi', pool: 'Pool', sauna: 'Sauna' } }),
          property('d', { place: 'porto-pt', location: 'Ribeira, Porto', amenities: { moat: 'Moat' } }),
        ],
      },
    },
  };

  it('are applied one by one, the first of them with the stay', async (t) => {
    const { client } = await setClientStage(t, { scene: homes });
    const { values, onProgress } = progressOf();
    const outcome = await client.search({ ...STAY, amenities: ['pool', 'sauna', 'sauna'], onProgress });
    assert.equal(outcome.kind, 'comparison');
    assert.deepEqual(outcome.body.applied_filters.amenities, ['pool', 'sauna']);
    assert.deepEqual(values, [{ ...STAY, amenities: 'pool' }, { amenities: 'sauna' }]);
  });

  it('that no match has are told, and those that every match has are met', async (t) => {
    const { client } = await setClientStage(t, { scene: homes });
    const outcome = await client.search({ ...STAY, amenities: ['helipad', 'pool', 'wifi', 'moat'] });
    assert.equal(outcome.kind, 'comparison');
    assert.deepEqual(outcome.body.applied_filters.amenities, ['pool']);
    assert.deepEqual(
      outcome.unmetAmenities.map(({ amenity, refusal }) => [amenity, refusal.reason?.code]),
      [
        ['helipad', 'not_on_network'],
        ['moat', 'conflicts_with'],
      ],
    );
    assert.deepEqual(outcome.refusals, []);
  });
});

describe('a session that ends during a search', () => {
  it('is opened again once, and everything that was said is sent again', async (t) => {
    const { client, scene } = await setClientStage(t);
    const { values, kinds, onProgress } = progressOf();
    const outcome = await client.search({
      destination: 'Lisbon',
      check_in_day: '2027-04-10',
      amenities: ['pool'],
      onProgress,
      choose: ({ field }) => {
        if (field === 'check_out') return '2027-04-13';
        // The traveller takes an hour to count the guests.
        scene.service.time.now += 60 * 60_000;
        return 2;
      },
    });
    assert.equal(outcome.kind, 'comparison');
    assert.deepEqual(values.at(-1), { ...STAY, amenities: 'pool' });
    assert.equal(kinds.filter((kind) => kind === 'opened').length, 2);
  });
});

describe('a connection that breaks', () => {
  it('changes nothing: what was asked is carried out once, and its answer is the same', async (t) => {
    let broken = 0;
    const { client, scene } = await setClientStage(t, {
      between: (send) => {
        const answered = new Set<string>();
        return async (url, init) => {
          const answer = await send(url, init);
          const key = new Headers(init.headers).get('idempotency-key') ?? '';
          if (answered.has(key)) return answer;
          answered.add(key);
          broken += 1;
          throw new TypeError('the connection was lost after the service had answered');
        };
      },
    });
    const outcome = await client.search({ ...STAY, amenities: ['pool'] });
    assert.equal(outcome.kind, 'comparison');
    assert.deepEqual(outcome.body.applied_filters.amenities, ['pool']);
    assert.equal(broken, 2, 'the answers to the opening and to the only step');
    assert.equal(scene.operator.asked.length, 1);
  });
});

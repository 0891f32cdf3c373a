import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYWHERE,
  afterTheHouseIsBooked,
  answered,
  asked,
  decide,
  firstFault,
  NOTHING_CLEARED,
  namesIn,
  OLD_RESULT,
  PORTO,
  refusalBesideQuote,
  refusalOf,
  session,
} from '../../test/support/decisions.ts';
import {
  NOW,
  searchStage,
  stagedSession,
  suppliedAs,
  THREE_HOMES,
  TODAY,
} from '../../test/support/search-stage.ts';
import { decideStep } from './decide-step.ts';

describe('an empty request', () => {
  it('asks for quotes when the payload is complete without a result that answers it', () => {
    for (const result of [null, OLD_RESULT]) {
      const state = asked(PORTO, { result, amenities: ['pool'] });
      const decision = decide(state, {});
      assert.ok(decision.kind === 'quote');
      assert.equal(decision.session, state);
      assert.deepEqual(decision.criteria.amenities, ['pool']);
      assert.deepEqual(decision.cleared, NOTHING_CLEARED);
    }
  });

  it('reads a result although its stay is taken meanwhile', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = answered(PORTO);
    assert.equal(decide(state, {}, facts).session, state);
  });
});

describe('values', () => {
  it('that complete the payload ask for quotes, within the brand of a locked search', () => {
    const { check_in_month: _, ...whole } = PORTO;
    const complete = decide(session, whole);
    assert.ok(complete.kind === 'quote');
    assert.deepEqual(complete.session.payload, PORTO);
    assert.equal(complete.refusal, null);
    const { brand, place, guests, checkIn, checkOut } = complete.criteria;
    assert.deepEqual(
      [brand, place, guests, checkIn - TODAY, checkOut - TODAY],
      ['acme', 'porto-pt', 2, 4, 7],
    );
  });

  it('ask for quotes of every brand when the search is not locked, and of the one place where there is one', () => {
    const { brand_locked: _, destination: _place, ...stay } = PORTO;
    const everywhere = decide(session, { ...stay, brand_locked: false, destination: 'portugal' });
    assert.ok(everywhere.kind === 'quote');
    assert.equal(everywhere.criteria.brand, null);
    const single = decide(stagedSession({ source: null, onlyPlace: 'porto-pt' }), stay);
    assert.ok(single.kind === 'quote');
    assert.equal(single.criteria.place, 'porto-pt');
  });

  it('that complete the payload beside refused ones are quoted, with what was refused', () => {
    const { guests: _, ...open } = PORTO;
    const decision = decide(asked(open), { guests: 2, amenities: 'sauna', price: 100 });
    assert.deepEqual(decision.session.payload, PORTO);
    const refusal = refusalBesideQuote(decision);
    assert.deepEqual(refusal.accepted, ['guests']);
    assert.deepEqual(
      refusal.faults.map(({ code, field, reason }) => [code, field, reason]),
      [
        ['invalid_value', 'amenities', { code: 'not_on_network' }],
        ['unknown_field', 'price', null],
      ],
    );
    const whole = decide(session, { ...PORTO, check_in_month: undefined });
    assert.deepEqual(namesIn(refusalBesideQuote(whole)), ['check_in_month'], 'the day brought its month');
    assert.deepEqual(whole.session.payload, PORTO);
  });

  it('for which nothing can be sent instead open the field that they were to replace', () => {
    for (const state of [asked(PORTO), answered(PORTO)]) {
      for (const sent of [{ destination: 'Atlantis' }, { guests: 2, destination: 'Atlantis' }]) {
        const decision = decide(state, sent);
        assert.ok(decision.kind === 'refused');
        assert.deepEqual(namesIn(refusalOf(decision)), ['destination']);
        const { destination: _, ...others } = PORTO;
        assert.deepEqual(decision.session.payload, others);
        assert.deepEqual(decision.cleared, { fields: ['destination'], amenities: [] });
        assert.notEqual(decision.session.result?.answersPayload, true);
      }
    }
  });

  it('that repeat an answer do not keep it when its prerequisite is to be replaced and nothing can be sent instead', () => {
    const payload = { brand_locked: true, destination: 'porto-pt', check_in_month: '2027-03' };
    const sent = {
      destination: 'porto-pt',
      check_in_month: '2026-02',
      brand_locked: 'maybe',
      check_in_day: '2026-02-15',
    };
    const decision = decide(asked(payload), sent);
    assert.ok(decision.kind === 'refused');
    assert.deepEqual(decision.session.payload, {});
    assert.deepEqual(decision.cleared.fields, ['brand_locked', 'destination', 'check_in_month']);
  });

  it('that were silent before are asked for again only while they stand: a change forgets the silence', () => {
    const silent = asked(PORTO, { operatorsSilent: true });
    const again = decide(silent, {});
    assert.ok(again.kind === 'quote');
    assert.equal(again.session, silent);
    const changed = decide(silent, { guests: 3 });
    assert.ok(changed.kind === 'quote');
    assert.equal(changed.session.operatorsSilent, false);
  });

  it('that stand are asked for again when a brand was silent, and only then', () => {
    const partial = answered(PORTO, { result: { answersPayload: true, amenityOffers: [], isPartial: true } });
    const again = decide(partial, { guests: 2 });
    assert.ok(again.kind === 'quote');
    assert.equal(again.session, partial, 'the result stays current until a new one replaces it');
    assert.equal(again.refusal, null);
    assert.equal(decide(partial, {}).kind, 'answered', 'reading asks nobody');
    assert.equal(decide(partial, { amenities: [] }).kind, 'answered', 'no filter is on, so nothing is given');
    assert.equal(decide(partial, { price: 1 }).kind, 'refused');
    assert.equal(decide(answered(PORTO), { guests: 2 }).kind, 'answered');
  });
});

describe('a change', () => {
  it('beside a refused value is made all the same, and never joined to the value that was to be replaced', () => {
    const decision = decide(answered(ANYWHERE, { amenities: ['wifi'] }), { guests: 5, check_out: 'never' });
    assert.deepEqual(namesIn(refusalOf(decision)), ['check_out']);
    assert.deepEqual([decision.session.payload.guests, decision.session.payload.check_out], ['5', undefined]);
    assert.deepEqual(decision.session.result, OLD_RESULT);
  });

  it('that is none loses nothing, even where the operators were silent and would be asked again', () => {
    const silent = asked(PORTO, { operatorsSilent: true });
    const decision = decide(silent, { guests: PORTO.guests, check_out: 'never' });
    assert.equal(decision.kind, 'refused');
    assert.equal(decision.session, silent);
  });

  it('beside a refused value that opens the search again is refused, and made all the same', () => {
    const decision = decide(answered({ ...PORTO, guests: '4' }), {
      destination: 'lisbon-pt',
      check_out: 'x',
    });
    assert.deepEqual(namesIn(refusalOf(decision)), ['check_out']);
    assert.deepEqual(
      [decision.session.payload.destination, decision.session.payload.guests],
      ['lisbon-pt', undefined],
    );
    assert.deepEqual(decision.session.result, OLD_RESULT);
  });
});

describe('an unknown field', () => {
  it('is refused with the field that was probably meant, and costs no other', () => {
    for (const [name, meant] of [
      ['check_in', 'check_in_day'],
      ['checkIn', 'check_in_day'],
      ['Check-In Date', 'check_in_day'],
      ['arrival', 'check_in_day'],
      ['checkout', 'check_out'],
      ['city', 'destination'],
      ['destinaton', 'destination'],
      ['adults', 'guests'],
      ['amenity', 'amenities'],
      ['brand', 'brand_locked'],
      ['price', null],
      ['source', null],
    ] as const) {
      const decision = decide(session, { [name]: 'x', guests: 2 });
      const { code, didYouMean, reason } = firstFault(decision);
      assert.deepEqual([code, didYouMean, reason], ['unknown_field', meant, null], name);
      assert.deepEqual(refusalOf(decision).accepted, ['guests']);
      assert.equal(decision.session.payload.guests, '2');
    }
  });
});

describe('an amenity', () => {
  it('that came with a misspelt place or date is sent again with its correction', () => {
    const { destination: _place, ...others } = ANYWHERE;
    const correctionsFor = (values: Record<string, unknown>, state = session) =>
      Object.fromEntries(
        refusalOf(decide(state, values)).corrections.map(({ field, value }) => [field, value]),
      );
    const lisbon = { ...others, destination: 'Lisbom' };
    assert.deepEqual(correctionsFor({ ...lisbon, amenities: 'Swimming pool' }), {
      destination: 'lisbon-pt',
      amenities: 'pool',
    });
    assert.deepEqual(correctionsFor({ ...ANYWHERE, check_out: '8 March 2027', amenities: ['pool'] }), {
      check_out: '2027-03-08',
      amenities: 'pool',
    });
    assert.deepEqual(correctionsFor({ ...lisbon, amenities: 'sauna' }), { destination: 'lisbon-pt' });
    assert.deepEqual(correctionsFor({ ...lisbon, amenities: [] }), { destination: 'lisbon-pt' });
    const { guests: _party, ...open } = lisbon;
    assert.deepEqual(
      correctionsFor({ ...open, amenities: 'pool' }),
      { destination: 'lisbon-pt' },
      'it narrows nothing before the party is known',
    );
    const settled = answered(PORTO, { result: { answersPayload: true, amenityOffers: [] } });
    assert.deepEqual(
      correctionsFor({ destination: 'Portoo', amenities: 'pool' }, settled),
      { destination: 'porto-pt' },
      'what stands is corrected to itself, so its result goes on to say what can be chosen',
    );
    assert.deepEqual(
      correctionsFor({ destination: 'Atlantis', amenities: 'pool' }, asked({ brand_locked: false })),
      {},
      'nothing else is corrected',
    );
  });

  it('is judged by the changed search, not by the offers of the old result', () => {
    const decision = decide(answered(ANYWHERE), {
      destination: 'lisbon-pt',
      brand_locked: true,
      amenities: 'pool',
    });
    const refusal = refusalBesideQuote(decision);
    // Either answer would have to go, and a place is given up before the brand.
    assert.deepEqual(refusal.faults[0].reason, { code: 'conflicts_with', fields: ['destination'] });
    assert.deepEqual(refusal.accepted, ['brand_locked', 'destination']);
    assert.equal(decision.session.payload.destination, 'lisbon-pt');
  });

  it('that stands is taken again, though a refused field left the search incomplete', () => {
    for (const raw of ['pool', ['pool'], 'Pool']) {
      const supplied = { amenities: raw, guests: 'two' };
      const once = decide(answered(ANYWHERE), supplied);
      const again = decide(once.session, supplied);
      assert.equal(again.session, once.session, 'nothing changes');
      const refusals = [refusalOf(once), refusalOf(again)];
      assert.deepEqual(refusals.map(namesIn), [['guests'], ['guests']]);
      assert.deepEqual(
        refusals.map(({ accepted }) => accepted),
        [['amenities'], ['amenities']],
      );
      assert.equal(firstFault(decide(once.session, { amenities: 'wifi' })).code, 'refine_not_available');
    }
  });

  it('that goes with the correction of another field is named', () => {
    const { corrections, takingOff } = refusalOf(
      decide(answered(ANYWHERE, { amenities: ['wifi'] }), { guests: 9 }),
    );
    assert.deepEqual([corrections, takingOff], [[{ field: 'guests', value: '6' }], ['wifi']]);
    assert.equal(
      refusalOf(decide(answered(ANYWHERE, { amenities: ['pool'] }), { guests: 9 })).takingOff,
      undefined,
    );
  });

  it('that is refused too is not corrected on a search that the caller does not want', () => {
    const { corrections, faults } = refusalOf(decide(answered(ANYWHERE), { amenities: 'poool', adults: 3 }));
    assert.deepEqual([faults[0].suggestions, corrections], [['pool'], [{ field: 'guests', value: '3' }]]);
  });
});

describe('several amenities', () => {
  const FOUR_HOMES = searchStage([
    ...THREE_HOMES,
    { brand: 'other', reference: 'tower', amenities: { pool: 'Pool', hot_tub: 'Tub', lift: 'Lift' } },
  ]);

  it('are all applied where the transport says so', () => {
    const [asks] = suppliedAs({ amenities: ['pool', 'lift', 'hot_tub'] });
    assert.ok(asks);
    const decision = decideStep(answered(ANYWHERE), [{ ...asks, atOnce: true }], FOUR_HOMES.facts);
    assert.ok(decision.kind === 'quote' && decision.refusal === null);
    assert.deepEqual(decision.criteria.amenities, ['pool', 'lift']);
    assert.deepEqual(decision.fulfilled, ['hot_tub'], 'the one with a lift has it');
  });

  it('take the place of all filters when an empty text comes first', () => {
    const state = answered(ANYWHERE, { amenities: ['wifi'] });
    const decision = decide(state, { amenities: ['', 'hot_tub'] });
    assert.ok(decision.kind === 'quote');
    assert.deepEqual([decision.criteria.amenities, decision.cleared], [['hot_tub'], NOTHING_CLEARED]);
  });
});

describe('a whole stay', () => {
  it('is whole by names that are nearly right, and not without one of its parts', () => {
    const state = answered(ANYWHERE, { amenities: ['pool'] });
    const { destination, check_in_day, check_out, guests } = ANYWHERE;
    const misnamed = decide(state, { destination, check_in: check_in_day, check_out, guests });
    assert.deepEqual(misnamed.session.amenities, []);
    for (const part of [
      { check_in_day, check_out, guests },
      { destination, check_in_day, guests },
      { destination, check_in_day, check_out },
    ]) {
      assert.deepEqual(decide(state, part).session.amenities, ['pool']);
    }
  });

  it('that is refused altogether leaves the filters alone, and its correction names its own again', () => {
    const state = answered(ANYWHERE, { amenities: ['pool'] });
    const { facts } = searchStage([
      ...THREE_HOMES,
      { brand: 'other', reference: 'hall', maxGuests: 6, amenities: { wifi: 'Wi-Fi' } },
    ]);
    const stay = {
      destination: 'Portugall',
      check_in_day: '7 March 2027',
      check_out: '9 March 2027',
      guests: 9,
    };
    assert.equal(decide(state, stay, facts).session, state);
    for (const amenities of ['pool', 'wifi']) {
      const { corrections } = refusalOf(decide(state, { ...stay, amenities }, facts));
      assert.deepEqual(corrections.at(-1), { field: 'amenities', value: amenities });
    }
  });
});

describe('when the inventory has changed since', () => {
  it('a value that fits without the stale ones is taken, and those are cleared', () => {
    const { facts } = afterTheHouseIsBooked();
    const { guests: _, ...open } = PORTO;
    const decision = decide(asked(open), { guests: 2 }, facts);
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.session.payload, {
      brand_locked: true,
      destination: 'porto-pt',
      check_in_month: '2027-03',
      guests: '2',
    });
    assert.deepEqual(decision.cleared, { fields: ['check_in_day', 'check_out'], amenities: [] });
  });

  it('a current result stands although its stay is gone, until the request changes something', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = answered(PORTO);
    assert.equal(decide(state, { guests: 2 }, facts).kind, 'answered');
    for (const values of [{ check_out: 'never' }, { check_out: 'never', guests: 2 }]) {
      const refused = decide(state, values, facts);
      assert.ok(refused.kind === 'refused');
      assert.equal(refused.session, state);
      assert.deepEqual(refused.cleared, NOTHING_CLEARED);
    }
    const changed = decide(state, { guests: 3 }, facts);
    assert.ok(changed.kind === 'incomplete');
    assert.deepEqual(changed.cleared.fields, ['check_in_day', 'check_out']);
    assert.deepEqual(changed.session.result, OLD_RESULT);
  });

  it('nothing changes when an answer is repeated whose own prerequisite is disputed', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = asked(PORTO);
    const decision = decide(state, { brand_locked: 'maybe', destination: 'porto-pt' }, facts);
    assert.equal(firstFault(decision).field, 'brand_locked');
    assert.equal(decision.session, state);
  });

  it('filters that are taken off do not keep answers that are stale', () => {
    const { facts } = afterTheHouseIsBooked();
    const decision = decide(asked(PORTO, { amenities: ['pool'] }), { amenities: [] }, facts);
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.session.amenities, []);
    assert.equal(decision.session.payload.check_in_day, undefined);
    assert.deepEqual(decision.cleared, { fields: ['check_in_day', 'check_out'], amenities: [] });
  });

  it('an offered filter that no match has any more is named as gone, and the search is quoted anew without it', () => {
    const { index, facts } = searchStage();
    index.remove('other:villa');
    index.remove('acme:house');
    for (const amenities of [[], ['wifi']]) {
      const decision = decide(answered(ANYWHERE, { amenities }), { amenities: 'pool' }, facts);
      assert.ok(decision.kind === 'quote');
      assert.deepEqual(decision.criteria.amenities, amenities);
      assert.deepEqual(decision.cleared, { fields: ['amenities'], amenities: ['pool'] });
      assert.equal(decision.session.result?.answersPayload, false);
    }
  });

  it('days that have passed are stale', () => {
    const { facts } = searchStage();
    const decision = decide(asked(PORTO), {}, { ...facts, now: NOW + 6 * 86_400_000 });
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.cleared.fields, ['check_in_day', 'check_out']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYWHERE,
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
import { searchStage, suppliedAs, THREE_HOMES } from '../../test/support/search-stage.ts';
import { decideStep } from './decide-step.ts';

describe('an amenity', () => {
  it('on offer is quoted with those applied before', () => {
    for (const raw of ['pool', ['pool'], 'Swimming Pool']) {
      const decision = decide(answered(ANYWHERE, { amenities: ['wifi'] }), { amenities: raw });
      assert.ok(decision.kind === 'quote');
      assert.deepEqual(decision.criteria.amenities, ['wifi', 'pool']);
      assert.deepEqual(decision.session.amenities, ['wifi', 'pool']);
      assert.deepEqual(decision.session.result, OLD_RESULT);
    }
  });

  it('that is applied already changes nothing', () => {
    const state = answered(ANYWHERE, { amenities: ['wifi'] });
    assert.deepEqual(decide(state, { amenities: 'wifi' }), { kind: 'answered', session: state });
  });

  it('is refused with its reason', () => {
    const state = answered(ANYWHERE);
    for (const [raw, reason] of [
      ['sauna', { code: 'not_on_network' }],
      [7, { code: 'wrong_type' }],
    ] as const) {
      const decision = decide(state, { amenities: raw });
      const { code, field, reason: stated } = firstFault(decision);
      assert.deepEqual([code, field, stated], ['invalid_value', 'amenities', reason]);
      assert.deepEqual([refusalOf(decision).accepted, namesIn(refusalOf(decision))], [[], ['amenities']]);
      assert.equal(decision.session, state);
    }
  });

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

  it('may come with the fields that complete the search', () => {
    const { guests: _, ...open } = ANYWHERE;
    const decision = decide(asked(open), { amenities: 'Hot tub', guests: 2 });
    assert.ok(decision.kind === 'quote');
    assert.deepEqual(decision.criteria.amenities, ['hot_tub']);
    const whole = decide(session, { ...ANYWHERE, amenities: ['pool'] });
    assert.ok(whole.kind === 'quote');
    assert.deepEqual(whole.session, {
      ...session,
      payload: ANYWHERE,
      amenities: ['pool'],
      operatorsSilent: false,
    });
  });

  it('may come with a change, and adds to the filters that stay', () => {
    const state = answered(ANYWHERE, { amenities: ['wifi', 'pool'] });
    const { facts } = searchStage([
      ...THREE_HOMES,
      { brand: 'other', reference: 'tower', maxGuests: 6, amenities: { pool: 'Pool' } },
    ]);
    const decision = decide(state, { guests: 5, amenities: 'hot_tub' }, facts);
    assert.ok(decision.kind === 'quote');
    assert.deepEqual(decision.criteria.amenities, ['pool', 'hot_tub']);
    assert.deepEqual(decision.cleared, { fields: ['amenities'], amenities: ['wifi'] });
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

  it('is named as taken beside a refused field', () => {
    const decision = decide(answered(ANYWHERE), { amenities: 'pool', guests: 'two' });
    const refusal = refusalOf(decision);
    assert.deepEqual([refusal.accepted, namesIn(refusal)], [['amenities'], ['guests']]);
    assert.deepEqual(decision.session.amenities, ['pool']);
    assert.equal(decision.session.payload.guests, undefined, 'no price for the old party');
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

  it('has nothing to refine before the payload is complete', () => {
    for (const raw of ['pool', ['pool', 'wifi'], 7]) {
      const fault = firstFault(decide(session, { amenities: raw }));
      assert.deepEqual([fault.code, fault.field, fault.reason], ['refine_not_available', 'amenities', null]);
    }
    const beside = decide(session, { amenities: 'pool', guests: '2' });
    assert.deepEqual(
      [firstFault(beside).code, refusalOf(beside).accepted],
      ['refine_not_available', ['guests']],
    );
    assert.deepEqual(beside.session.amenities, []);
  });
});

describe('several amenities', () => {
  const FOUR_HOMES = searchStage([
    ...THREE_HOMES,
    { brand: 'other', reference: 'tower', amenities: { pool: 'Pool', hot_tub: 'Tub', lift: 'Lift' } },
  ]);

  it('are applied one in a request, and the next one is what to send then', () => {
    for (const state of [answered(ANYWHERE), asked(ANYWHERE, { operatorsSilent: true })]) {
      const decision = decide(state, { amenities: ['pool', 'helipad', 'hot_tub'] }, FOUR_HOMES.facts);
      const { faults, accepted, corrections } = refusalBesideQuote(decision);
      assert.deepEqual(decision.session.amenities, ['pool']);
      assert.deepEqual(
        faults.map(({ reason, position }) => [reason?.code, position]),
        [
          ['not_on_network', 2],
          ['one_amenity_per_request', 3],
        ],
      );
      assert.deepEqual([accepted, corrections], [['amenities'], [{ field: 'amenities', value: 'hot_tub' }]]);
    }
  });

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
  const cleared = (amenities: readonly string[]) => ({
    fields: ['amenities'],
    amenities,
    isNewSearch: true,
  });

  it('begins without the filters that it does not name', () => {
    const state = answered(ANYWHERE, { amenities: ['wifi', 'pool'] });
    const { brand_locked: _scope, check_in_month: _month, ...stay } = ANYWHERE;
    for (const [sent, filters, lost] of [
      [stay, [], ['wifi', 'pool']],
      [{ ...stay, amenities: 'Swimming pool' }, ['pool'], ['wifi']],
      [{ ...stay, guests: 4, amenities: 'hot_tub' }, ['hot_tub'], ['wifi', 'pool']],
    ] as const) {
      const decision = decide(state, sent);
      assert.ok(decision.kind === 'quote');
      assert.deepEqual([decision.criteria.amenities, decision.cleared], [filters, cleared(lost)]);
    }
    for (const same of [['wifi', 'pool'], 'pool, WLAN']) {
      assert.equal(decide(state, { ...stay, amenities: same }).kind, 'answered');
    }
  });

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

describe('an empty list of amenities', () => {
  it('takes all filters off, with fresh quotes', () => {
    for (const raw of [[], '']) {
      const decision = decide(answered(ANYWHERE, { amenities: ['wifi', 'pool'] }), { amenities: raw });
      assert.ok(decision.kind === 'quote');
      assert.deepEqual([decision.criteria.amenities, decision.session.amenities], [[], []]);
      assert.deepEqual(decision.cleared, NOTHING_CLEARED, 'what was asked for is not reported as lost');
    }
  });

  it('changes nothing where no filter is on', () => {
    const state = answered(ANYWHERE);
    assert.deepEqual(decide(state, { amenities: [] }), { kind: 'answered', session: state });
    assert.equal(decide(session, { amenities: [] }).session, session);
  });

  it('takes them off before the payload is complete too, and with a change', () => {
    const open = decide(asked({ guests: '2' }, { amenities: ['pool'] }), { amenities: [] });
    assert.deepEqual([open.kind, open.session.amenities], ['incomplete', []]);
    const changed = decide(answered(ANYWHERE, { amenities: ['wifi'] }), { guests: 5, amenities: [] });
    assert.ok(changed.kind === 'quote');
    assert.deepEqual([changed.criteria.guests, changed.criteria.amenities], [5, []]);
    assert.deepEqual(changed.cleared, NOTHING_CLEARED);
  });

  it('is named as taken beside a refused field', () => {
    const decision = decide(answered(ANYWHERE, { amenities: ['wifi'] }), { amenities: [], guests: 'x' });
    const refusal = refusalOf(decision);
    assert.deepEqual([refusal.accepted, namesIn(refusal)], [['amenities'], ['guests']]);
    assert.deepEqual(decision.session.amenities, []);
  });
});

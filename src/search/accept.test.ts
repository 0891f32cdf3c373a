import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeValues } from '../../test/support/decisions.ts';
import { nightOf, searchStage, stagedSession, suppliedAs } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { dropStaleValues } from './accept.ts';

const STAY: Payload = {
  brand_locked: true,
  destination: 'porto-pt',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-08',
  guests: '2',
};

function take(values: Record<string, unknown>, session: Partial<Session> = {}, { facts } = searchStage()) {
  return takeValues(stagedSession(session), suppliedAs(values), facts);
}

function dayNumber(text: string): number {
  return parseDay(text) ?? 0;
}

/** What was refused, as `field code`. */
function refusedBy({ refusals }: ReturnType<typeof takeValues>): string[] {
  return refusals.map(({ field, code, reason }) => `${field} ${reason?.code ?? code}`);
}

describe('values of one request', () => {
  it('are judged by the answers that the request leaves, not by those that it replaces', () => {
    const taken = take(
      { destination: 'porto-pt', guests: 2 },
      { payload: { brand_locked: false, guests: '6' } },
    );
    assert.deepEqual(taken.payload, { brand_locked: false, destination: 'porto-pt', guests: '2' });
    assert.deepEqual([taken.accepted, taken.refusals], [['destination', 'guests'], []]);
  });
});

describe('values that a request wanted to replace', () => {
  const onStay = (values: Record<string, unknown>, stage = searchStage()) =>
    take(values, { payload: STAY }, stage);
  const { check_out: _departure, ...UNTIL_ARRIVAL } = STAY;

  it('go when the request changes anything else, and nothing else goes', () => {
    const departure = onStay({ check_in_day: '2027-03-02', check_out: '20/03/2027' });
    assert.deepEqual(departure.payload, { ...UNTIL_ARRIVAL, check_in_day: '2027-03-02' });
    assert.deepEqual([departure.accepted, departure.cleared], [['check_in_day'], ['check_out']]);
    const place = onStay({ destination: 'Portoo', check_out: '2027-03-09' });
    const { destination: _place, ...elsewhere } = STAY;
    assert.deepEqual(place.payload, { ...elsewhere, check_out: '2027-03-09' });
    assert.deepEqual(place.cleared, ['destination']);
    const brand = onStay({ brand_locked: 'maybe', guests: 3 });
    const { brand_locked: _brand, ...ofAny } = STAY;
    assert.deepEqual(brand.payload, { ...ofAny, guests: '3' }, 'the place was not named');
  });

  it('stay when nothing is taken, or only what stands already', () => {
    for (const values of [
      { check_in_day: 'soon', check_out: 'later' },
      { check_in_day: '2027-03-05', check_out: 'later' },
    ]) {
      const session = stagedSession({ payload: STAY });
      const taken = takeValues(session, suppliedAs(values));
      assert.equal(taken.payload, session.payload);
      assert.deepEqual(taken.cleared, []);
      assert.equal(taken.undisputed.check_out, undefined);
    }
  });

  it('take the later dates with them, which were chosen for them', () => {
    const day = onStay({ check_in_day: 'soon', guests: 3 });
    assert.deepEqual(day.cleared, ['check_in_day', 'check_out']);
    const month = onStay({ check_in_month: 'spring', guests: 3 });
    assert.deepEqual(month.cleared, ['check_in_month', 'check_in_day', 'check_out']);
    assert.equal(month.payload.guests, '3');
  });

  it('are no measure for a departure, but a day does without its month', () => {
    const departure = onStay({ check_in_day: 'soon', check_out: '2027-03-09' });
    assert.deepEqual(refusedBy(departure), ['check_in_day not_a_date', 'check_out prerequisite_missing']);
    const day = onStay({ check_in_month: 'spring', check_in_day: '2027-03-06' });
    assert.deepEqual(refusedBy(day), ['check_in_month not_a_date']);
    assert.deepEqual(day.payload, { ...STAY, check_in_day: '2027-03-06' });
  });

  it('may be meant by an unknown name', () => {
    const session = stagedSession({ payload: STAY });
    const values = suppliedAs({ check_out: '2027-03-09' });
    const arrival = takeValues(session, values, searchStage().facts, ['check_in_day']);
    assert.deepEqual(refusedBy(arrival), ['check_out prerequisite_missing']);
    assert.deepEqual(arrival.corrections, [], 'a departure for the old arrival is not what was meant');
    const party = takeValues(session, values, searchStage().facts, ['guests']);
    assert.deepEqual([party.accepted, party.cleared], [['check_out'], ['guests']]);
  });

  it('no longer restrict the values that were refused beside them', () => {
    const payload: Payload = { ...STAY, brand_locked: false, destination: 'lisbon-pt', guests: '5' };
    const values = { destination: 'Porrto', check_in_day: '2027-03-06', guests: 99 };
    const { refusals } = take(values, { payload });
    assert.deepEqual(
      refusals.map((refusal) => refusal.code === 'invalid_value' && refusal.suggestions[0]),
      ['porto-pt', '4'],
      'Porto sleeps four',
    );
  });
});

describe('a value that is tried again', () => {
  it('is named in its place among the refused ones', () => {
    const taken = take(
      { check_in_month: '2027-03', brand_locked: 'maybe', guests: 'two' },
      { payload: { guests: '2' } },
    );
    assert.deepEqual(refusedBy(taken), ['brand_locked wrong_type', 'guests wrong_type']);
  });

  it('does not undo what a later one has set', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'loft',
        maxGuests: 4,
        change: ({ available }) => available.fill(0, nightOf('2027-04-01')),
      },
      { brand: 'acme', reference: 'hut', maxGuests: 2 },
    ]);
    const taken = take(
      { check_in_month: '2027-04', check_in_day: '2027-03-05' },
      { payload: { guests: '4' } },
      stage,
    );
    assert.deepEqual(taken.payload, {
      check_in_month: '2027-03',
      check_in_day: '2027-03-05',
      guests: '4',
    });
    assert.deepEqual(refusedBy(taken), ['check_in_month conflicts_with']);
  });
});

describe('a day', () => {
  it('sets its month', () => {
    const taken = take({ check_in_day: '2027-04-05' });
    assert.deepEqual(taken.payload, { check_in_month: '2027-04', check_in_day: '2027-04-05' });
    assert.deepEqual([taken.accepted, taken.cleared], [['check_in_day'], []]);
  });

  it('changes a month that is set, and with it what no longer fits', () => {
    const taken = take({ check_in_day: '2027-04-05' }, { payload: STAY });
    const { check_out: _, ...kept } = STAY;
    assert.deepEqual(taken.payload, { ...kept, check_in_month: '2027-04', check_in_day: '2027-04-05' });
    assert.deepEqual([taken.accepted, taken.cleared], [['check_in_day'], ['check_out']]);
  });

  it('is refused when the same request gives it another month', () => {
    for (const payload of [{}, { check_in_month: '2027-03' }]) {
      const taken = take({ check_in_month: '2027-03', check_in_day: '2027-04-05' }, { payload });
      assert.deepEqual(taken.payload, { check_in_month: '2027-03' });
      const [refusal] = taken.refusals;
      assert.ok(refusal?.code === 'invalid_value');
      assert.deepEqual(refusal.reason, { code: 'conflicts_with', fields: ['check_in_month'] });
      assert.equal(refusal.suggestions[0], '2027-03-31', 'the nearest day of that month');
    }
  });

  it('brings its month although the month of the same request is refused', () => {
    const taken = take({ check_in_month: 'spring', check_in_day: '2027-04-05' });
    assert.deepEqual(taken.payload, { check_in_month: '2027-04', check_in_day: '2027-04-05' });
    assert.deepEqual(refusedBy(taken), ['check_in_month not_a_date']);
  });

  it('is judged by the fields before its month when it changes it, else by everything', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'loft',
        maxGuests: 4,
        change: ({ available }) => available.fill(0, nightOf('2027-04-01')),
      },
      { brand: 'acme', reference: 'hut', maxGuests: 2 },
    ]);
    const open = take({ check_in_day: '2027-04-05' }, { payload: { guests: '4' } }, stage);
    assert.deepEqual(refusedBy(open), ['check_in_day conflicts_with']);
    const changed = take(
      { check_in_day: '2027-04-05' },
      { payload: { check_in_month: '2027-03', guests: '4' } },
      stage,
    );
    assert.deepEqual(changed.payload, { check_in_month: '2027-04', check_in_day: '2027-04-05' });
    assert.deepEqual(changed.cleared, ['guests']);
  });

  it('that is refused has its nearest days in any month, whatever month is set', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'loft',
        change: ({ available }) => available.fill(0, nightOf('2027-03-20'), nightOf('2027-04-03')),
      },
    ]);
    for (const payload of [{}, { check_in_month: '2027-03' }]) {
      for (const written of ['2027-04-02', '02.04.2027']) {
        const [refusal] = take({ check_in_day: written }, { payload }, stage).refusals;
        assert.ok(refusal?.code === 'invalid_value');
        assert.deepEqual(refusal.suggestions.slice(0, 2), ['2027-04-03', '2027-04-04'], written);
      }
    }
  });

  it('that is refused has days that keep the other answers', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'loft',
        maxGuests: 4,
        change: ({ available }) => available.fill(0, nightOf('2027-03-25')),
      },
      {
        brand: 'acme',
        reference: 'hut',
        maxGuests: 2,
        change: ({ available }) => available.fill(0, nightOf('2027-04-01')),
      },
    ]);
    const payload = { check_in_month: '2027-03', guests: '4' };
    const [refusal] = take({ check_in_day: '2027-04-02' }, { payload }, stage).refusals;
    assert.ok(refusal?.code === 'invalid_value');
    assert.equal(refusal.suggestions[0], '2027-03-24', 'the hut is free longer, but not for four');
  });
});

describe('a change', () => {
  it('clears a later value that no longer fits, and keeps those after it that do', () => {
    const stage = searchStage();
    stage.index.withdraw('acme:loft', [{ from: dayNumber('2027-03-05'), to: dayNumber('2027-03-06') }]);
    const taken = take({ destination: 'lisbon-pt' }, { payload: STAY }, stage);
    assert.deepEqual(taken.payload, {
      brand_locked: true,
      destination: 'lisbon-pt',
      check_in_month: '2027-03',
      guests: '2',
    });
    assert.deepEqual(
      taken.cleared,
      ['check_in_day', 'check_out'],
      'the departure goes with the arrival that it depends on',
    );
  });
});

describe('stale values', () => {
  it('are dropped in order, so that what is left has a match', () => {
    const stage = searchStage();
    const session = stagedSession({ payload: STAY });
    assert.deepEqual(dropStaleValues(session, stage.facts), { payload: STAY, cleared: [] });
    stage.index.withdraw('acme:house', [{ from: dayNumber('2027-03-05'), to: dayNumber('2027-03-06') }]);
    const { payload, cleared } = dropStaleValues(session, stage.facts);
    assert.deepEqual(payload, {
      brand_locked: true,
      destination: 'porto-pt',
      check_in_month: '2027-03',
      guests: '2',
    });
    assert.deepEqual(cleared, ['check_in_day', 'check_out']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYWHERE,
  answered,
  decide,
  PORTO,
  refusalOf,
  session,
  takeValues,
} from '../../test/support/decisions.ts';
import { nightOf, searchStage, stagedSession, suppliedAs } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';

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

describe('corrections', () => {
  const correctionsFor = (values: Record<string, unknown>, payload: Payload = STAY) =>
    Object.fromEntries(
      take(values, { payload }).corrections.map(({ field, value }) => [field, value] as const),
    );

  it('hold every refused value, each given those before it', () => {
    const written = { check_in_day: '13/04/2027', check_out: '20/04/2027' };
    const meant = { check_in_day: '2027-04-13', check_out: '2027-04-20' };
    assert.deepEqual(correctionsFor(written), meant);
    assert.deepEqual(correctionsFor(written, { brand_locked: true }), meant);
    assert.deepEqual(
      correctionsFor({ ...written, check_out: '2027-04-20' }),
      meant,
      'fits the corrected day',
    );
    assert.deepEqual(correctionsFor({ ...written, destination: 'Lisbn', guests: 99 }), {
      destination: 'lisbon-pt',
      ...meant,
      guests: '2',
    });
    const [, departure] = take(written, { payload: STAY }).refusals;
    assert.ok(departure?.code === 'invalid_value');
    assert.deepEqual([departure.reason?.code, departure.suggestions[0]], ['not_a_date', '2027-04-20']);
    const [, alone] = take({ ...written, check_in_day: 'soon' }, { payload: STAY }).refusals;
    assert.ok(alone?.code === 'invalid_value');
    assert.deepEqual(alone.suggestions, [], 'for no known arrival');
  });

  it('are none when together they would bring back a departure that was to be replaced', () => {
    const lateHome = {
      brand: 'acme',
      reference: 'house',
      place: 'porto-pt',
      change: ({ available }: { available: Uint8Array }) => void available.fill(0, 0, nightOf('2027-03-25')),
    };
    const payload = {
      ...STAY,
      check_in_month: '2027-04',
      check_in_day: '2027-04-01',
      check_out: '2027-04-02',
    };
    const sent = { check_in_month: '2027-02', check_in_day: '2027-02-15' };
    const correct = (values: object) =>
      take({ ...values }, { payload }, searchStage([lateHome])).corrections.map(({ value }) => value);
    assert.deepEqual(correct(sent), ['2027-03', '2027-03-25']);
    assert.deepEqual(correct({ ...sent, check_out: 'soon' }), []);
  });

  it('hold the values that stand where they were meant', () => {
    assert.deepEqual(correctionsFor({ check_in_day: '5 March 2027', check_out: '8 March 2027' }), {
      check_in_day: '2027-03-05',
      check_out: '2027-03-08',
    });
  });

  it('move a stay of a year that has passed to the same days of a year to come', () => {
    const payload: Payload = { brand_locked: true, destination: 'porto-pt' };
    const meant = { check_in_day: '2027-04-08', check_out: '2027-04-15' };
    const past = { check_in_day: '2026-04-08', check_out: '2026-04-15' };
    assert.deepEqual(correctionsFor(past, payload), meant);
    assert.deepEqual(correctionsFor(past), meant, 'on a complete search');
    assert.deepEqual(correctionsFor({ ...past, check_out: '2027-04-15' }, payload), meant);
    const withMonth = correctionsFor({ check_in_month: '2026-04', ...past }, payload);
    assert.deepEqual(withMonth, { check_in_month: '2027-04', ...meant });
    const departure = { check_in_day: '2027-04-08', check_out: '2026-04-15' };
    assert.deepEqual(correctionsFor(departure, payload), { check_out: '2027-04-15' });
    assert.deepEqual(
      correctionsFor({ check_in_day: '8 April 2026', check_out: '15 April 2026' }, payload),
      meant,
    );
  });

  it('keep the number of nights where the arrival moves', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'house',
        place: 'porto-pt',
        // Booked from the 10th to the 19th of April.
        change: ({ available }) => available.fill(0, nightOf('2027-04-10'), nightOf('2027-04-20')),
      },
    ]);
    const corrected = (values: Record<string, unknown>) =>
      Object.fromEntries(
        take(values, { payload: { brand_locked: true, destination: 'porto-pt' } }, stage).corrections.map(
          ({ field, value }) => [field, value],
        ),
      );
    const week = { check_in_day: '2026-04-08', check_out: '2026-04-15' };
    assert.deepEqual(corrected(week), { check_in_day: '2027-04-03', check_out: '2027-04-10' });
    const ahead = { check_in_day: '2027-04-14', check_out: '2027-04-21' };
    assert.deepEqual(corrected(ahead), { check_in_day: '2027-04-20', check_out: '2027-04-27' });
    const endless = { check_in_day: '2026-04-08', check_out: '2026-09-08' };
    assert.equal(
      corrected(endless).check_in_day,
      '2027-04-08',
      'where no stay is that long, the nearest day',
    );
  });
});

describe('dates in another form', () => {
  const place = { brand_locked: true, destination: 'porto-pt', guests: 2 };
  const correctedDates = (check_in_day: unknown, check_out: unknown, stage = searchStage()) =>
    take({ ...place, check_in_day, check_out }, {}, stage).corrections.map(({ value }) => value);

  it('are read in one order, in which the departure follows the arrival closely', () => {
    assert.deepEqual(correctedDates('04/03/2027', '06/03/2027'), ['2027-03-04', '2027-03-06']);
    assert.deepEqual(correctedDates('03/04/2027', '03/06/2027'), ['2027-03-04', '2027-03-06']);
    assert.deepEqual(correctedDates('03/04/2027', '05/04/2027'), ['2027-04-03', '2027-04-05']);
    assert.deepEqual(correctedDates('4/3/27', '5/3/27'), ['2027-03-04', '2027-03-05']);
  });

  it('lead to a departure in the order of the arrival where both orders make a stay of as many nights', () => {
    assert.deepEqual(correctedDates('05/03/2027', '06/04/2027'), ['2027-03-05', '2027-04-06']);
    const fromApril = searchStage([
      {
        brand: 'acme',
        reference: 'house',
        place: 'porto-pt',
        change: ({ available }) => available.fill(0, 0, nightOf('2027-04-01')),
      },
    ]);
    assert.deepEqual(correctedDates('05/03/2027', '06/04/2027', fromApril), ['2027-05-03', '2027-06-04']);
  });

  it('are read for the arrival that stands when only the departure is given', () => {
    const longer = searchStage([
      {
        brand: 'acme',
        reference: 'house',
        place: 'porto-pt',
        change: ({ minimumStay }) => minimumStay.fill(3),
      },
    ]);
    const { check_out: _, ...stay } = STAY;
    const { corrections } = take({ check_out: '06/03/2027' }, { payload: stay }, longer);
    assert.deepEqual(corrections, [{ field: 'check_out', value: '2027-03-08' }], 'and not 3 June');
  });
});

describe('suggestions', () => {
  const suggestionsFor = (values: Record<string, unknown>, payload: Payload, stage = searchStage()) => {
    const [refusal] = take(values, { payload }, stage).refusals;
    assert.ok(refusal?.code === 'invalid_value');
    return refusal.suggestions;
  };

  it('contain the value that stands like any other', () => {
    const lisbon = { brand_locked: true, destination: 'lisbon-pt' };
    assert.deepEqual(suggestionsFor({ guests: 3 }, lisbon), ['2', '1']);
    assert.deepEqual(suggestionsFor({ guests: 3 }, { ...lisbon, guests: '2' }), ['2', '1']);
    assert.deepEqual(suggestionsFor({ destination: 'Lisbn' }, { brand_locked: true }), ['lisbon-pt']);
    assert.deepEqual(suggestionsFor({ destination: 'Lisbn' }, lisbon), ['lisbon-pt']);
    assert.deepEqual(suggestionsFor({ brand_locked: true }, { guests: '5' }), ['false']);
    assert.deepEqual(suggestionsFor({ check_in_month: 'March 2027' }, STAY)[0], '2027-03');
    const { check_out: _, ...open } = STAY;
    for (const payload of [STAY, open]) {
      assert.deepEqual(suggestionsFor({ check_out: '08.03.2027' }, payload), [
        '2027-03-08',
        '2027-03-07',
        '2027-03-09',
        '2027-03-06',
        '2027-03-10',
      ]);
    }
  });

  it('keep the later answers where any value does, and else give up what they must', () => {
    const stage = searchStage([
      {
        brand: 'acme',
        reference: 'house',
        maxGuests: 10,
        change: ({ available }) => available.fill(0, nightOf('2027-03-20')),
      },
      {
        brand: 'acme',
        reference: 'hut',
        maxGuests: 2,
        change: ({ available }) => available.fill(0, nightOf('2027-04-10')),
      },
    ]);
    const payload: Payload = { ...STAY, destination: 'lisbon-pt', guests: '10' };
    assert.deepEqual(suggestionsFor({ check_out: '2027-05-01' }, payload, stage).slice(0, 2), [
      '2027-03-20',
      '2027-03-19',
    ]);
    assert.equal(suggestionsFor({ check_in_day: '2027-05-01' }, payload, stage)[0], '2027-03-19');
    assert.deepEqual(suggestionsFor({ check_in_month: '2027-06' }, payload, stage), ['2027-03']);
    assert.equal(suggestionsFor({ check_out: '2027-05-01' }, STAY, stage).length, 0, 'nothing is in Porto');
    const forSix: Payload = { ...STAY, brand_locked: false, destination: 'lisbon-pt', guests: '6' };
    const { corrections, corrected } = take({ destination: 'Portoo' }, { payload: forSix });
    assert.deepEqual(corrections, [{ field: 'destination', value: 'porto-pt' }]);
    const { guests: _six, ...others } = forSix;
    assert.deepEqual(corrected, { ...others, destination: 'porto-pt' }, 'Porto sleeps four');
  });

  it('are there for each refused value of a request', () => {
    const { refusals } = take(
      { destination: 'Portoo', check_in_day: '05.03.2027', guests: '99' },
      { payload: { brand_locked: true } },
    );
    assert.deepEqual(
      refusals.map((refusal) => [refusal.field, refusal.code === 'invalid_value' && refusal.suggestions[0]]),
      [
        ['destination', 'porto-pt'],
        ['check_in_day', '2027-03-05'],
        ['guests', '4'],
      ],
    );
  });
});

const direct = stagedSession({ source: null });
const DATES = { check_in: '2027-03-05', check_out: '2027-03-08' };

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
    assert.deepEqual(leadsTo(direct, { destination: 'Porto', ...DATES }), stay);
    assert.deepEqual(leadsTo(direct, { ...DATES, checkin: '2027-03-04' }), [], 'two names for one field');
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

  it('does not go on in the only place of a session when another was asked for', () => {
    const inPorto = stagedSession({ onlyPlace: 'porto-pt', payload: { brand_locked: true } });
    assert.deepEqual(leadsTo(inPorto, { destination: 'lisbon-pt', check_in: '2027-03-05' }), []);
    assert.deepEqual(leadsTo(inPorto, { destination: 'Porto', check_in: '2027-03-05' }), [
      'check_in_day=2027-03-05',
    ]);
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
    assert.deepEqual(carriedIn(session, { where: 'Porto', ...DATES, adults: 2 }), [
      'brand_locked=true&destination=porto-pt&check_in_day=2027-03-05&check_out=2027-03-08&guests=2',
      'brand_locked=false&destination=porto-pt&check_in_day=2027-03-05&check_out=2027-03-08&guests=2',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleComparison, sampleCriteria, sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleBrand, sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { CarriedOut, SearchEnd } from '../search/search-observer.ts';
import { MAX_COUNTED, NOTHING_COUNTED, type Session, type SessionTally } from '../sessions/session.ts';
import { type CountActivity, hourOf } from './count.ts';
import { MAX_DEMANDS_AN_HOUR } from './demand-limits.ts';
import { createSearchRecorder } from './record-searches.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
/** In the hour before. */
const OPENED_AT = NOW - 40_000;
const HOURS: Readonly<Record<number, string>> = { [hourOf(NOW)]: 'now', [hourOf(OPENED_AT)]: 'opening' };

/** All steps are those of one session, unless each is the first of its own. */
function aStage({ count, isNewEachTime = false }: { count?: CountActivity; isNewEachTime?: boolean } = {}) {
  const counted: string[] = [];
  const clock = { time: NOW };
  const noted: SessionTally[] = [];
  const faults: unknown[] = [];
  const missing: { brand: string; facet: string; hour: number }[] = [];
  const wishes: { facet: string; place: string; reason: string }[] = [];
  const recordCount: CountActivity =
    count ??
    ((measure, labels, { hour = hourOf(NOW), count: by = 1, sum = 0 } = {}) => {
      const { brand = '', assistant = '', place = '', facet = '', reason = '' } = labels;
      counted.push([measure, HOURS[hour], brand, assistant, place, facet, reason, by, sum].join(' '));
      if (measure === 'wishes') wishes.push({ facet, place, reason });
      if (measure === 'missing_places') missing.push({ brand, facet, hour });
    });
  const recorder = createSearchRecorder({
    count: recordCount,
    tallies: {
      of: () => (isNewEachTime ? undefined : noted.at(-1)) ?? NOTHING_COUNTED,
      note(_session, changed, firsts) {
        noted.push(changed);
        for (const { measure, labels, hour } of firsts) recordCount(measure, labels, { hour });
      },
    },
    network: sampleNetwork(['acme']),
    clock: { now: () => clock.time },
    onFault: (fault) => void faults.push(fault),
  });
  return { clock, counted, noted, faults, missing, wishes, recorder };
}

/** Each number is another month. */
function wishForMonth(number: number, asking: Session): CarriedOut {
  const checkIn = 20_918 + number * 31;
  return {
    ...{ before: asking, after: asking, supplied: [], refusal: null },
    search: {
      milliseconds: 1,
      criteria: { ...sampleCriteria, checkIn, checkOut: checkIn + 3 },
      outcome: { kind: 'operators_silent' },
    },
  };
}

const NO_WAY_ON = { accepted: [], corrections: [], clearing: [], carried: [] };
const fault = { suggestions: [], candidates: [], didYouMean: null };
const session: Session = { ...sampleSession('s'), assistant: 'claude', openedAt: OPENED_AT };
/** Opened through a brand, and asked how many people will come. */
const nearlyComplete: Session = {
  ...session,
  source: 'acme',
  payload: {
    brand_locked: false,
    destination: 'lisbon-pt',
    check_in_month: '2027-04',
    check_in_day: '2027-04-10',
    check_out: '2027-04-13',
  },
};
const complete: Session = { ...nearlyComplete, payload: { ...nearlyComplete.payload, guests: '2' } };

function refusedStep(written: string, suggestions: readonly string[] = []): CarriedOut {
  const notThere = { ...fault, suggestions, code: 'invalid_value', field: 'destination' } as const;
  return {
    before: session,
    after: session,
    supplied: [{ field: 'destination', raw: written }],
    refusal: {
      faults: [{ ...notThere, reason: { code: 'not_on_network' } }],
      ...NO_WAY_ON,
    },
    search: null,
  };
}

function searched(
  outcome: SearchEnd['outcome'],
  { before = nearlyComplete, after = complete, refusal = null }: Partial<CarriedOut> = {},
): CarriedOut {
  const search = { criteria: sampleCriteria, milliseconds: 420, outcome };
  return { before, after, supplied: [{ field: 'guests', raw: '2' }], refusal, search };
}

const options = [sampleOption(), sampleOption({ brand: sampleBrand('acme') }), sampleOption()];
const priced = { kind: 'compared', comparison: sampleComparison({ options }) } as const;
const emptied = { kind: 'compared', comparison: sampleComparison({ options: [] }) } as const;
const hadPrices: Session = { ...complete, hasHadPrices: true };
const { check_out: _, ...withoutDeparture } = complete.payload;
const anotherDeparture: Session = { ...complete, payload: withoutDeparture };
const STAY = [
  'parties now acme  lisbon-pt 2  1 0',
  'lengths now acme  lisbon-pt 3  1 0',
  'lead_times now acme claude lisbon-pt 60  1 0',
];
const movedTo = (stage: string) => [
  'standings opening acme claude  guests  -1 0',
  `standings opening acme claude  ${stage}  1 0`,
];

function nameOf(number: number): string {
  return `place ${String.fromCharCode(97 + (number % 26), 97 + Math.floor(number / 26))}`;
}

describe('of searches is counted', () => {
  it('how many days are left by the calendar of the place, where it may be tomorrow already', () => {
    const { recorder, clock, counted } = aStage();
    clock.time = Date.UTC(2027, 5, 30, 23, 30);
    const checkIn = Date.UTC(2027, 6, 2) / 86_400_000;
    const criteria = { ...sampleCriteria, checkIn, checkOut: checkIn + 3 };
    const search = { criteria, milliseconds: 1, outcome: { kind: 'operators_silent' } } as const;
    recorder.carriedOut({ ...searched(search.outcome), search });
    assert.match(counted.find((text) => text.startsWith('lead_times')) ?? '', / lisbon-pt 1 {2}1 0$/);
  });

  for (const { end, step, expected, refusal = ' ' } of [
    {
      end: 'a result',
      step: searched(priced, { after: hadPrices }),
      expected: [
        ...movedTo('completed'),
        'searches now acme claude lisbon-pt  compared 1 420',
        'times_to_result opening acme claude  60  1 40000',
        'options now casas claude lisbon-pt first  1 0',
        'options now acme claude lisbon-pt other  1 0',
        'options now casas claude lisbon-pt other  1 0',
        'wishes now acme claude lisbon-pt 2027-04 found 1 0',
        ...STAY,
      ],
    },
    {
      end: 'a result after another',
      step: searched(priced, { before: hadPrices, after: hadPrices }),
      expected: [
        'searches now acme claude lisbon-pt  compared 1 420',
        'options now casas claude lisbon-pt first  1 0',
        'options now acme claude lisbon-pt other  1 0',
        'options now casas claude lisbon-pt other  1 0',
        'wishes now acme claude lisbon-pt 2027-04 found 1 0',
        ...STAY,
      ],
    },
    {
      end: 'a result without an option',
      step: searched(emptied),
      expected: [
        ...movedTo('prices'),
        'searches now acme claude lisbon-pt  empty 1 420',
        'wishes now acme claude lisbon-pt 2027-04 refused_by_operators 1 0',
        ...STAY,
      ],
      refusal: 'prices refused_by_operators',
    },
    {
      end: 'no answer of an operator',
      step: searched({ kind: 'operators_silent' }),
      expected: [
        ...movedTo('prices'),
        'searches now acme claude lisbon-pt  operators_silent 1 420',
        'wishes now acme claude lisbon-pt 2027-04 operators_silent 1 0',
        ...STAY,
      ],
      refusal: 'prices operators_silent',
    },
    {
      end: 'what operators have just refused, and a fault beside it',
      step: searched(
        { kind: 'just_refused' },
        {
          after: anotherDeparture,
          refusal: {
            ...NO_WAY_ON,
            faults: [
              { ...fault, code: 'invalid_value', field: 'check_out', reason: { code: 'nothing_free' } },
              { ...fault, code: 'invalid_value', field: 'guests', reason: { code: 'party_too_large' } },
            ],
          },
        },
      ),
      expected: [
        ...movedTo('check_out'),
        'searches now acme claude lisbon-pt  just_refused 1 420',
        'wishes now acme claude lisbon-pt 2027-04 party_too_large 1 0',
        'wishes now acme claude lisbon-pt 2027-04 refused_by_operators 1 0',
      ],
      refusal: 'check_out check_out:nothing_free',
    },
    {
      end: 'too many searches at a time',
      step: searched({ kind: 'too_many_searches' }, { after: nearlyComplete }),
      expected: ['searches now acme claude lisbon-pt  too_many_searches 1 420'],
      refusal: null,
    },
  ]) {
    it(`all of one that ends with ${end}, and of the same again no more than that it was made`, () => {
      const { counted, noted, faults, recorder } = aStage();
      recorder.carriedOut(step);
      assert.deepEqual(counted, expected);
      assert.deepEqual(
        noted.map(({ stage, refusal: last }) => `${stage} ${last}`),
        refusal === null ? [] : [refusal],
      );
      counted.length = 0;
      recorder.carriedOut({ ...step, before: step.after });
      const ofEveryTime = expected.filter((text) => /^(searches|options) /.test(text));
      assert.deepEqual([counted, faults], [ofEveryTime, []]);
    });
  }

  it('where a session stands, with its last refusal there', () => {
    const { counted, noted, recorder } = aStage();
    recorder.opened(session);
    recorder.carriedOut(refusedStep('Atlantis'));
    recorder.carriedOut(refusedStep('Atlantis'));
    recorder.carriedOut({
      before: session,
      after: { ...session, payload: { destination: 'lisbon-pt' } },
      supplied: [],
      refusal: null,
      search: null,
    });
    assert.deepEqual(counted, [
      'sessions opening  claude    1 0',
      'standings opening  claude  destination  1 0',
      'wishes now  claude   not_on_network 1 0',
      'missing_places now    atlantis  1 0',
      'standings opening  claude  destination  -1 0',
      'standings opening  claude  check_in_month  1 0',
    ]);
    assert.deepEqual(
      noted.map(({ stage, refusal }) => `${stage} ${refusal}`),
      ['destination destination:not_on_network', ' '],
    );
  });

  it('that operators did not answer, as the refusal after which a session stopped', () => {
    const payload = {
      destination: 'lisbon-pt',
      check_in_month: '2027-04',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: '2',
    };
    const asked = { ...session, payload };
    const { noted, recorder } = aStage();
    recorder.carriedOut({
      before: session,
      after: asked,
      supplied: [],
      refusal: null,
      search: {
        criteria: {
          brand: null,
          place: 'lisbon-pt',
          checkInMonth: null,
          checkIn: 20_918,
          checkOut: 20_921,
          guests: 2,
          amenities: [],
        },
        milliseconds: 5000,
        outcome: { kind: 'operators_silent' },
      },
    });
    assert.deepEqual(
      noted.map(({ stage, refusal }) => `${stage} ${refusal}`),
      ['prices operators_silent'],
    );
  });

  it('no more of a session than its tally holds', () => {
    const { counted, noted, recorder } = aStage();
    for (let at = 0; at < 2 * MAX_COUNTED; at += 1) {
      recorder.carriedOut(refusedStep(nameOf(at)));
    }
    assert.equal(noted.at(-1)?.counted.length, MAX_COUNTED);
    assert.equal(counted.filter((text) => text.startsWith('missing_places')).length, MAX_COUNTED - 1);
    assert.equal(noted.length, MAX_COUNTED - 1, 'what changes nothing is not noted');
  });

  it('so many names of missing places that an assistant brings in a day, and all others as one', () => {
    const { clock, missing, recorder } = aStage({ isNewEachTime: true });
    const ask = (assistant: string, number: number, source: string | null = null) => {
      const asking = { ...session, assistant, source };
      recorder.carriedOut({ ...refusedStep(nameOf(number)), before: asking, after: asking });
    };
    const namesSince = (from: number) => missing.slice(from).map(({ facet }) => facet);
    for (let number = 0; number < 300; number += 1) ask('greedy', number);
    assert.equal(new Set(namesSince(0)).size, 201);
    assert.equal(namesSince(0).filter((name) => name === '').length, 100, 'each session counts');
    ask('greedy', 199);
    ask('greedy', 200);
    ask('modest', 250);
    ask('greedy', 0, 'acme');
    assert.deepEqual(namesSince(300), [nameOf(199), '', nameOf(250), '']);
    clock.time += 24 * 3_600_000;
    ask('greedy', 299);
    assert.deepEqual(namesSince(304), [nameOf(299)]);
  });

  it('a name that a second session asks for in the place of one that only one asked for', () => {
    const { missing, recorder } = aStage({ isNewEachTime: true });
    const ask = (id: string, name: string) => {
      const asking = { ...session, id };
      recorder.carriedOut({ ...refusedStep(name), before: asking, after: asking });
      return missing.at(-1)?.facet;
    };
    for (let number = 0; number < 200; number += 1) ask('inventor', nameOf(number));
    ask('another', nameOf(0));
    const asked = ['a', 'a', 'b', 'c'].map((id) => ask(id, 'Reykjavik'));
    assert.deepEqual(asked, ['', '', 'reykjavik', 'reykjavik'], 'a session counts once');
    assert.equal(ask('later', nameOf(1)), '', 'which has made room');
    assert.equal(ask('later', nameOf(0)), nameOf(0), 'which two asked for');
    for (let number = 300; number < 660; number += 1) {
      ask('inventor', nameOf(number));
      ask('accomplice', nameOf(number));
    }
    assert.equal(new Set(missing.map(({ facet }) => facet)).size, 1 + 200 + 199, 'a day adds no more');
  });

  it('a name by the hour in which its assistant asked first that day, so that a day adds no more than it may', () => {
    const { clock, missing, recorder } = aStage({ isNewEachTime: true });
    for (let hour = 0; hour < 13; hour += 1) {
      recorder.carriedOut(refusedStep('Atlantis'));
      clock.time += 3_600_000;
    }
    const first = NOW / 3_600_000;
    assert.deepEqual(
      missing.map(({ hour }) => hour - first),
      [...Array.from({ length: 12 }, () => 0), 12],
      'the next day begins after twelve hours',
    );
  });

  it('no name of a session that is counted for enough, which leaves its assistant the others', () => {
    const { missing, noted, recorder } = aStage();
    for (let number = 0; number < 250; number += 1) recorder.carriedOut(refusedStep(nameOf(number)));
    assert.equal(missing.length, MAX_COUNTED - 1);
    noted.push(NOTHING_COUNTED);
    recorder.carriedOut(refusedStep('Atlantis'));
    assert.equal(missing.at(-1)?.facet, 'atlantis');
  });

  it('so many wishes by month that an assistant has in an hour, and the month of all others as unknown', () => {
    const { clock, wishes, recorder } = aStage({ isNewEachTime: true });
    const ask = (assistant: string, number: number, source: string | null = null) => {
      const asking = { ...session, assistant, source };
      recorder.carriedOut(wishForMonth(number, asking));
    };
    const monthsSince = (from: number) => wishes.slice(from).map(({ facet }) => facet);
    for (let number = 0; number < MAX_DEMANDS_AN_HOUR + 100; number += 1) ask('greedy', number);
    assert.equal(wishes.length, MAX_DEMANDS_AN_HOUR + 100, 'each session counts');
    const rows = wishes.map(({ facet, place, reason }) => [facet, place, reason].join());
    assert.equal(new Set(rows).size, MAX_DEMANDS_AN_HOUR + 1);
    assert.equal(monthsSince(0).filter((month) => month === '').length, 100);
    const from = wishes.length;
    ask('greedy', 0);
    ask('greedy', MAX_DEMANDS_AN_HOUR);
    ask('modest', MAX_DEMANDS_AN_HOUR);
    ask('greedy', 0, 'acme');
    const [first, last] = [monthsSince(0)[0], monthsSince(from)[2]];
    assert.ok(first && last);
    assert.deepEqual(monthsSince(from), [first, '', last, '']);
    clock.time += 3_600_000;
    ask('greedy', MAX_DEMANDS_AN_HOUR);
    assert.equal(wishes.at(-1)?.facet, last);
  });

  it('each month of a session, also where its assistant has used up those of the hour', () => {
    const { wishes, noted, recorder } = aStage();
    for (let number = 0; number < MAX_DEMANDS_AN_HOUR + 2; number += 1) {
      // Only the last two are of one session.
      if (number <= MAX_DEMANDS_AN_HOUR) noted.push(NOTHING_COUNTED);
      recorder.carriedOut(wishForMonth(number, session));
    }
    assert.equal(wishes.filter(({ facet }) => facet === '').length, 2);
  });

  it('a place that was only misspelt as neither missing nor a wish', () => {
    const { counted, noted, recorder } = aStage();
    recorder.carriedOut(refusedStep('Libson', ['lisbon-pt']));
    assert.deepEqual(counted, []);
    assert.deepEqual(
      noted.map(({ refusal }) => refusal),
      ['destination:not_on_network'],
    );
    recorder.carriedOut(refusedStep('Faro, Portugal', ['portugal', 'lisbon-pt']));
    assert.deepEqual(counted, [
      'wishes now  claude   not_on_network 1 0',
      'missing_places now    faro portugal  1 0',
    ]);
  });

  it('nothing of the owner’s own trials', () => {
    const { counted, recorder } = aStage();
    const own = { ...session, assistant: 'console' };
    recorder.opened(own);
    recorder.carriedOut({ ...refusedStep('Atlantis'), before: own, after: own });
    assert.deepEqual(counted, []);
  });

  it('nothing that a defect stands in the way of, and no request fails by it', () => {
    const { faults, recorder } = aStage({
      count() {
        throw new Error('a defect');
      },
    });
    recorder.opened(session);
    recorder.carriedOut(refusedStep('Atlantis'));
    assert.equal(faults.length, 2);
  });

  it('of homes that are paused, once for each stay that they are wanted for', () => {
    const { counted, noted, recorder } = aStage();
    const sourced = { ...session, source: 'acme', payload: { brand_locked: true } };
    const asked = (supplied: CarriedOut['supplied']): CarriedOut => {
      return { before: sourced, after: sourced, supplied, refusal: null, isPaused: true, search: null };
    };
    const stay = [
      { field: 'destination', raw: 'Lisbon' },
      { field: 'check_in_day', raw: '2027-05-08' },
    ] as const;
    recorder.carriedOut(asked(stay));
    recorder.carriedOut(asked(stay));
    recorder.carriedOut(asked([{ field: 'guests', raw: 2 }]));
    assert.deepEqual(counted, [
      'wishes now acme claude lisbon-pt 2027-05 not_on_offer 1 0',
      'wishes now acme claude   not_on_offer 1 0',
    ]);
    assert.deepEqual(noted.at(-1)?.refusal, 'not_on_offer');
  });
});

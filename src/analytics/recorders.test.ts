import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sampleComparison, sampleCriteria, sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleBrand, sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import type { CarriedOut, SearchEnd } from '../search/search-observer.ts';
import type { Session } from '../sessions/session.ts';
import { type CountActivity, hourOf } from './count.ts';
import {
  createOperatorRecorder,
  createRequestRecorder,
  createSearchRecorder,
  MAX_COUNTED,
  MAX_NAMES_A_DAY,
} from './recorders.ts';
import { foldedPlaceName } from './unmet-demand.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
/** In the hour before. */
const OPENED_AT = NOW - 40_000;

function aStage(count?: CountActivity) {
  const sums = new Map<string, number>();
  const faults: unknown[] = [];
  const clock = { time: NOW };
  const record: CountActivity = (measure, labels, amounts) => {
    const { brand = '', assistant = '', place = '', facet = '', reason = '' } = labels;
    const { hour = hourOf(clock.time), count: by = 1, sum = 0 } = amounts ?? {};
    const isOpening = hour === hourOf(OPENED_AT) ? 'opening' : 'now';
    const text = [measure, isOpening, brand, assistant, place, facet, reason].join(' ');
    sums.set(text, (sums.get(text) ?? 0) + by);
    if (sum !== 0) sums.set(`${text} sum`, (sums.get(`${text} sum`) ?? 0) + sum);
  };
  const recorder = createSearchRecorder({
    count: count ?? record,
    network: sampleNetwork(['acme']),
    clock: { now: () => clock.time },
    onFault: (fault) => void faults.push(fault),
  });
  const counted = (...measures: readonly string[]) =>
    Object.fromEntries(
      [...sums].filter(
        ([text, sum]) => sum !== 0 && (measures.length === 0 || measures.includes(text.split(' ')[0] ?? '')),
      ),
    );
  return { recorder, operators: createOperatorRecorder(record), counted, faults, clock };
}

const fault = { suggestions: [], candidates: [], didYouMean: null };
const NO_WAY_ON = { accepted: [], corrections: [], clearing: [], carried: [] };
const session: Session = { ...sampleSession('s'), assistant: 'claude', openedAt: OPENED_AT };
const STAY = {
  brand_locked: false,
  destination: 'lisbon-pt',
  check_in_month: '2027-04',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
};
/** Opened through a brand, and asked how many people will come. */
const nearlyComplete: Session = { ...session, source: 'acme', payload: STAY };
const complete: Session = { ...nearlyComplete, payload: { ...STAY, guests: '2' } };
const hadPrices: Session = { ...complete, hasHadPrices: true };

const step = (before: Session, after: Session, more: Partial<CarriedOut> = {}): CarriedOut => ({
  ...{ before, after, supplied: [], refusal: null, search: null },
  ...more,
});

function searched(outcome: SearchEnd['outcome'], more: Partial<CarriedOut> = {}): CarriedOut {
  return step(nearlyComplete, complete, {
    search: { criteria: sampleCriteria, milliseconds: 420, outcome },
    ...more,
  });
}

function refusedPlace(written: string, suggestions: readonly string[] = [], by = session): CarriedOut {
  const code = 'not_on_network';
  const notThere = { ...fault, suggestions, code: 'invalid_value', field: 'destination' } as const;
  return step(by, by, {
    supplied: [{ field: 'destination', raw: written }],
    refusal: { faults: [{ ...notThere, reason: { code } }], ...NO_WAY_ON },
  });
}

const nameOf = (number: number) =>
  `place ${String.fromCharCode(97 + (number % 26), 97 + Math.floor(number / 26))}`;

describe('of searches is counted', () => {
  const options = [sampleOption(), sampleOption({ brand: sampleBrand('acme') }), sampleOption()];
  const compared = { kind: 'compared', comparison: sampleComparison({ options }) } as const;
  const emptied = { kind: 'compared', comparison: sampleComparison({ options: [] }) } as const;
  const WITH_STAY = {
    'parties now acme  lisbon-pt 2 ': 1,
    'lengths now acme  lisbon-pt 3 ': 1,
    'lead_times now acme claude lisbon-pt 60 ': 1,
  };
  const movedTo = (stage: string) => ({
    'standings opening acme claude  guests ': -1,
    [`standings opening acme claude  ${stage} `]: 1,
  });
  const ended = (reason: string) => ({
    [`searches now acme claude lisbon-pt  ${reason}`]: 1,
    [`searches now acme claude lisbon-pt  ${reason} sum`]: 420,
  });

  it('all of one, by how it ended, and of the same again only that it was made', () => {
    for (const [end, once, expected] of [
      [
        'a result',
        searched(compared, { after: hadPrices }),
        {
          ...movedTo('completed'),
          ...ended('compared'),
          'times_to_result opening acme claude  60 ': 1,
          'times_to_result opening acme claude  60  sum': 40_000,
          'options now casas claude lisbon-pt first ': 1,
          'options now acme claude lisbon-pt other ': 1,
          'options now casas claude lisbon-pt other ': 1,
          'wishes now acme claude lisbon-pt 2027-04 found': 1,
          ...WITH_STAY,
        },
      ],
      [
        'no home after all',
        searched(emptied),
        {
          ...movedTo('prices'),
          ...ended('empty'),
          'refusals now acme claude  prices refused_by_operators': 1,
          'wishes now acme claude lisbon-pt 2027-04 refused_by_operators': 1,
          ...WITH_STAY,
        },
      ],
      [
        'no answer',
        searched({ kind: 'operators_silent' }),
        {
          ...movedTo('prices'),
          ...ended('operators_silent'),
          'refusals now acme claude  prices operators_silent': 1,
          'wishes now acme claude lisbon-pt 2027-04 operators_silent': 1,
          ...WITH_STAY,
        },
      ],
      [
        'what operators have just refused, and a fault beside it',
        searched(
          { kind: 'just_refused' },
          {
            after: nearlyComplete,
            refusal: {
              ...NO_WAY_ON,
              faults: [
                { ...fault, code: 'invalid_value', field: 'check_out', reason: { code: 'nothing_free' } },
                { ...fault, code: 'invalid_value', field: 'guests', reason: { code: 'party_too_large' } },
              ],
            },
          },
        ),
        {
          ...ended('just_refused'),
          'refusals now acme claude  guests check_out:nothing_free': 1,
          'wishes now acme claude lisbon-pt 2027-04 party_too_large': 1,
          'wishes now acme claude lisbon-pt 2027-04 refused_by_operators': 1,
        },
      ],
      [
        'too many at a time',
        searched({ kind: 'too_many_searches' }, { after: nearlyComplete }),
        ended('too_many_searches'),
      ],
    ] as const) {
      const { counted, recorder, faults } = aStage();
      recorder.carriedOut(once);
      assert.deepEqual(counted(), expected, end);
      recorder.carriedOut({ ...once, before: once.after });
      const [before, after] = [new Map(Object.entries<number>(expected)), counted()];
      for (const [text, count] of Object.entries(after)) {
        const times = /^(searches|options|refusals) /.test(text) ? 2 : 1;
        assert.equal(count, (before.get(text) ?? 0) * times, `${end}: ${text}`);
      }
      assert.deepEqual(faults, []);
    }
  });

  it('days to the arrival by the calendar of the place, where it may be tomorrow already', () => {
    const { recorder, clock, counted } = aStage();
    clock.time = Date.UTC(2027, 5, 30, 23, 30);
    const checkIn = Date.UTC(2027, 6, 2) / 86_400_000;
    const criteria = { ...sampleCriteria, checkIn, checkOut: checkIn + 3 };
    const search = { criteria, milliseconds: 1, outcome: { kind: 'operators_silent' } } as const;
    recorder.carriedOut(searched(search.outcome, { search }));
    assert.deepEqual(Object.keys(counted('lead_times')), ['lead_times now acme claude lisbon-pt 1 ']);
  });

  it('a missing place, which a misspelt one is not, and a paused home, once for a session', () => {
    const { counted, recorder } = aStage();
    for (const _ of ['once', 'twice']) {
      recorder.carriedOut(refusedPlace('Atlantis'));
      recorder.carriedOut(refusedPlace('Libson', ['lisbon-pt']));
      recorder.carriedOut(
        step(session, session, {
          supplied: [
            { field: 'destination', raw: 'Lisbon' },
            { field: 'check_in_day', raw: '2027-05-08' },
          ],
          isPaused: true,
        }),
      );
    }
    assert.deepEqual(counted('wishes', 'missing_places', 'refusals'), {
      'refusals now  claude  destination destination:not_on_network': 4,
      'refusals now  claude  destination not_on_offer': 2,
      'wishes now  claude   not_on_network': 1,
      'missing_places now    atlantis ': 1,
      'wishes now  claude lisbon-pt 2027-05 not_on_offer': 1,
    });
  });

  it('so many things of a session, and so many names of an assistant in a day, the rest without a name', () => {
    const { counted, recorder, clock } = aStage();
    for (let at = 0; at < 2 * MAX_COUNTED; at += 1) recorder.carriedOut(refusedPlace(nameOf(at)));
    assert.equal(Object.keys(counted('missing_places')).length, MAX_COUNTED - 1);
    const ask = (at: number, id = `other ${at}`, assistant = 'claude') =>
      recorder.carriedOut(refusedPlace(nameOf(at), [], { ...session, id, assistant }));
    for (let at = 0; at < 300; at += 1) ask(at);
    const named = counted('missing_places');
    assert.equal(Object.keys(named).length, MAX_NAMES_A_DAY + 1);
    assert.equal(named['missing_places now     '], 300 - MAX_NAMES_A_DAY);
    ask(299, 'one', 'modest');
    clock.time += 24 * 3_600_000;
    ask(298, 'next day');
    assert.equal(Object.keys(counted('missing_places')).length, MAX_NAMES_A_DAY + 3);
  });

  it('nothing of the owner’s own trials, and nothing that a defect stands in the way of', () => {
    const { counted, recorder } = aStage();
    const own = { ...session, assistant: 'console' };
    recorder.opened(own);
    recorder.carriedOut(refusedPlace('Atlantis', [], own));
    assert.deepEqual(counted(), {});
    const broken = aStage(() => {
      throw new Error('a defect');
    });
    broken.recorder.opened(session);
    broken.recorder.carriedOut(refusedPlace('Atlantis'));
    assert.equal(broken.faults.length, 2);
  });

  it('each session at one stage, whatever the sessions do', () => {
    const FIELDS = ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'] as const;
    const ORDER = [...FIELDS, 'prices', 'completed'];
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat({ max: 6 }), { maxLength: 8 }), { maxLength: 10 }), (walks) => {
        const { recorder, counted } = aStage();
        const ends: Record<string, number> = {};
        for (const [number, stages] of walks.entries()) {
          const at = (stage: number): Session => ({
            ...session,
            id: `s${number}`,
            payload: Object.fromEntries(FIELDS.slice(0, stage).map((field) => [field, '1'])),
            ...(stage === 6 ? { hasHadPrices: true } : {}),
          });
          let current = at(0);
          recorder.opened(current);
          for (const stage of stages) {
            recorder.carriedOut(step(current, at(stage)));
            current = at(stage);
          }
          const end = `standings opening  claude  ${ORDER[stages.at(-1) ?? 0]} `;
          ends[end] = (ends[end] ?? 0) + 1;
        }
        assert.deepEqual(counted('standings'), ends);
        assert.equal(counted('sessions')['sessions opening  claude   '] ?? 0, walks.length);
      }),
    );
  });
});

describe('the name of a missing place', () => {
  it('is counted in lower case without accents and signs, up to a comma, and nothing else is', () => {
    for (const [written, name] of [
      ['Atlantis', 'atlantis'],
      ['  São  Tomé—and PRÍNCIPE ', 'sao tome and principe'],
      ['St. Ives', 'st ives'],
      ['Las Palmas de Gran Canaria', 'las palmas de gran canaria'],
      ['Paris, Texas', 'paris'],
      ['Halle (Saale)', 'halle'],
      ['Kraków/Cracow', 'krakow'],
      ['L’Aquila', 'l aquila'],
      ['九十九里', '九十九里'],
      ['Ｋｙōｔｏ', 'kyoto'],
      ['a place with a view of the sea', null],
      ['anna@example.com', null],
      ['firma.de', null],
      ['Main Street 12', null],
      ['gmail', null],
      ['anna at example', null],
      ['https://x', null],
      ['sKdjFeWq', null],
      ['一二三四', null],
      ['a_b', null],
      ['x', null],
      ['', null],
      ['a'.repeat(41), null],
    ] as const) {
      assert.equal(foldedPlaceName(written), name, written);
    }
  });

  it('has letters and single blanks alone, whatever was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (written) => {
        assert.match(foldedPlaceName(written) ?? 'none', /^[\p{L}\p{M}]+(?: [\p{L}\p{M}]+)*$/u);
      }),
    );
  });
});

describe('of operators is counted', () => {
  it('what they answered, how long it took, and how far totals were from expected', () => {
    const { operators, counted } = aStage();
    operators.call('acme', 300, { quoted: 2, unavailable: 1, failures: new Map([['timeout', 1]]) });
    operators.call('acme', 1, { quoted: 0, unavailable: 0, failures: new Map([['circuit_open', 3]]) });
    operators.refused('acme:1', 'minimum_stay');
    const sample = { property: 'acme:1', place: 'lisbon-pt' };
    const samples = [[1000, 1030] as const, [0, 5] as const, [null, 5] as const];
    operators.priced(
      'acme',
      samples.map(([indicativeTotal, total]) => ({ ...sample, indicativeTotal, total })),
    );
    operators.refreshed('acme', 5000, 7, [], 0);
    assert.deepEqual(counted(), {
      'prices now acme    quoted': 2,
      'prices now acme    unavailable': 1,
      'prices now acme    timeout': 1,
      'price_calls now acme   0.5 ': 1,
      'price_calls now acme   0.5  sum': 300,
      'prices now acme    circuit_open': 3,
      'refused_offers now acme    minimum_stay': 1,
      'drifts now acme   50 ': 1,
      'drifts now acme   50  sum': 30,
      'readings now acme    succeeded': 1,
      'readings now acme    succeeded sum': 5000,
    });
  });
});

describe('of requests is counted', () => {
  it('who made them and what was answered, but no public page and no trial of the owner', () => {
    const approved = { kind: 'approved', assistant: 'claude', way: 'ranges', address: '10.0.0.1' } as const;
    const refused = { kind: 'refused', reason: 'not_approved', address: '10.0.0.1' } as const;
    const request: FinishedRequest = {
      ...{ requestId: 'req_1', operation: 'search', method: 'POST', path: '/ai/v1/search', status: 200 },
      ...{ error: null, replayed: false, assistant: 'claude', access: approved, tools: [], durationMs: 12.5 },
    };
    for (const [changes, labels] of [
      [{ error: 'incomplete_payload' }, ['claude', 'search', 'incomplete_payload']],
      [{ operation: 'mcp' }, ['claude', 'mcp', '']],
      [
        { access: { ...refused, cause: 'suspended', assistant: 'claude', way: 'ranges' } },
        ['claude', 'search', 'suspended'],
      ],
      // It only claims to be an assistant.
      [
        { access: { ...refused, cause: 'invalid_signature', assistant: 'claude', way: null } },
        ['', 'search', 'invalid_signature'],
      ],
      [{ access: null, operation: 'entry' }, null],
      [{ access: { ...approved, assistant: 'console' } }, null],
    ] as const) {
      const counted: unknown[] = [];
      const record = createRequestRecorder((measure, { assistant, facet, reason }, amounts) => {
        counted.push([measure, [assistant, facet, reason], amounts]);
      });
      record({ ...request, ...changes });
      assert.deepEqual(counted, labels === null ? [] : [['requests', labels, { sum: 12.5 }]]);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import type { InterfaceCalls, SearchReply } from './interface-calls.ts';
import { refineStays, searchStays } from './search-stays.ts';

const WHOLE: StayView = { sort: 'price', max_total: null, free_cancellation: false, max_options: 5 };
const NOW = Date.parse('2026-11-15T12:00:00Z');
const RESULT = sampleResultBody();
/** What remains to be chosen of a complete search: filters, which the set has too. */
const FILTERS_LEFT = {
  error: 'incomplete_payload',
  message: 'Missing required field: amenities',
  result_ready: true,
  received: { destination: 'lisbon-pt' },
  allowed_values: {},
  missing_fields: ['amenities'],
} as unknown as SearchReply;
const GUESTS_MISSING = {
  ...FILTERS_LEFT,
  result_ready: undefined,
  missing_fields: ['guests'],
  allowed_values: { guests: ['1', '2'] },
} as unknown as SearchReply;
const SILENT = {
  error: 'upstream_unavailable',
  message: '…',
  retry_after_seconds: 5,
} as unknown as SearchReply;

/** Replies in this order, and what was asked for. */
function scripted(replies: readonly SearchReply[], { tookMs = (): number => 0 } = {}) {
  const asked: object[] = [];
  const left = [...replies];
  const calls: InterfaceCalls = {
    open: async () => ({ object: 'session', session: 'ses_a' }) as never,
    search: async (_session, values) => {
      asked.push(values);
      return left.shift() ?? RESULT;
    },
    result: async () => RESULT,
    network: async () => ({ name: '', sources: [], pictureHosts: [] }),
  };
  return { asked, call: { calls, key: null, now: NOW, tookMs } };
}

const stay = { session: 'ses_a', source: null, values: {}, amenities: [], view: WHOLE };

test('a view of a complete search is answered with the set, though no answer was sent', async () => {
  const { call } = scripted([FILTERS_LEFT]);
  const { answer } = await searchStays({ ...stay, view: { ...WHOLE, sort: 'rating' } }, call);
  assert.equal(answer.outcome, 'comparison');
  assert.equal(answer.comparison?.view.sort, 'rating');
});

/** What a service elsewhere says: it applied one of the amenities, and those at these positions wait. */
function waitingAt(...positions: number[]): SearchReply {
  const refusals = positions.map((position) => ({
    field: 'amenities',
    error: 'invalid_value',
    message: '…',
    reason: { code: 'one_amenity_per_request' as const, amenity: 'key' },
    position,
  }));
  return { ...RESULT, refusals };
}

test('all amenities come with the stay, in one request', async () => {
  const { asked, call } = scripted([{ ...RESULT, fulfilled_amenities: ['wifi'] }]);
  const amenities = ['pool', 'wifi', 'sauna'];
  const { answer } = await searchStays({ ...stay, values: { guests: 2 }, amenities }, call);
  assert.deepEqual(asked, [{ guests: 2, amenities }]);
  assert.deepEqual(answer.fulfilled_amenities, ['wifi']);
});

test('those that a service elsewhere leaves for the next request are sent in it', async () => {
  const { asked, call } = scripted([
    { ...waitingAt(2, 4), cleared_fields: ['amenities'], fulfilled_amenities: ['wifi'] } as SearchReply,
    waitingAt(2),
    { ...RESULT, fulfilled_amenities: ['gym'] },
  ]);
  const amenities = ['pool', 'lift', 'wifi', 'gym'];
  const { answer } = await searchStays({ ...stay, values: { guests: 2 }, amenities }, call);
  assert.deepEqual(asked, [{ guests: 2, amenities }, { amenities: ['lift', 'gym'] }, { amenities: ['gym'] }]);
  assert.equal('refusals' in answer, false);
  assert.deepEqual([answer.cleared_fields, answer.fulfilled_amenities], [['amenities'], ['wifi', 'gym']]);
});

test('what was found stands when the operators are silent for a further amenity, and it says so', async () => {
  const { asked, call } = scripted([waitingAt(2, 3, 4), SILENT]);
  const amenities = ['pool', 'wifi', 'sauna', 'lift'];
  const { answer } = await refineStays(
    { session: 'ses_a', amenities, clearFilters: false, isForCard: false, view: WHOLE },
    call,
  );
  assert.equal(answer.outcome, 'comparison');
  assert.deepEqual(asked, [{ amenities }, { amenities: ['wifi', 'sauna', 'lift'] }]);
  assert.deepEqual(
    answer.refusals?.map(({ value, error }) => [value, error]),
    [
      ['wifi', 'upstream_unavailable'],
      ['sauna', 'not_tried'],
      ['lift', 'not_tried'],
    ],
  );
  assert.match(answer.refusals?.[0]?.message ?? '', /Wait for 5 seconds/);
});

test('a call that takes long leaves further amenities to the next one', async () => {
  let took = 0;
  const { asked, call } = scripted([waitingAt(2, 3, 4), waitingAt(2, 3)], {
    tookMs: () => {
      took += 10_000;
      return took;
    },
  });
  const { answer } = await searchStays({ ...stay, amenities: ['a', 'b', 'c', 'd'] }, call);
  assert.deepEqual(asked, [{ amenities: ['a', 'b', 'c', 'd'] }, { amenities: ['b', 'c', 'd'] }]);
  assert.deepEqual(
    answer.refusals?.map(({ value, error }) => [value, error]),
    [
      ['c', 'not_tried'],
      ['d', 'not_tried'],
    ],
  );
});

test('what is not kept is said: a view before the set is there, a source in a search that has begun', async () => {
  const { call } = scripted([GUESTS_MISSING]);
  const view = { ...WHOLE, max_total: 900 };
  const { answer } = await searchStays({ ...stay, source: 'casas', view }, call);
  assert.equal(answer.outcome, 'question');
  assert.match(answer.reminders?.join(' ') ?? '', /source counts only when a search begins.*max_total/);
});

test('the handle of a session that is gone is not given back, that of one that waits is', async () => {
  for (const [error, session] of [
    ['session_expired', null],
    ['rate_limited', 'ses_a'],
  ]) {
    const { call } = scripted([{ error, message: '…' } as unknown as SearchReply]);
    const { answer } = await searchStays({ ...stay, values: { guests: 2 } }, call);
    assert.deepEqual([answer.outcome, answer.session], ['problem', session]);
  }
});

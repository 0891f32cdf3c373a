import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CliTools } from '../../src/cli/command.ts';
import { createMemoryOwnerStore } from '../../src/storage/memory/storage.ts';
import type { OpenedOwnerStore } from '../../src/storage/storage.ts';
import { saveRejections, saveSyncRecord } from '../../src/sync/brand-documents.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { activityWith, type Counted } from '../support/counted.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const now = Date.UTC(2027, 4, 8, 11, 20);
const at = now - 3 * 3_600_000;

const casas = { brand: 'casas', assistant: 'local' };
const local = { assistant: 'local' };
const earlier = at - 5 * 86_400_000;
const wish = { place: 'lisbon-pt', reason: 'nothing_free' };
const someDay: readonly Counted[] = [
  ['sessions', at, local],
  ['standings', at, { ...local, facet: 'completed' }],
  ['times_to_result', at, { ...local, facet: '60' }, 1, 42_000],
  ['sessions', at, casas],
  ['standings', at, { ...casas, facet: 'check_in_day' }],
  ['refusals', at, { ...casas, facet: 'check_in_day', reason: 'check_in_day:nothing_free' }],
  ['sessions', earlier, casas],
  ['standings', earlier, { ...casas, facet: 'destination' }],
  ...Array.from({ length: 14 }, (_, month): Counted => {
    const facet = `20${27 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
    return ['wishes', at, { ...casas, ...wish, facet }];
  }),
  ['wishes', at, { ...local, ...wish, facet: '2027-06', reason: 'found' }],
  ['missing_places', at, { facet: '=atlantis' }, 3],
  ['requests', at, { ...local, facet: 'search', reason: 'internal_error' }, 1, 12],
  ['prices', at, { brand: 'casas', reason: 'quoted' }],
];

/** A stage on the network of the examples, with what is stored of an owner. */
async function createStage(t: TestContext, counted: readonly Counted[]) {
  const stage = createCommandStage(t);
  for (const file of ['network.json', 'rate-card.json']) {
    copyFileSync(join(EXAMPLES, file), join(stage.directory, file));
  }
  mkdirSync(join(stage.directory, 'data'));
  const closed: string[] = [];
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  const store = {
    ...createMemoryOwnerStore(),
    activity: await activityWith(counted),
    controls: {
      all: async () => [{ brand: 'casas', pausedAt: now - 60_000, readingRequestedAt: null }],
    },
    close: async () => void closed.push('store'),
  } as unknown as OpenedOwnerStore;
  const tools: Partial<CliTools> = {
    clock: createFakeClock(now),
    openOwnerStore: async () => store,
    openDocuments: async () => ({
      document: async (name) => documents.get(name),
      close: async () => void closed.push('documents'),
    }),
  };
  const saving = {
    async saveDocument(name: string, content: Uint8Array<ArrayBuffer>) {
      documents.set(name, content);
    },
  };
  return {
    ...stage,
    store,
    saving,
    closed,
    run: (...words: readonly string[]) =>
      stage.run(['report', ...words], {
        env: { STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8', CASAS_TOKEN: 'secret' },
        tools,
      }),
  };
}

function assertFits(text: string): void {
  for (const line of text.split('\n')) assert.ok([...line].length <= 80, `too wide: ${line}`);
}

describe('staywire report', () => {
  it('prints every report of the last seven days, and closes what it opened', async (t) => {
    const stage = await createStage(t, someDay);
    const { code, output } = await stage.run();
    assert.equal(code, 0);
    assertFits(output);
    for (const line of [
      /^2027-05-02 to 2027-05-08, days in UTC$/m,
      /^ {2}Sessions opened +3$/m,
      /^ {2}2027-05-08 +2 +1 +1 +1$/m,
      /^ {2}day of arrival +day of arrival: nothing free +1$/m,
      /^ {2}Lisbon\n {4}Jan 2027: 1 · /m,
      /^ {2}=atlantis +3$/m,
      /^ {2}casas\n {4}Name: .* State: paused/m,
      /^ {2}local\n {4}Name: Assistants on trusted networks · State: approved/m,
      /No operator has reported a booking in this time/,
    ]) {
      assert.match(output, line);
    }
    assert.deepEqual(stage.closed, ['store', 'documents']);
  });

  it('is about the day itself when today is named, and about the days that are given', async (t) => {
    const stage = await createStage(t, someDay);
    const today = await stage.run('today');
    assert.match(today.output, /^2027-05-08, days in UTC\n\nToday\n/);
    assert.match(today.output, /^ {2}2027-05-08 08:00 +2 +1 +1 +1$/m);
    const earlier = await stage.run('today', '--from', '2027-05-01', '--to', '2027-05-03');
    assert.match(earlier.output, /^2027-05-01 to 2027-05-03, days in UTC\n\nSearches\n/);
    assert.match(earlier.output, /^ {2}Abandoned +1$/m);
    const outside = await stage.run('today', '--from', '2026-01-01', '--to', '2026-01-03');
    assert.match(outside.output, /Nothing was counted in this time, only from 2027-05-03T08:00:00Z to/);
    assertFits(outside.output);
  });

  it('says that nothing was counted yet, and what to do', async (t) => {
    const { code, output } = await (await createStage(t, [])).run();
    assert.equal(code, 0);
    assert.match(output, /^! Nothing was counted yet\.[\s\S]*staywire serve/m);
    assertFits(output);
  });

  it('gives the same figures as JSON, and as CSV of one table or of all', async (t) => {
    const stage = await createStage(t, someDay);
    const json = JSON.parse((await stage.run('demand', '--json')).output);
    assert.deepEqual([json.from, json.to, json.brand], ['2027-05-02', '2027-05-08', null]);
    assert.deepEqual(json.counted, { from: '2027-05-03T08:00:00Z', until: '2027-05-08T09:00:00Z' });
    const [demand] = json.reports;
    const figure = demand.figures.find(({ id }: { id: string }) => id === 'unmet');
    assert.deepEqual([figure.value, figure.unit], [14, 'number']);
    const unmet = demand.tables.find(({ id }: { id: string }) => id === 'unmet');
    assert.deepEqual(unmet.rows, [
      { reason: 'nothing_free', reason_name: 'nothing free', wishes: 14, share: 1 },
    ]);
    const [place] = demand.tables.find(({ id }: { id: string }) => id === 'places').rows;
    assert.deepEqual([place.place, place.place_name, place.found], ['lisbon-pt', 'Lisbon', 1]);
    const months = demand.tables.find(({ id }: { id: string }) => id === 'months');
    assert.deepEqual(Object.keys(months.rows[0]), ['month', 'asked', 'share_unmet', 'found', 'nothing_free']);
    const today = JSON.parse((await stage.run('today', '--json', '--table', 'periods')).output);
    assert.equal(today.reports[0].tables[0].rows[8].hour, '2027-05-08T08:00:00.000Z');
    const one = await stage.run('demand', '--csv', '--table', 'missing_places');
    assert.equal(one.output, "Name,Sessions\r\n'=atlantis,3");
    const all = await stage.run('demand', '--csv');
    assert.match(all.output, /^demand\/unmet\r\nReason,Wishes,Share\r\nnothing free,14,1\r\n\r\ndemand\//);
  });

  it('names by identifiers in JSON what people read in words, and gives times as numbers', async (t) => {
    const stage = await createStage(t, someDay);
    const [today] = JSON.parse((await stage.run('today', '--json')).output).reports;
    const figure = today.figures.find(({ id }: { id: string }) => id === 'median_time');
    assert.deepEqual([figure.value, figure.unit], [60_000, 'milliseconds']);
    const rowsOf = (table: string) => today.tables.find(({ id }: { id: string }) => id === table).rows;
    assert.deepEqual(rowsOf('refusals'), [
      {
        stage: 'check_in_day',
        stage_name: 'day of arrival',
        refusal: 'check_in_day:nothing_free',
        refusal_name: 'day of arrival: nothing free',
        answers: 1,
      },
    ]);
    const taken = rowsOf('times').find(({ sessions }: { sessions: number }) => sessions > 0);
    assert.deepEqual([taken.time, taken.time_name], ['up_to_60_s', '30 s to 1 min']);
    assert.match((await stage.run('today')).output, /^ {2}Time to a result, median +up to 1 min$/m);
  });

  it('shows of a brand its own part alone', async (t) => {
    const stage = await createStage(t, someDay);
    const { output } = await stage.run('--brand', 'casas');
    assert.match(output, /only the part of casas$/m);
    assert.match(output, /^ {2}Sessions opened +2$/m);
    assert.doesNotMatch(output, /atlantis|Requests|sol/);
  });

  it('tells what the store knows of operators, and leaves the rest open', async (t) => {
    const stage = await createStage(t, someDay);
    await saveSyncRecord(stage.saving, 'casas', {
      savedAt: now - 1000,
      completedAt: now - 120_000,
      fullStartedAt: null,
      fullIsComplete: true,
      changesKnownUntil: null,
      changed: [],
      offered: 12,
      oldestCalendarAt: now - 7_200_000,
      waiting: 3,
      lastFailure: { at: now - 1000, kind: 'timeout' },
    });
    await saveRejections(stage.saving, 'casas', {
      readAt: now - 120_000,
      admitted: 12,
      rejections: [{ reference: 'c-1', field: '', rule: 'over_budget', reason: 'is too much' }],
      notListed: 2,
      counts: {},
      unmappedAmenities: [],
    });
    const json = JSON.parse((await stage.run('operators', '--brand', 'casas', '--json')).output);
    const rowsOf = (table: string) =>
      json.reports[0].tables.find(({ id }: { id: string }) => id === table).rows;
    const [state] = rowsOf('state');
    assert.deepEqual(
      [state.homes, state.held_back, state.age, state.oldest_calendar, state.waiting, state.failure],
      [0, 3, 120_000, null, 3, 'timeout'],
      'nothing of a paused brand is on offer',
    );
    assert.deepEqual(
      [state.asked, state.budget, state.paused_since],
      ['paused', null, '2027-05-08T11:19:00.000Z'],
    );
    assert.equal(state.last_read, '2027-05-08T11:18:00.000Z');
    assert.deepEqual([state.system, state.system_name], ['open', 'open protocol']);
    assert.equal(
      rowsOf('held_back')[0].remedy,
      'Ask the owner of the network to raise `budget.listings` or `budget.megabytes` in the entry of the brand.',
    );
    assertFits((await stage.run('operators')).output);
  });

  it('refuses what it does not understand, with what to do', async (t) => {
    const stage = await createStage(t, someDay);
    for (const [words, fault] of [
      [['weather'], /name one of today, demand, operators, assistants, outcomes/],
      [['--from', '8 May'], /write it as YYYY-MM-DD/],
      [['--from', '2027-05-09', '--to', '2027-05-08'], /--from is a day after --to/],
      [['--brand', 'nobody'], /There is no brand nobody/],
      [
        ['outcomes', '--table', 'brand'],
        /No table of this report has that name\.[\s\S]*name one of brands, amounts, accuracy, by_assistant, by_place, by_lead_time/,
      ],
      [['--table', 'nothing'], /name one of periods, [\s\S]*missing_places/],
      [['--csv', '--json'], /cannot be used with option '--json'/],
    ] as const) {
      const { code, notes, output } = await stage.run(...words);
      assert.equal(code, 2, words.join(' '));
      assert.match(notes + output, fault);
    }
  });
});

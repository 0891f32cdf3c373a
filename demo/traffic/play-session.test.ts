import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITIES } from '../cities.ts';
import { seededBy } from '../seeded.ts';
import { demandOf } from './demand.ts';
import { playSession } from './play-traffic.ts';
import { type AssistantTally, addOne, createTally, summaryText, type Tally } from './tally.ts';
import type { TrafficClient } from './traffic-client.ts';

const TODAY = 20_000;

/** Plays some sessions against a service that gives these answers. */
async function playAgainst(answers: { readonly opening: unknown; readonly search: unknown }) {
  const tally = createTally();
  const once = { requests: 1, limited: 0, isDenied: false };
  const client: TrafficClient = {
    call: async ({ method }) => ({ ...once, body: method === 'GET' ? answers.opening : answers.search }),
    visit: async () => assert.fail('nobody books'),
    close: async () => undefined,
  };
  for (let number = 0; number < 40; number += 1) {
    await playSession(demandOf('test', number, TODAY), { client, seeded: seededBy(`test ${number}`), tally });
  }
  return tally;
}

const all = (tally: Tally) => [...tally.assistants.values()];

test('a session whose operators are silent stands at the prices', async () => {
  const tally = await playAgainst({
    opening: { session: 'ses_x' },
    search: { error: 'upstream_unavailable' },
  });
  const asked = all(tally).reduce((sum, one) => sum + (one.stopped.get('prices') ?? 0), 0);
  const searched = all(tally).filter(({ requests, sessions }) => requests > sessions);
  assert.ok(asked > 0 && searched.length > 0);
});

test('a session whose results have no option is not completed, and stands at the prices', async () => {
  const empty = { object: 'search_result', results: [] };
  const tally = await playAgainst({ opening: { session: 'ses_x' }, search: empty });
  const sum = (of: (one: AssistantTally) => number) => all(tally).reduce((total, one) => total + of(one), 0);
  assert.ok(sum(({ results }) => results) > 0);
  assert.equal(
    sum(({ completed }) => completed),
    0,
  );
  assert.ok(sum(({ stopped }) => stopped.get('prices') ?? 0) > 0);
});

test('a misspelt city is not among the places that are not on the network where it is suggested', async () => {
  const refusal = {
    error: 'invalid_value',
    invalid_field: 'destination',
    reason: { code: 'not_on_network' },
  };
  const suggestions = CITIES.map(({ id }) => id);
  const { missingPlaces } = await playAgainst({
    opening: { session: 'ses_x' },
    search: { ...refusal, suggestions },
  });
  const wishes = Array.from({ length: 40 }, (_, number) => demandOf('test', number, TODAY));
  const elsewhere = wishes.filter(({ city }) => city === null).map(({ values }) => values.destination);
  const written = wishes.filter(({ city }) => city !== null).map(({ values }) => values.destination);
  // A suggestion that is taken is refused here too.
  const cities = written.filter((name) => !suggestions.includes(name));
  assert.ok(elsewhere.some((name) => missingPlaces.has(name)));
  assert.ok(!cities.some((name) => missingPlaces.has(name)), [...missingPlaces.keys()].join());
});

test('one that cannot be opened is counted as such, and as nothing else', async () => {
  const tally = await playAgainst({ opening: undefined, search: assert.fail });
  const sums = all(tally).map(({ sessions, refusedOpenings }) => [sessions, refusedOpenings]);
  assert.deepEqual(
    sums.reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0]),
    [0, 40],
  );
});

test('the summary names every stage at which sessions stopped', () => {
  const tally = createTally();
  const stages = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];
  for (const stage of [...stages, ...stages, 'prices']) addOne(tally.of('atlas').stopped, stage);
  assert.match(summaryText(tally, 1), /^Stopped at: .*guests 2, prices 1\.$/m);
});

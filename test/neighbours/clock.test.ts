import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { callsOf, homes, startNeighbourhood } from '../support/neighbourhood.ts';

const TWO_HOURS_MS = 2 * 3_600_000;
const MAX_TRIES = 100;

test('a wall clock that steps back two hours loses no calendar and opens no breaker', {
  timeout: 300_000,
}, async (t) => {
  const here = await startNeighbourhood({ honest: homes('honest', 2) });
  t.after(() => here.close());
  await callsOf(here.honest, '/calendars');
  await here.stepWallClock(-TWO_HOURS_MS);
  const honestHomes = async () => {
    let { body } = await here.modest.search();
    // Between midnight and two o'clock in UTC the step leads to another day, for which the homes are loaded again.
    for (let tries = 0; body.error === 'nothing_on_offer' && tries < MAX_TRIES; tries += 1) {
      await pause(100);
      ({ body } = await here.modest.search());
    }
    return body.results?.filter(({ brand }: { brand: string }) => brand === 'Brand honest').length ?? 0;
  };
  assert.equal(await honestHomes(), 2, 'operators are still asked');
  const [first, second] = here.honest.properties;
  assert.ok(first && second);
  // One of the two is taken from now on, and the calendar says so.
  second.periods = second.periods.map((period) => ({ ...period, available: false }));
  await callsOf(here.honest, '/calendars', 2);
  here.honest.asked.length = 0;
  assert.equal(await honestHomes(), 1);
  const asked = here.honest.asked.flatMap(({ properties }) => properties);
  assert.ok(!asked.includes(second.listing.reference), 'the update reached the index');
});

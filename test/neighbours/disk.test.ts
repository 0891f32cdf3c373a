import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { homes, type Neighbourhood, startNeighbourhood, stayIn } from '../support/neighbourhood.ts';

const REPETITIONS = 300;
/** The write-ahead log alone may take four megabytes. */
const MAX_GROWTH_BYTES = 6 * 2 ** 20;

describe('the disk', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood({ honest: homes('honest', 20) });
  });
  after(() => here.close());

  it('does not fill when one value is repeated under new keys', async (t) => {
    const token = await here.greedy.open();
    const repeat = (key: string) =>
      here.greedy.call(`/ai/v1/search?session=${token}&idempotency_key=${key}`, {
        body: stayIn('lisbon-pt'),
      });
    await repeat('the-first-key-of-all');
    const before = here.diskBytes();
    for (let round = 0; round < REPETITIONS; round += 20) {
      await Promise.allSettled(
        Array.from({ length: 5 }, (_, lane) => repeat(`a-key-of-mine-${round}-${lane}`)),
      );
      for (let more = 5; more < 20; more += 1) await repeat(`a-key-of-mine-${round}-${more}`);
    }
    const grown = here.diskBytes() - before;
    t.diagnostic(`${(grown / 2 ** 20).toFixed(1)} MiB for ${REPETITIONS} requests`);
    assert.ok(grown < MAX_GROWTH_BYTES, `${(grown / 2 ** 20).toFixed(1)} MiB for ${REPETITIONS} requests`);
  });

  it('is readable by the owner alone', () => {
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(modeOf(here.dataDirectory), '700');
    for (const file of globSync('**/*', { cwd: here.dataDirectory })) {
      assert.equal(modeOf(join(here.dataDirectory, file)), '600', file);
    }
  });
});

describe('sessions', () => {
  it('of a greedy assistant are capped, and those of a modest one are not', async (t) => {
    const here = await startNeighbourhood({ env: { STAYWIRE_MAX_SESSIONS: '50' } });
    t.after(() => here.close());
    let refused = 0;
    for (let round = 0; round < 120; round += 1) {
      const { status, body } = await here.greedy.call('/ai/v1/auth', { body: {} });
      if (status === 200) continue;
      refused += 1;
      assert.ok([429, 503].includes(status), `${status} ${body.error}`);
      assert.equal(typeof body.message, 'string');
    }
    assert.ok(refused >= 60, `${refused} of 120 were refused`);
    assert.equal((await here.modest.search()).body.object, 'search_result');
  });
});

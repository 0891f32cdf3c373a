import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { served } from '../support/neighbour-client.ts';
import { homes, type Neighbourhood, startNeighbourhood, stayIn } from '../support/neighbourhood.ts';

const REPETITIONS = 150;
/** The write-ahead log of a database takes up to 32 megabytes before it is used again. */
const MAX_LOG_BYTES = 36 * 2 ** 20;
/** A page here and there. */
const SLACK_BYTES = 2 ** 18;

describe('the disk', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood({ honest: homes('honest', 20) });
  });
  after(() => here.close());

  for (const [what, guestsIn, maxBytesEach] of [
    ['one value is repeated under new keys', () => '2', 2 * 1024],
    // Each of these is quoted anew, and what was quoted is kept in the ledger; the result itself is replaced.
    ['a value goes back and forth', (round: number) => String(1 + (round % 2)), 32 * 1024],
  ] as const) {
    it(`does not fill when ${what}`, async (t) => {
      const token = await here.greedy.open();
      const send = (key: string, body: object) =>
        here.greedy.call(`/ai/v1/search?session=${token}&idempotency_key=${key}`, { body });
      await send('the-first-key-of-all', stayIn('lisbon-pt'));
      const before = keptBytes();
      for (let round = 0; round < REPETITIONS; round += 1) {
        await send(`a-key-of-mine-${round}`, { guests: guestsIn(round) });
      }
      const grown = keptBytes() - before;
      t.diagnostic(`${(grown / 2 ** 20).toFixed(1)} MiB for ${REPETITIONS} requests`);
      assert.ok(grown < SLACK_BYTES + REPETITIONS * maxBytesEach, `${(grown / 2 ** 20).toFixed(1)} MiB`);
      for (const log of globSync('*-wal', { cwd: here.dataDirectory })) {
        assert.ok(statSync(join(here.dataDirectory, log)).size < MAX_LOG_BYTES, log);
      }
    });
  }

  it('does not fill when an operator sends long lines and policies', async (t) => {
    const wordy = (length: number, from: number) =>
      Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((from * 131 + at * 7) % 5_000))).join(
        '',
      );
    const lines = Array.from({ length: 40 }, (_, at) => ({ label: wordy(80, at), amount: '1.00' }));
    const there = await startNeighbourhood({
      honest: homes('honest', 1),
      hostile: homes('hostile', 20, (at) => ({ cancellation: { summary: wordy(2_000, at) } })),
    });
    t.after(() => there.close());
    there.hostile.quote = (property, { currency }) => ({
      ...{ property, status: 'quoted', currency, total: '40.00', lines },
    });
    const token = await there.greedy.open();
    const send = (key: string, body: object) =>
      there.greedy.call(`/ai/v1/search?session=${token}&idempotency_key=${key}`, { body });
    const { body } = await served(() => send('the-first-key-of-all', stayIn('lisbon-pt')));
    assert.deepEqual(body.results[0].truncated_fields, [
      ...['images.gallery', 'quote.line_items', 'cancellation.summary'],
    ]);
    const before = keptBytes(there);
    const results = 40;
    for (let round = 0; round < results; round += 1) {
      await send(`a-key-of-mine-${round}`, { guests: String(1 + (round % 2)) });
    }
    const each = (keptBytes(there) - before) / results;
    t.diagnostic(`${Math.round(each / 20)} bytes a quote`);
    assert.ok(each < 20 * 600, `${Math.round(each / 20)} bytes a quote`);
  });

  /** What the databases hold, wherever of file and log it is written just now. */
  function keptBytes({ dataDirectory } = here): number {
    const files = globSync('{activity,inventory,sessions}.sqlite', { cwd: dataDirectory });
    return files.reduce((sum, file) => {
      const database = new DatabaseSync(join(dataDirectory, file), { readOnly: true, timeout: 30_000 });
      const row = database
        .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
        .get();
      database.close();
      return sum + Number(row?.bytes);
    }, 0);
  }

  it('is readable by the owner alone', () => {
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(modeOf(here.dataDirectory), '700');
    for (const file of globSync('**/*', { cwd: here.dataDirectory })) {
      const path = join(here.dataDirectory, file);
      assert.equal(modeOf(path), statSync(path).isDirectory() ? '700' : '600', file);
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

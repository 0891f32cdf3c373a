import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isInstalled } from '../../test/support/install-folder.ts';
import type { FullAnswer } from '../index/ask.ts';
import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { comparePeers } from './compare-peers.ts';
import { differenceOf } from './difference.ts';
import { duckDb } from './duckdb.ts';
import { QUESTION_FORMS } from './full-question.ts';
import type { Engine } from './peer.ts';
import { PEERS_FOLDER } from './peer-packages.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

const INVENTORY = createSyntheticInventory({ seed: 5, homes: 1000, today: 20_880 });
const PLACE = INVENTORY.cities[0]?.place ?? '';
const ANSWER: FullAnswer = { count: 2, totals: [100, null], amenities: new Map([['wifi', 2]]) };

async function compare(t: TestContext, engine: Engine, questions = 10) {
  const folder = await mkdtemp(join(tmpdir(), 'peers-test-'));
  t.after(() => rm(folder, { recursive: true }));
  return comparePeers({
    inventory: INVENTORY,
    place: PLACE,
    engines: [engine],
    questions,
    rounds: 1,
    warmUpMs: 0,
    seed: 6,
    folder,
    tell: () => undefined,
  });
}

describe('the databases that the index is compared with', () => {
  it('SQLite answers as the index does, in every form and with the rows handed to JavaScript', async (t) => {
    const { peers, missing, index, matches, homes } = await compare(t, sqlite, 60);
    assert.deepEqual(missing, []);
    assert.deepEqual(
      peers.map(({ form, isWholeInSql }) => [form, isWholeInSql]),
      [...QUESTION_FORMS.map(({ name }) => [name, true]), ['rows handed to JavaScript', false]],
    );
    for (const { engine, medianUs, p99Us } of peers) {
      assert.match(engine, /^SQLite 3\.\d+/);
      assert.ok(medianUs > 0 && p99Us >= medianUs);
    }
    assert.ok(index.medianUs > 0);
    assert.equal(homes, 200);
    assert.ok(matches > 5, 'the questions find something');
  });

  for (const engine of [postgres, duckDb]) {
    it(`${engine.name} answers as the index does, in every form`, { timeout: 120_000 }, async (t) => {
      if (!isInstalled(PEERS_FOLDER)) {
        t.skip(`NOT TESTED: ${engine.name} beside the index, because ${PEERS_FOLDER}/ is not installed.`);
        return;
      }
      const { peers, missing } = await compare(t, engine);
      if (missing.length > 0) {
        t.skip(`NOT TESTED: ${engine.name} beside the index: ${missing[0]?.reason}.`);
        return;
      }
      assert.deepEqual(
        peers.map(({ form }) => form),
        QUESTION_FORMS.filter((form) => engine !== duckDb || !form.hasManySums).map(({ name }) => name),
      );
      for (const { engine: name } of peers) assert.match(name, new RegExp(`^${engine.name} \\d+\\.\\d+`));
    });
  }

  it('one that answers otherwise ends the comparison', async (t) => {
    const wrong: Engine = {
      name: 'Wrong',
      open: async () => ({
        peers: [{ engine: 'Wrong 1', form: 'guessed', isWholeInSql: true, ask: () => ANSWER }],
        close: async () => undefined,
      }),
    };
    await assert.rejects(
      compare(t, wrong),
      /Wrong 1, guessed, answers otherwise than the index: 2 instead of/,
    );
  });

  it('one that cannot be had is named with its reason', async (t) => {
    const absent: Engine = { name: 'Absent', open: async () => ({ missing: 'nobody has it' }) };
    const { peers, missing } = await compare(t, absent);
    assert.deepEqual([peers, missing], [[], [{ engine: 'Absent', reason: 'nobody has it' }]]);
  });
});

it('the difference of two answers', () => {
  assert.equal(differenceOf(ANSWER, { ...ANSWER, amenities: new Map([['wifi', 2]]) }), null);
  assert.equal(differenceOf({ ...ANSWER, count: 3 }, ANSWER), '3 instead of 2 matches');
  assert.equal(
    differenceOf({ ...ANSWER, totals: [100, 0] }, ANSWER),
    'cheapest totals [100,0] instead of [100,null]',
  );
  const others = new Map([
    ['wifi', 1],
    ['pool', 1],
  ]);
  assert.equal(differenceOf({ ...ANSWER, amenities: others }, ANSWER), 'different counts of wifi, pool');
});

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STORES } from '../../src/storage/stores.ts';
import { readSyncRecord } from '../../src/sync/brand-documents.ts';
import { createCommandStage } from '../support/command-stage.ts';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));

test('a brand beyond its budget is refused with the setting, the limit, what was found and what to write', async (t) => {
  const { directory, run } = createCommandStage(t);
  const example = (name: string) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8'));
  const card = example('rate-card.json');
  const [mill] = card.properties;
  card.properties = ['mill', 'barn', 'tower'].map((reference) => ({
    ...mill,
    listing: { ...mill.listing, reference },
  }));
  writeFileSync(join(directory, 'rate-card.json'), JSON.stringify(card));
  const network = example('network.json');
  const withBudget = (budget: object) => {
    const [, moinho] = network.brands;
    writeFileSync(
      join(directory, 'network.json'),
      JSON.stringify({ ...network, brands: [{ ...moinho, ...budget }] }),
    );
  };
  const data = join(directory, 'data');
  mkdirSync(data);
  const sync = () => run(['sync', '--data', data]);

  withBudget({ budget: { listings: 2 } });
  const refused = await sync();
  assert.equal(refused.code, 1);
  const said = refused.output.replaceAll(/\s+/g, ' ');
  const expected =
    'the brand has at least 3 listings, more than its budget.listings of 2, so nothing of it is taken: write "budget": { "listings": 4 } or more into its entry in the network file';
  assert.ok(said.includes(expected), said);
  const storage = await STORES.sqlite({
    directory: data,
    rateRule: { limit: 1, windowMs: 1 },
    report: () => undefined,
  });
  const record = await readSyncRecord(storage.inventory, 'moinho');
  await storage.close();
  assert.equal(record?.lastFailure?.message, expected, 'for the console');

  withBudget({ budget: { listings: 4 } });
  const taken = await sync();
  assert.equal(taken.code, 0, taken.output + taken.notes);
  assert.match(taken.output, /3 listings, 0 held back/);
});

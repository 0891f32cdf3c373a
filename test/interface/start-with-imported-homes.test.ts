import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Connector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { importedConnector } from '../../src/connectors/imported/connector.ts';
import { valid } from '../../src/parsing/reading.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { converse } from '../support/conversation.ts';
import { networkFile, property } from '../support/network.ts';
import { SAMPLE_RATE_RULE } from '../support/temporary-storage.ts';
import { startTestService } from '../support/test-service.ts';

test('a start from stored homes is ready once the imported file is read, and its first search has prices', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'imported-start-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'homes.jsonl');
  const period = { from: '2026-11-15', to: '2027-11-15', available: true, price: '100.00' };
  const lines = [
    { type: 'property', ...property('a').listing },
    { type: 'calendar', property: 'a', periods: [period] },
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const start = (reading: Promise<void>) =>
    startTestService({
      connectors: [...CONNECTORS.filter(({ kind }) => kind !== 'imported'), withSlowFiles(reading)],
      network: networkFile([
        {
          source: 'casas',
          name: 'Casas',
          all_in_totals: false,
          website: { hosts: ['stay.example'] },
          booking_system: { kind: 'imported', file },
        },
      ] as Parameters<typeof networkFile>[0]),
      storage: { ...storage, close: async () => {} },
      waitForStart: false,
    });

  const first = await start(Promise.resolve());
  await first.nextRefresh('casas');
  await first.close();

  const read = Promise.withResolvers<void>();
  const second = await start(read.promise);
  t.after(() => second.close());
  // Longer than a price may wait for the file.
  await second.time.pass(5000);
  assert.deepEqual((await second.get('/readyz')).body, { status: 'starting', reason: 'brands_not_read' });
  const { body } = await (await converse(second)).read();
  assert.equal(body.error, 'nothing_on_offer');
  assert.match(body.message, /still loading/);
  read.resolve();
  while ((await second.get('/readyz')).status !== 200) await second.time.pass(0);
  const { comparison_set } = (await (await converse(second)).search()).body;
  assert.equal(comparison_set.options_count, 1);
});

/** The connector of imported files, whose lines are read once the promise resolves. */
function withSlowFiles(reading: Promise<void>): Connector {
  return {
    ...importedConnector,
    readEntry(entry, surroundings) {
      const connection = importedConnector.readEntry(entry, surroundings);
      if (connection.kind === 'invalid') return connection;
      return valid((tools) =>
        connection.value({
          ...tools,
          intake: { ...tools.intake, run: (order) => reading.then(() => tools.intake.run(order)) },
        }),
      );
    },
  };
}

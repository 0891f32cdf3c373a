import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { sampleOutcome } from '../../analytics/bookings/booking-outcomes.contract.ts';
import { createPostgresOwnerStore } from '../postgres/owner-store.ts';
import { createPostgresQuoteLedger } from '../postgres/quote-ledger.ts';
import { migrateEmbedded } from './migrate-embedded.ts';

it('copies quotes, bookings and decisions of an embedded store to PostgreSQL, once, and leaves later decisions', async (t) => {
  const [pool, server] = [await temporaryPool(t), await throwawayPostgres()];
  if (!pool || 'missing' in server) return;
  const directory = join(temporaryDirectory(t), 'data');
  const run = () =>
    migrateEmbedded({ directory, postgresUrl: server.url, schema: pool.schema, report: () => {} });
  await assert.rejects(run(), { message: `There is no embedded store in ${directory}.` });

  const embedded = await openSqliteIn(directory);
  await embedded.sessions.open(sampleSession('s'));
  for (const revision of [1, 2])
    await embedded.sessions.commit(sampleChange('s', revision, new Uint8Array(1)));
  const quotes = await embedded.sessions.issuedQuotes({ since: 0, limit: 100 });
  assert.ok(quotes.length > 0);
  await embedded.controls.setPaused('azul', true, 7);
  await embedded.outcomes.put([sampleOutcome('1'), sampleOutcome('2')]);
  await embedded.owner.set('console_password', 'embedded');
  await assert.rejects(run(), { kind: 'in_use' });
  await embedded.close();

  assert.deepEqual(await run(), { quotes: quotes.length, bookings: 2, pausedBrands: 1 });
  const ledger = createPostgresQuoteLedger({ queries: pool, flushed: async () => {} });
  const nodes = createPostgresOwnerStore(pool);
  assert.deepEqual(await ledger.issuedQuotes({ since: 0, limit: 100 }), quotes);
  const paused = { brand: 'azul', pausedAt: 7, readingRequestedAt: null };
  assert.deepEqual(await nodes.controls.all(), [paused]);

  await nodes.controls.setPaused('azul', false, 9);
  await nodes.owner.set('console_password', 'changed');
  await run();
  assert.deepEqual(new Set(await nodes.controls.all()), new Set([{ ...paused, pausedAt: null }]));
  assert.equal(await nodes.owner.get('console_password'), 'changed');
  assert.equal((await nodes.outcomes.read({ from: 0, before: 9_000, limit: 9 })).length, 2);
  assert.deepEqual(await ledger.issuedQuotes({ since: 0, limit: 100 }), quotes);
});

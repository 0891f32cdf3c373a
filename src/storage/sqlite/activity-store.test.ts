import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { withDatabase } from '../../../test/support/damage-database.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { sampleCount } from '../../analytics/activity-store.contract.ts';

const AT = 1_800_000_000_000;
const DAY = 24 * 60 * 60 * 1000;
const ALL = { from: 0, to: 100 };

it('takes a batch whole or not at all when the disk is full, and takes it again when there is space', async (t) => {
  const { activity, sessions, checkWrites } = await temporaryStorage(t, { maxPages: 60 });
  const many = Array.from({ length: 20_000 }, (_, index) =>
    sampleCount('missing_places', index % 9, { facet: `a place with the number ${index}` }),
  );
  await assert.rejects(activity.add({ id: 'large', at: AT, counts: many }), { kind: 'full' });
  assert.deepEqual(await activity.read({ measures: ['missing_places'], ...ALL }), []);
  await sessions.open(sampleSession('s'));
  assert.equal(await checkWrites(), null, 'counting is no fault of the sessions');
  await activity.add({ id: 'large', at: AT, counts: many.slice(0, 9) });
  assert.equal((await activity.read({ measures: ['missing_places'], ...ALL })).length, 9);
});

it('forgets batches that can no longer be repeated', async (t) => {
  const { activity, directory } = await temporaryStorage(t);
  for (let day = 0; day < 5; day += 1) {
    await activity.add({ id: `batch ${day}`, at: AT + day * DAY, counts: [] });
  }
  const left = withDatabase(join(directory, 'activity.sqlite'), (database) =>
    database.prepare('SELECT id FROM activity_batch ORDER BY id').all(),
  );
  assert.deepEqual(
    left.map(({ id }) => id),
    ['batch 3', 'batch 4'],
  );
});

it('waits for calls under way when it closes, and refuses later ones', async (t) => {
  const { activity, close } = await temporaryStorage(t);
  const adding = activity.add({ id: 'first', at: AT, counts: [sampleCount('sessions', 10)] });
  const reading = activity.span();
  await Promise.all([close(), close()]);
  await adding;
  assert.deepEqual(await reading, { from: 10, to: 10 });
  await assert.rejects(activity.span(), { name: 'StorageFailure', kind: 'closed' });
});

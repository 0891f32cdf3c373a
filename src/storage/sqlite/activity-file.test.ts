import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { overwritePageOf, withDatabase } from '../../../test/support/damage-database.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import {
  openSqliteIn,
  temporaryDirectory,
  temporaryStorage,
} from '../../../test/support/temporary-storage.ts';
import { sampleCount } from '../../analytics/activity-store.contract.ts';
import type { ActivityStore } from '../../analytics/activity-store.ts';
import { sampleOutcome } from '../../analytics/bookings/booking-outcomes.contract.ts';
import { createActivityFile } from './activity-file.ts';
import { openSqliteOwnerStore } from './owner-store.ts';

const AT = 1_800_000_000_000;
const DAY = 24 * 60 * 60 * 1000;

async function add(activity: ActivityStore, id: string, counts = [sampleCount('sessions', 10)], at = AT) {
  await activity.add({ id, at, counts });
}

async function sessionsIn(activity: ActivityStore): Promise<number> {
  const counts = await activity.read({ measures: ['sessions'], from: 0, to: 100 });
  return counts.reduce((sum, { count }) => sum + count, 0);
}

async function storedActivity(t: TestContext) {
  const directory = temporaryDirectory(t);
  const { activity, owner, controls, outcomes, close } = await openSqliteIn(directory);
  await add(activity, 'first');
  await owner.set('console_password', 'secret');
  await controls.setPaused('azul', true, 7);
  await outcomes.put([sampleOutcome('1')]);
  await close();
  return { directory, file: join(directory, 'activity.sqlite') };
}

describe('activity.sqlite', () => {
  it('is not there before something is counted, then for its owner alone, and outlives the process', async (t) => {
    const { directory, file } = await storedActivity(t);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { activity, owner, controls, outcomes, close } = await openSqliteIn(directory);
    t.after(close);
    assert.equal(await sessionsIn(activity), 1);
    assert.equal(await owner.get('console_password'), 'secret');
    assert.deepEqual(await controls.all(), [
      { brand: 'azul', pausedAt: 7, readingRequestedAt: null, confirmedLosses: new Map() },
    ]);
    assert.deepEqual(await outcomes.ofQuote({ nxq: 'none', brand: 'azul' }, 5), []);
    const { directory: untouched } = await temporaryStorage(t);
    assert.ok(!existsSync(join(untouched, 'activity.sqlite')));
  });

  const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
    'bytes that are no database': (file) => writeFileSync(file, 'not the bytes of a database. '.repeat(500)),
    'a lost page': (file) => overwritePageOf(file, 'activity_count'),
    'a database of another program': (file) => {
      writeFileSync(file, '');
      withDatabase(file, (database) => database.exec('CREATE TABLE theirs (a)'));
    },
  };
  for (const [damage, inflict] of Object.entries(DAMAGE)) {
    it(`is set aside and begun anew, and the service runs: ${damage}`, async (t) => {
      const { directory, file } = await storedActivity(t);
      inflict(file);
      const warnings: string[] = [];
      const { activity, owner, sessions, close } = await openSqliteIn(directory, {
        report: (warning) => warnings.push(warning),
      });
      t.after(close);
      await sessions.open(sampleSession('s'));
      await add(activity, 'first');
      assert.equal(await sessionsIn(activity), 1);
      assert.equal(await owner.get('console_password'), null);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        /activity\.sqlite.*renamed to .*activity\.sqlite\.damaged-1\. .*password/,
      );
      assert.ok(existsSync(`${file}.damaged-1`));
    });
  }

  it('is set aside at the next call when damage is met while the service runs', async (t) => {
    const { directory, file } = await storedActivity(t);
    overwritePageOf(file, 'activity_count');
    const warnings: string[] = [];
    const { activity, close } = await openSqliteIn(directory, {
      report: (warning) => warnings.push(warning),
      maxCheckedBytes: 0,
    });
    t.after(close);
    await assert.rejects(add(activity, 'second'), { name: 'StorageFailure', kind: 'corrupt' });
    await add(activity, 'second');
    assert.equal(await sessionsIn(activity), 1);
    assert.equal(warnings.length, 1);
  });

  async function runningOver(t: TestContext) {
    const { directory, file } = await storedActivity(t);
    const warnings: string[] = [];
    const storage = await openSqliteIn(directory, { report: (warning) => warnings.push(warning) });
    t.after(storage.close);
    assert.equal(await storage.owner.get('console_password'), 'secret');
    const takeAway = () => {
      for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`);
    };
    return { ...storage, directory, file, warnings, takeAway };
  }

  it('begins anew when it is taken away while the service runs, and no password of it goes on', async (t) => {
    const { activity, owner, directory, file, warnings, takeAway } = await runningOver(t);
    takeAway();
    assert.equal(await owner.get('console_password'), null);
    await add(activity, 'second');
    assert.equal(await sessionsIn(activity), 1);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /activity\.sqlite was taken away while .* begins anew\. .*password/);
    const beside = openSqliteOwnerStore(directory);
    t.after(beside.close);
    assert.equal(await sessionsIn(beside.activity), 1, 'what is counted is at the path');
  });

  it('is the one that a command made where it was taken away', async (t) => {
    const { owner, directory, warnings, takeAway } = await runningOver(t);
    takeAway();
    const beside = openSqliteOwnerStore(directory);
    await beside.owner.set('console_password', 'another');
    await beside.close();
    assert.equal(await owner.get('console_password'), 'another');
    assert.match(warnings.join(), /activity\.sqlite was replaced while the service ran/);
  });

  it('is the one that it was replaced by while the service runs', async (t) => {
    const { activity, owner, file, warnings } = await runningOver(t);
    const other = await storedActivity(t);
    withDatabase(other.file, (database) => database.exec("UPDATE owner_setting SET value = 'of the copy'"));
    await add(activity, 'second');
    renameSync(other.file, file);
    assert.equal(await owner.get('console_password'), 'of the copy');
    await add(activity, 'third');
    assert.equal(await sessionsIn(activity), 2);
    assert.equal(warnings.length, 1);
  });

  it('is set aside when its bytes are overwritten while the service runs', async (t) => {
    const { activity, owner, file, warnings } = await runningOver(t);
    writeFileSync(file, 'not the bytes of a database. '.repeat(500));
    assert.equal(await owner.get('console_password'), null);
    await add(activity, 'second');
    assert.equal(await sessionsIn(activity), 1);
    assert.ok(existsSync(`${file}.damaged-1`));
    assert.equal(warnings.length, 1);
  });

  it('loses nothing when only its log is taken away while the service runs', async (t) => {
    const { activity, directory, file } = await runningOver(t);
    await add(activity, 'second');
    rmSync(`${file}-wal`);
    await add(activity, 'third');
    assert.equal(await sessionsIn(activity), 3);
    const beside = openSqliteOwnerStore(directory);
    t.after(beside.close);
    assert.equal(await sessionsIn(beside.activity), 3);
  });

  it('is called empty once while it cannot be written, and again when that happens anew', (t) => {
    const file = join(temporaryDirectory(t), 'activity.sqlite');
    writeFileSync(file, '');
    const warnings: string[] = [];
    const report = (warning: string) => void warnings.push(warning);
    const full = createActivityFile({ file, lockTimeoutMs: 0, maxPages: 1 }, report);
    for (let call = 0; call < 3; call += 1) {
      writeFileSync(file, '');
      assert.throws(() => full.call('countSpan', []), { kind: 'full' });
    }
    assert.deepEqual(warnings, [`${file} was empty, and begins anew.`]);
    full.close();

    const working = createActivityFile({ file, lockTimeoutMs: 0 }, report);
    for (let call = 0; call < 2; call += 1) {
      working.close();
      writeFileSync(file, '');
      working.call('countSpan', []);
    }
    working.close();
    assert.equal(warnings.length, 3);
  });

  it('of a newer version is left alone: each call says so, and the service runs', async (t) => {
    const { directory, file } = await storedActivity(t);
    withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
    const { activity, sessions, close } = await openSqliteIn(directory);
    t.after(close);
    await assert.rejects(add(activity, 'second'), { kind: 'unknown_format', message: /newer version/ });
    await sessions.open(sampleSession('s'));
    assert.ok(!existsSync(`${file}.damaged-1`));
  });

  it('takes a batch whole or not at all when the disk is full, and takes it again when there is room', async (t) => {
    const { activity, sessions, checkWrites } = await temporaryStorage(t, { maxPages: 60 });
    await add(activity, 'small');
    const many = Array.from({ length: 20_000 }, (_, index) =>
      sampleCount('missing_places', index % 9, { facet: `a place with the number ${index}` }),
    );
    await assert.rejects(add(activity, 'large', many), { kind: 'full' });
    assert.deepEqual(await activity.read({ measures: ['missing_places'], from: 0, to: 100 }), []);
    await sessions.open(sampleSession('s'));
    assert.equal(await checkWrites(), null, 'counting is no fault of the sessions');
    await add(activity, 'large', [...many.slice(0, 10), sampleCount('sessions', 11)]);
    assert.equal(await sessionsIn(activity), 2);
  });

  it('forgets batches that nobody sends again', async (t) => {
    const { activity, directory } = await temporaryStorage(t);
    for (let day = 0; day < 5; day += 1) await add(activity, `batch ${day}`, [], AT + day * DAY);
    const left = withDatabase(join(directory, 'activity.sqlite'), (database) =>
      database.prepare('SELECT id FROM activity_batch ORDER BY id').all(),
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      ['batch 3', 'batch 4'],
    );
  });

  it('reads by the key alone, and deletes without reading what stays', async (t) => {
    const { activity, directory } = await temporaryStorage(t);
    await add(activity, 'first');
    const plan = withDatabase(join(directory, 'activity.sqlite'), (database) =>
      database
        .prepare(
          `EXPLAIN QUERY PLAN SELECT brand, total(counted) FROM activity_count
           WHERE measure IN (SELECT value FROM json_each('["sessions"]')) AND hour BETWEEN 1 AND 9 GROUP BY brand`,
        )
        .all()
        .map(({ detail }) => detail)
        .join('\n'),
    );
    assert.match(plan, /SEARCH activity_count USING PRIMARY KEY \(measure=\? AND hour>\? AND hour<\?\)/);
  });

  it('waits for calls under way when it closes, and refuses later ones', async (t) => {
    const { activity, close } = await temporaryStorage(t);
    const adding = add(activity, 'first');
    const reading = activity.span();
    await Promise.all([close(), close()]);
    await adding;
    await reading;
    await assert.rejects(activity.span(), { name: 'StorageFailure', kind: 'closed' });
  });
});

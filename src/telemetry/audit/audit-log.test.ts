import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { registryOf } from '../../../test/support/registry-of.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { auditFilesIn } from './audit-files.ts';
import { openAuditLog } from './audit-log.ts';
import { type AuditEntry, type ChainedRecord, registryEntries } from './audit-record.ts';
import { verifyLog } from './verify-log.ts';

const DAY = 24 * 60 * 60_000;
const QUARTER_OF_AN_HOUR = 15 * 60_000;

function request(outcome = 'done', assistant: string | null = 'acme'): AuditEntry {
  const who = assistant === null ? null : { assistant, way: outcome === 'done' ? 'signature' : null };
  return { kind: 'request', who, what: 'search', status: 200, outcome, request: 'req_1' };
}

function aStage(t: TestContext) {
  const directory = temporaryDirectory(t);
  const clock = createFakeClock(Date.UTC(2026, 10, 17, 12));
  const events: string[] = [];
  const hashes: string[] = [];
  const openLog = (more: Partial<Parameters<typeof openAuditLog>[0]> = {}) =>
    openAuditLog({
      ...{ directory, days: 3, clock },
      observe: {
        closed: (_, hash) => void hashes.push(hash),
        torn: (_, bytes) => void events.push(`torn ${bytes}`),
        damaged: (_, line) => void events.push(`damaged ${line}`),
        pruned: (files) => void events.push(`pruned ${files.length}`),
        failed: (error) => void events.push(`failed ${error instanceof Error ? error.message : ''}`),
        lost: (records) => void events.push(`lost ${records}`),
      },
      ...more,
    });
  const write = async (...entries: readonly AuditEntry[]) => {
    const log = openLog();
    entries.forEach(log.record);
    await log.close();
  };
  const files = () => auditFilesIn(directory);
  const pathOf = (at: number) => files().at(at)?.path ?? assert.fail();
  const records = (): readonly ChainedRecord[] =>
    files()
      .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'))
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  const kinds = () => records().map(({ kind }) => kind);
  const verify = (...anchors: readonly string[]) => verifyLog({ directory, anchors });
  const faultNow = async (...anchors: readonly string[]) => {
    const { fault } = await verify(...anchors);
    if (fault === null || fault.kind === 'unknown_anchor') return fault?.kind ?? null;
    return `${fault.kind} ${Number(fault.file.slice(6, 14))}:${fault.line}`;
  };
  return {
    directory,
    clock,
    events,
    hashes,
    openLog,
    write,
    files,
    pathOf,
    records,
    kinds,
    verify,
    faultNow,
  };
}

describe('the audit log', () => {
  it('is one chain over files, which end with the day, at their size and with the process', async (t) => {
    const { clock, openLog, write, files, kinds, verify, hashes } = aStage(t);
    await write(request(), request());
    const log = openLog({ fileBytes: 2000 });
    for (let at = 0; at < 10; at += 1) log.record(request());
    await clock.advance(1000);
    // The disk does not follow the clock of the test: the day ends once all is written.
    while (kinds().length < 14) await new Promise(setImmediate);
    await clock.advance(DAY);
    log.record({ kind: 'stopped' });
    await log.close();
    // One for the first process, one that is full, and one for the new day; old files are looked for in another one.
    const anchors = kinds().filter((kind) => kind === 'anchor').length;
    assert.ok(anchors >= 3 && anchors === files().length, `${anchors}`);
    const { fault, records, hash, lost, torn } = await verify(...hashes);
    assert.deepEqual([fault, records, hash, lost, torn], [null, 13 + anchors, hashes.at(-1), 0, []]);
  });

  it('writes refusals of strangers singly sixty times a minute, and the rest as a sum', async (t) => {
    const { clock, openLog, records } = aStage(t);
    const log = openLog();
    for (let at = 0; at < 100; at += 1) {
      log.record(request('unknown_caller', null));
      log.record(request());
      log.record({ kind: 'console', action: 'sign_in_refused', about: null });
    }
    await clock.advance(60_000);
    log.record(request('unknown_caller', null));
    await log.close();
    const outcomes = records().map((one) => (one.kind === 'request' ? one.outcome : one.kind));
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    assert.deepEqual([count('unknown_caller'), count('done'), count('console')], [61, 100, 60]);
    const [sums] = records().flatMap((one) => (one.kind === 'refusals' ? [one.sums] : []));
    assert.deepEqual(sums, [
      { outcome: 'unknown_caller', assistant: null, requests: 40 },
      { outcome: 'sign_in_refused', assistant: null, requests: 40 },
    ]);
  });

  it('says in the next file how much of a line a crash has left, and never repairs one', async (t) => {
    const { events, write, pathOf, verify, faultNow } = aStage(t);
    await write(request(), request());
    truncateSync(pathOf(0), readFileSync(pathOf(0)).length - 10);
    const [left] = (await verify()).torn;
    await write(request());
    assert.deepEqual(events, [`torn ${left?.bytes}`]);
    assert.deepEqual((await verify()).torn, [left]);
    assert.equal(await faultNow(), null);
    appendFileSync(pathOf(0), 'x');
    assert.equal(await faultNow(), 'unfinished 1:3');
  });

  it('goes on after a file that was changed while it was not looked at, which is found for ever', async (t) => {
    const { events, write, pathOf, faultNow } = aStage(t);
    await write(request(), request());
    const text = readFileSync(pathOf(0), 'utf8');
    writeFileSync(pathOf(0), text.replace(/"acme"(?!.*"acme")/s, '"acne"'));
    await write(request());
    await write(request());
    assert.deepEqual(events, ['damaged 3']);
    assert.equal(await faultNow(), 'changed 1:3');
  });

  it('deletes files beyond its days and megabytes, says so before, and verifies without them', async (t) => {
    const { clock, events, openLog, write, files, kinds, faultNow, pathOf } = aStage(t);
    for (let day = 0; day < 5; day += 1) {
      await write(request());
      clock.stepWallClock(DAY);
    }
    const log = openLog();
    log.record(request());
    await clock.advance(QUARTER_OF_AN_HOUR);
    await log.close();
    assert.deepEqual(
      files().map(({ day }) => day),
      ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'],
    );
    assert.ok(kinds().includes('pruned'));
    assert.equal(await faultNow(), null);
    const limited = openLog({ fileBytes: 1000, maxBytes: 2500 });
    limited.record(request());
    await limited.close();
    assert.deepEqual(events, ['pruned 2', 'pruned 3']);
    assert.equal(await faultNow(), null);
    rmSync(pathOf(0));
    assert.equal(await faultNow(), 'missing_before 7:1');
  });

  it('deletes nothing for age while the clock may be wrong', async (t) => {
    const { clock, openLog, write, files } = aStage(t);
    await write(request());
    const log = openLog();
    log.record(request());
    await clock.advance(QUARTER_OF_AN_HOUR - 1);
    clock.stepWallClock(400 * DAY);
    await clock.advance(1);
    await log.close();
    assert.equal(files().length, 2);
  });

  it('writes every record once when the disk has room again, and says what was lost', async (t) => {
    const { clock, events, openLog, records, faultNow } = aStage(t);
    let isFull = false;
    const openForAppending = async (path: string): Promise<FileHandle> => {
      const handle = await open(path, 'a');
      const appendFile = handle.appendFile.bind(handle);
      handle.appendFile = async (text) => {
        if (!isFull) return appendFile(text);
        // It takes the first record, and a part of the next one.
        await appendFile(String(text).slice(0, String(text).indexOf('\n') + 20));
        throw new Error('full');
      };
      return handle;
    };
    const log = openLog({ openForAppending });
    const send = (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1) {
        log.record({ kind: 'started', node: String(at), version: '' });
      }
    };
    send(0, 2);
    await clock.advance(100);
    while (records().length < 3) await new Promise(setImmediate);
    isFull = true;
    send(2, 3);
    while (!events.includes('failed full')) await clock.advance(5_000);
    for (let tries = 0; tries < 3; tries += 1) await clock.advance(5_000);
    send(5, 20_010);
    isFull = false;
    await clock.advance(5_000);
    await log.close();
    const nodes = records().flatMap((one) => (one.kind === 'started' ? [Number(one.node)] : []));
    assert.deepEqual(
      nodes,
      Array.from(nodes, (_, at) => at),
    );
    const lost = records().flatMap((one) => (one.kind === 'lost' ? [one.records] : []));
    assert.equal(nodes.length + lost.reduce((sum, one) => sum + one, 0), 20_015);
    assert.equal(events.filter((event) => event === 'failed full').length, 1);
    assert.ok(events.includes(`lost ${lost[0]}`));
    assert.equal(await faultNow(), null);
  });

  it('ends although nothing can be written, and counts what that was', async (t) => {
    const { events, openLog } = aStage(t);
    const log = openLog({ openForAppending: () => Promise.reject(new Error('no disk')) });
    log.record(request());
    await log.close();
    assert.deepEqual(events, ['failed no disk', 'lost 1']);
  });
});

describe('verifying a log', () => {
  const threeFiles = async (t: TestContext) => {
    const stage = aStage(t);
    for (const _ of [1, 2, 3]) await stage.write(request(), request());
    return stage;
  };

  it('finds any changed byte, and any removed, doubled or moved line', async (t) => {
    const { pathOf, faultNow, hashes } = await threeFiles(t);
    for (const file of [0, 1, 2]) {
      const whole = readFileSync(pathOf(file));
      for (let at = 0; at < whole.length; at += 41) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ 1;
        writeFileSync(pathOf(file), changed);
        assert.ok(await faultNow(...hashes), `byte ${at} of file ${file}`);
      }
      const lines = whole.toString().split(/(?<=\n)/);
      for (const [at, line] of lines.entries()) {
        const others = lines.toSpliced(at, 1);
        for (const variant of [others, lines.toSpliced(at, 0, line), [...others, line]]) {
          if (variant.join('') === lines.join('')) continue;
          writeFileSync(pathOf(file), variant.join(''));
          assert.ok(await faultNow(...hashes), `line ${at} of file ${file}`);
        }
      }
      writeFileSync(pathOf(file), whole);
      assert.equal(await faultNow(...hashes), null);
    }
  });

  it('finds files that were removed, doubled or renamed, and a rewritten log by a hash that was kept', async (t) => {
    const { directory, files, pathOf, faultNow, hashes } = await threeFiles(t);
    const [one, two, three] = files();
    assert.ok(one && two && three);
    copyFileSync(three.path, `${directory}/audit.00000004.2026-11-17.jsonl`);
    assert.equal(await faultNow(), 'out_of_place 4:1');
    rmSync(pathOf(3));
    renameSync(two.path, `${two.path}.away`);
    assert.equal(await faultNow(), 'missing_before 3:1');
    renameSync(`${two.path}.away`, two.path);
    renameSync(one.path, `${one.path}.away`);
    assert.equal(await faultNow(), 'missing_before 2:1');
    renameSync(`${one.path}.away`, one.path);
    assert.equal(await faultNow(...hashes), null);
    rmSync(three.path);
    assert.deepEqual([await faultNow(), await faultNow(...hashes)], [null, 'unknown_anchor']);
  });
});

it('records changes of the registry, and nothing where it is as it was', () => {
  const one = { id: 'a', name: 'A', status: 'approved', recognised_by: [{ network: ['10.0.0.0/8'] }] };
  const of = (...assistants: Parameters<typeof registryOf>) => registryOf(...assistants).assistants;
  const changes = (before: ReturnType<typeof of>, after: ReturnType<typeof of>) =>
    registryEntries(before, after).flatMap((entry) => (entry.kind === 'registry' ? entry.changes : []));
  assert.deepEqual(changes([], of(one)), [
    { assistant: 'a', from: null, to: 'approved', ways: { added: ['network 10.0.0.0/8'], removed: [] } },
  ]);
  assert.deepEqual(changes(of(one), of(one)), []);
  assert.deepEqual(changes(of(one), []), [{ assistant: 'a', from: 'approved', to: null }]);
  const other = { ...one, name: 'B', status: 'suspended', recognised_by: [{ network: ['10.0.0.0/9'] }] };
  assert.deepEqual(changes(of(one), of(other)), [
    {
      ...{ assistant: 'a', from: 'approved', to: 'suspended', changed: ['name', 'ways'] },
      ways: { added: ['network 10.0.0.0/9'], removed: ['network 10.0.0.0/8'] },
    },
  ]);
  const many = Array.from({ length: 120 }, (_, at) => ({ ...one, id: `a${at}` }));
  assert.equal(registryEntries([], of(...many)).length, 3);
});

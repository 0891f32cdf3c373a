import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { auditFilesIn } from '../../src/telemetry/audit/audit-files.ts';
import { openAuditLog } from '../../src/telemetry/audit/audit-log.ts';
import type { AuditEntry } from '../../src/telemetry/audit/audit-record.ts';
import { chainedLine, NEW_CHAIN } from '../../src/telemetry/audit/audit-record.ts';
import { createCommandStage } from '../support/command-stage.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const NOON = Date.UTC(2026, 10, 17, 12);
const DOCUMENT = readFileSync(new URL('../../docs/audit-log.md', import.meta.url), 'utf8');

function request(assistant: string | null, outcome = 'done'): AuditEntry {
  const who = assistant === null ? null : { assistant, way: outcome === 'done' ? 'signature' : null };
  return { kind: 'request', who, what: 'search', status: who ? 200 : 403, outcome, request: 'req_1' };
}

async function aStage(t: TestContext) {
  const stage = createCommandStage(t);
  const directory = join(stage.directory, 'data', 'audit');
  const write = async (...entries: readonly AuditEntry[]) => {
    const clock = createFakeClock(NOON);
    const hashes: string[] = [];
    const log = openAuditLog({
      ...{ directory, days: 3, clock },
      observe: {
        closed: (_, hash) => void hashes.push(hash),
        ...{ torn() {}, damaged() {}, pruned() {} },
        failed: assert.fail,
        lost: () => assert.fail(),
      },
    });
    entries.forEach(log.record);
    await log.close();
    return hashes[0] ?? '';
  };
  return { ...stage, directory, write };
}

describe('staywire audit verify', () => {
  it('says that a log holds together, and up to which hash', async (t) => {
    const { run, write } = await aStage(t);
    const kept = await write({ kind: 'started', node: 'a', version: '1' }, request('acme'));
    const last = await write({ kind: 'stopped' });
    const { code, output } = await run(['audit', 'verify']);
    assert.equal(code, 0);
    assert.match(output, /The log holds together\.\n {2}records +5 in 2 files, 2026-11-17T12:00:00\.000Z to/);
    assert.ok(output.includes(last) && output.includes('Keep the last hash elsewhere'));
    const again = await run(['audit', 'verify', '--anchor', kept, last.toUpperCase(), '--json']);
    assert.equal(again.code, 0);
    const { intact, fault, files, records, hash } = JSON.parse(again.output);
    assert.deepEqual([intact, fault, files, records, hash], [true, null, 2, 5, last]);
  });

  it('names the first fault, and exits with 1', async (t) => {
    const { run, write, directory } = await aStage(t);
    await write(request('acme'), request('acme'), request(null, 'unknown_caller'));
    const file = auditFilesIn(directory)[0];
    assert.ok(file);
    writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('"unknown_caller"', '"done"'));
    const { code, output } = await run(['audit', 'verify', '--dir', 'data/audit']);
    assert.equal(code, 1);
    assert.match(output, /✖ audit\.00000001\.2026-11-17\.jsonl, line 4: it is not as it was written\./);
    const json = JSON.parse((await run(['audit', 'verify', '--json'])).output);
    assert.deepEqual(json.fault, { kind: 'changed', file: file.name, line: 4 });
  });

  it('says what is wrong with its options, and where there is no log', async (t) => {
    const { run, write } = await aStage(t);
    const none = await run(['audit', 'verify']);
    assert.equal(none.code, 2);
    assert.match(none.notes, /There is no audit log in/);
    await write(request('acme'));
    assert.equal((await run(['audit', 'verify', '--anchor', 'abc'])).code, 2);
    for (const lines of ['0', '1.5', '100001', 'all']) {
      assert.match((await run(['audit', 'tail', '-n', lines])).notes, /--lines is a whole number/, lines);
    }
  });
});

describe('staywire audit tail', () => {
  it('prints the last records of all or of one assistant, on a line each', async (t) => {
    const { run, write } = await aStage(t);
    await write(
      { kind: 'registry', changes: [{ assistant: 'acme', from: null, to: 'approved' }], start: true },
      { ...request('other'), what: 'mcp', tools: ['search_stays'] } as AuditEntry,
      { kind: 'console', action: 'paused', about: 'acme' },
    );
    await write(
      { kind: 'console', action: 'suspended', about: 'acme' },
      request(null, 'unknown_caller'),
      request('acme', 'suspended'),
      { kind: 'refusals', sums: [{ outcome: 'suspended', assistant: 'acme', requests: 7 }] },
    );
    const all = await run(['audit', 'tail', '-n', '5']);
    assert.deepEqual(all.output.split('\n'), [
      '2026-11-17 12:00:00.000  console  action "paused"  about "acme"',
      '2026-11-17 12:00:00.000  console  action "suspended"  about "acme"',
      '2026-11-17 12:00:00.000  stranger  search  403 unknown_caller  req_1',
      '2026-11-17 12:00:00.000  acme (refused)  search  200 suspended  req_1',
      '2026-11-17 12:00:00.000  refusals  sums [{"outcome":"suspended","assistant":"acme","requests":7}]',
    ]);
    const json = JSON.parse((await run(['audit', 'tail', '--assistant', 'acme', '--json'])).output);
    assert.deepEqual(
      json.records.map(({ kind }: AuditEntry) => kind),
      ['registry', 'console', 'request', 'refusals'],
    );
    const none = await run(['audit', 'tail', '--assistant', 'nobody']);
    assert.equal(none.output, 'There are no such records.');
  });
});

describe('the document of the audit log', () => {
  it('verifies a log with standard tools, and finds a change', async (t) => {
    const { write, directory } = await aStage(t);
    await write({ kind: 'started', node: 'ü', version: '1' }, request('acme'), request(null, 'browser'));
    await write(request('acme'), { kind: 'stopped' });
    const [, script] = /```sh\n# verify by hand\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
    assert.ok(script);
    const byHand = () => execFileSync('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
    assert.equal(byHand().trim().split('\n').at(-1), '7 records hold together');
    const [first] = auditFilesIn(directory);
    assert.ok(first);
    writeFileSync(first.path, readFileSync(first.path, 'utf8').replace('"acme"', '"acne"'));
    assert.throws(byHand, /line 3 was changed/);
  });

  it('shows a record as it is written', () => {
    const shown = [...DOCUMENT.matchAll(/^\{"prev".*\}$/gm)].map(([line]) => line);
    assert.ok(shown.length >= 3);
    let chain = NEW_CHAIN;
    for (const line of shown) {
      const { prev, seq, at, hash, ...entry } = JSON.parse(line);
      const { text, end } = chainedLine(chain, { at: Date.parse(at), ...entry });
      assert.equal(`${line}\n`, text);
      chain = end;
    }
    assert.ok(DOCUMENT.includes(`staywire audit verify --anchor ${chain.hash}\n`));
  });
});

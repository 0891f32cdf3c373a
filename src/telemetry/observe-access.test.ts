import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import type { PublishedAddress } from '../access/published/published-document.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createPublishedObserver, createRegistryObserver, createRiskWarnings } from './observe-access.ts';

test('the owner learns what became of a registry, and whether the one that was written last is in force', async () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    clock: createFakeClock(0),
    destination: { write: (line) => void lines.push(line) },
  });
  const metrics = createMetrics();
  const observe = createRegistryObserver({
    ...{ log, metrics, where: '/data/assistants.json' },
    copy: { path: '/data/assistants-in-force.json' },
  });
  const inForce = async () =>
    /^staywire_registry_in_force(?:\{.*\})? (\d)$/m.exec(await metrics.render())?.[1];
  assert.equal(await inForce(), '1', 'a start goes by what it has read');
  observe({ kind: 'faulty', faults: ['assistants[0].id: is missing'] });
  assert.equal(await inForce(), '0');
  assert.match(
    lines.join(''),
    /"faults":\["assistants\[0\]\.id: is missing"\].*the last good one stays in force, and a restart will fail until they are mended/,
  );
  observe({ kind: 'taken', registry: { assistants: [] } });
  assert.match(
    lines.at(-1) ?? '',
    /"level":"warn".*approves nobody: only callers of STAYWIRE_TRUSTED_NETWORKS/,
  );
  assert.equal(await inForce(), '1');
  for (const event of [{ kind: 'missing' }, { kind: 'unreachable', message: 'no answer' }] as const) {
    observe(event);
    assert.equal(await inForce(), '0');
  }
  assert.match(lines.at(-1) ?? '', /no answer/);
  assert.match(
    lines.at(-2) ?? '',
    /gone: there is none in \/data\/assistants\.json any more\. The last one stays in force\. To put it back: staywire assistants store \/data\/assistants-in-force\.json\. .*\{\\"assistants\\": \[\]\}/,
  );
  observe({ kind: 'none' });
  assert.equal(await inForce(), '1');
});

const KEYS: PublishedAddress = { kind: 'keys', url: 'https://assistant.example/keys?secret=1#part' };

const DAY = 86_400_000;
const COPY = { source: 'copy', ageMs: 2 * DAY } as const;

function setUp() {
  const clock = createFakeClock(Date.parse('2026-11-17T04:30:00Z'));
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'info',
    clock,
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  const metrics = createMetrics();
  return { clock, lines, observe: createPublishedObserver({ metrics, log, clock }) };
}

describe('the observer of published documents', () => {
  it('logs a failure once an hour, another one at once, and its end', async () => {
    const { observe, lines, clock } = setUp();
    for (let minutes = 0; minutes < 120; minutes += 5) {
      observe.failed(KEYS, { failure: 'timeout', detail: 'did not come whole in time', used: COPY });
      await clock.advance(5 * 60_000);
    }
    assert.equal(lines.length, 2);
    observe.failed(KEYS, { failure: 'unreadable', detail: 'is not valid JSON', used: COPY });
    assert.equal(lines.length, 3);
    assert.deepEqual([lines[2]?.failure, lines[2]?.detail], ['unreadable', 'is not valid JSON']);
    observe.fetched(KEYS, { hasChanged: false, count: 1, dropped: 0 });
    assert.equal(lines.length, 4);
    observe.fetched(KEYS, { hasChanged: false, count: 1, dropped: 0 });
    assert.equal(lines.length, 4);
  });

  it('says what stands in for a document that could not be fetched', () => {
    for (const [used, said, days] of [
      [COPY, /the last good copy stays$/, 2],
      [{ source: 'fetch', ageMs: 0 }, /the last good copy stays$/, 0],
      [null, /there is no copy that may be used, so nobody is recognised by it$/, undefined],
    ] as const) {
      const { observe, lines } = setUp();
      observe.failed(KEYS, { failure: 'timeout', detail: '', used });
      assert.match(String(lines[0]?.msg), said);
      assert.equal(lines[0]?.days, days);
    }
  });
});

const entry = (id: string, ...network: string[]) => ({
  ...{ id, name: id, status: 'approved' },
  recognised_by: [{ network }],
});

test('the owner is warned of each way that lets in others, once, until it has gone', () => {
  const lines: { level: string; assistant: string; risk: string; msg: string }[] = [];
  const log = createLog({
    level: 'warn',
    clock: createFakeClock(0),
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const warn = createRiskWarnings({ log });
  const taken = (...entries: object[]) => {
    lines.length = 0;
    warn(registryOf(...entries));
    return lines.map(({ level, assistant, risk }) => `${level} ${assistant}: ${risk}`);
  };
  const open = 'warn open: 0.0.0.0/0 is every address there is.';
  assert.deepEqual(taken(entry('narrow', '10.1.0.0/16'), entry('open', '0.0.0.0/0')), [open]);
  assert.match(lines[0]?.msg ?? '', /staywire assistants suspend open$/);
  const loopback = taken(entry('open', '0.0.0.0/0'), entry('narrow', '127.0.0.1'));
  assert.equal(loopback.length, 1);
  assert.match(loopback[0] ?? '', /^warn narrow: 127\.0\.0\.1 reaches this machine itself/);
  assert.deepEqual(taken({ ...entry('open', '0.0.0.0/0'), status: 'suspended' }), []);
  assert.deepEqual(taken(entry('open', '0.0.0.0/0')), [open], 'approved again');
});

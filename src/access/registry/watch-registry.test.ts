import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { readAssistantRegistry } from './assistant-registry.ts';
import { documentOf, type RegistryDocument } from './registry-source.ts';
import { watchRegistry } from './watch-registry.ts';

/** Not taken from the code: owners are promised that a change is in force within three seconds, on all nodes. */
const LOOK_EVERY_MS = 1000;
const START = Date.parse('2026-11-17T04:30:00Z');

function registryText(status: string, ways: unknown = [{ network: ['192.0.2.1'] }]): string {
  return JSON.stringify({ assistants: [{ id: 'a', name: 'A', status, recognised_by: ways }] });
}

/** A watch over a source whose answer a test sets: a text, none, or a failure. */
function watched(
  t: TestContext,
  { startedWith = registryText('approved') as string | null, folder = '/' } = {},
) {
  const clock = createFakeClock(START);
  let answer: RegistryDocument | null | Error = startedWith === null ? null : documentOf(startedWith);
  let looks = 0;
  const read = ({ text }: RegistryDocument) => readAssistantRegistry(text, { folder, catalogue: [] });
  const first = answer && read(answer);
  const current = {
    version: answer === null ? null : answer.version,
    registry: first?.kind === 'valid' ? first.value : null,
  };
  const statuses: string[] = [];
  const told: string[] = [];
  const watch = watchRegistry({
    source: {
      async read() {
        looks += 1;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    read,
    current,
    clock,
    onChange: ({ assistants }) => void statuses.push(assistants[0]?.status ?? 'nobody'),
    observe: ({ kind }) => void told.push(kind),
  });
  t.after(() => watch.close());
  return {
    clock,
    watch,
    statuses,
    told,
    looks: () => looks,
    /** Sets the answer, and lets the watch look a few times. */
    async sees(next: string | null | Error, times = 3): Promise<void> {
      answer = typeof next === 'string' ? documentOf(next) : next;
      await clock.advance(times * LOOK_EVERY_MS);
    },
  };
}

describe('the watch over the registry', () => {
  it('looks at once when it is told to, and once a second as before', async (t) => {
    const { sees, watch, clock, statuses, looks } = watched(t);
    await sees(registryText('suspended'), 0);
    await watch.look();
    assert.deepEqual([looks(), statuses], [1, ['suspended']]);
    await clock.advance(3 * LOOK_EVERY_MS);
    assert.equal(looks(), 4);
    await watch.close();
    await watch.look();
    assert.equal(looks(), 4);
  });

  it('does not take for the newest what a look that is under way has read before', async (t) => {
    const clock = createFakeClock(START);
    const answers = [Promise.withResolvers<RegistryDocument>(), Promise.withResolvers<RegistryDocument>()];
    const statuses: string[] = [];
    let looks = 0;
    const watch = watchRegistry({
      source: {
        async read() {
          looks += 1;
          const answer = answers[looks - 1];
          assert.ok(answer);
          return answer.promise;
        },
      },
      read: ({ text }) => readAssistantRegistry(text, { folder: '/', catalogue: [] }),
      current: { version: null, registry: null },
      clock,
      onChange: ({ assistants }) => void statuses.push(assistants[0]?.status ?? 'nobody'),
      observe: () => undefined,
    });
    t.after(() => watch.close());
    await clock.advance(LOOK_EVERY_MS);
    const looked = watch.look();
    answers[0]?.resolve(documentOf(registryText('approved')));
    answers[1]?.resolve(documentOf(registryText('suspended')));
    await looked;
    assert.deepEqual([looks, statuses], [2, ['approved', 'suspended']]);
  });

  it('takes a change at its next look, and tells of each once', async (t) => {
    const { sees, statuses, told, looks } = watched(t);
    await sees(registryText('approved'));
    assert.deepEqual([looks(), statuses, told], [3, [], []]);
    await sees(registryText('suspended'), 1);
    assert.deepEqual([statuses, told], [['suspended'], ['taken']]);
    await sees(registryText('suspended'));
    await sees(registryText('approved'), 1);
    assert.deepEqual(
      [statuses, told],
      [
        ['suspended', 'approved'],
        ['taken', 'taken'],
      ],
    );
  });

  it('takes one that was not there at the start', async (t) => {
    const { sees, statuses, told } = watched(t, { startedWith: null });
    await sees(null);
    assert.deepEqual(told, []);
    await sees(registryText('approved'));
    assert.deepEqual([statuses, told], [['approved'], ['taken']]);
  });

  it('keeps the last good one while a document has faults, and tells of each content once', async (t) => {
    const { sees, statuses, told } = watched(t);
    await sees(registryText('paused'));
    await sees('{', 5);
    assert.deepEqual([statuses, told], [[], ['faulty', 'faulty']]);
    // Mended: it says what is in force already, and the owner hears that it is.
    await sees(registryText('approved'));
    assert.deepEqual([statuses, told.slice(2)], [[], ['taken']]);
    await sees(registryText('suspended'));
    assert.deepEqual([statuses, told.slice(3)], [['suspended'], ['taken']]);
  });

  it('keeps the last good one while the source is out of reach, and tells of each outage once', async (t) => {
    const { sees, statuses, told } = watched(t);
    for (const round of [1, 2]) {
      await sees(new Error('connection refused'), 5);
      await sees(registryText('approved'));
      assert.deepEqual([statuses, told], [[], Array(round).fill(['unreachable', 'taken']).flat()]);
    }
    await sees(new Error('connection refused'));
    await sees(registryText('suspended'));
    assert.deepEqual(statuses, ['suspended']);
  });

  it('keeps the last good one when the document is gone, and approves nobody when it lists nobody', async (t) => {
    const { sees, statuses, told } = watched(t);
    await sees(null);
    assert.deepEqual([statuses, told], [[], ['missing']]);
    await sees('{ "assistants": [] }');
    assert.deepEqual([statuses, told], [['nobody'], ['missing', 'taken']]);
  });

  it('gives up a look that is not answered, asks nobody twice at once, and goes on once there is an answer', async () => {
    const clock = createFakeClock(START);
    const asked: PromiseWithResolvers<RegistryDocument | null>[] = [];
    const seen: string[] = [];
    const watch = watchRegistry({
      source: {
        read() {
          const answer = Promise.withResolvers<RegistryDocument | null>();
          asked.push(answer);
          return answer.promise;
        },
      },
      read: ({ text }) => readAssistantRegistry(text, { folder: '/', catalogue: [] }),
      current: { version: null, registry: null },
      clock,
      onChange: ({ assistants }) => void seen.push(assistants[0]?.status ?? 'nobody'),
      observe: (event) => void seen.push(event.kind === 'unreachable' ? event.message : event.kind),
    });
    await clock.advance(60 * LOOK_EVERY_MS);
    assert.deepEqual([asked.length, seen], [1, ['there is no answer']]);
    asked[0]?.resolve(documentOf(registryText('suspended')));
    await clock.advance(LOOK_EVERY_MS);
    assert.deepEqual(seen.slice(1), ['suspended', 'taken']);
    await clock.advance(LOOK_EVERY_MS);
    assert.equal(asked.length, 2);
    // The second is never answered, and closing waits for nobody.
    await watch.close();
    assert.equal(clock.pendingTimers, 0);
  });

  it('tells that all is well again after an outage where there never was one', async (t) => {
    const { sees, told } = watched(t, { startedWith: null });
    await sees(new Error('away'));
    await sees(null);
    assert.deepEqual(told, ['unreachable', 'none']);
    await sees(null);
    assert.equal(told.length, 2);
  });

  it('takes a list of ranges that has changed beside it within a minute', async (t) => {
    const folder = temporaryDirectory(t);
    const write = (cidr: string) => writeFileSync(join(folder, 'ranges.json'), JSON.stringify([cidr]));
    write('192.0.2.0/24');
    const text = registryText('approved', [{ user_agent: 'A-User', ranges_file: 'ranges.json' }]);
    const { sees, statuses } = watched(t, { startedWith: text, folder });
    await sees(text, 120);
    assert.deepEqual(statuses, []);
    write('198.51.100.0/24');
    await sees(text, 60);
    assert.deepEqual(statuses, ['approved']);
  });

  it('looks no more once it is closed, and takes nothing of a look that was under way', async (t) => {
    const { sees, watch, clock, statuses, looks } = watched(t);
    await sees(registryText('approved'), 1);
    await watch.close();
    await sees(registryText('suspended'), 10);
    assert.deepEqual([statuses, looks(), clock.pendingTimers], [[], 1, 0]);
  });
});

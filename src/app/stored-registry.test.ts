import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import type { RegisteredAssistants } from '../access/registry/registered-assistants.ts';
import { documentOf, type RegistrySource } from '../access/registry/registry-source.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { openRegisteredAssistants } from './configuration.ts';

const registryText = (status: string) =>
  JSON.stringify({
    assistants: [{ id: 'a', name: 'A', status, recognised_by: [{ network: ['192.0.2.1'] }] }],
  });

function opened(env: Record<string, string>, source?: RegistrySource): RegisteredAssistants {
  const reading = openRegisteredAssistants(env, {
    catalogue: [],
    openPostgres: () => source ?? assert.fail('PostgreSQL is not asked'),
  });
  assert.equal(reading.kind, 'valid');
  return reading.value;
}

/** PostgreSQL as far as the registry knows it: a text, none, or a failure. */
function scripted(t: TestContext, text: string | null) {
  const directory = join(temporaryDirectory(t), 'data');
  const state: { answer: string | null | Error } = { answer: text };
  const source: RegistrySource = {
    async read() {
      if (state.answer instanceof Error) throw state.answer;
      return state.answer === null ? null : documentOf(state.answer);
    },
    replace: async () => 'replaced',
    close: async () => {},
  };
  const env = { STAYWIRE_DATA_DIR: directory, STAYWIRE_POSTGRES_URL: 'postgres://u:secret@db/staywire' };
  const copy = join(directory, 'network', 'assistants.json');
  return { directory, state, copy, assistants: opened(env, source) };
}

const DOWN = new StorageFailure('unreachable', 'PostgreSQL does not answer.');

describe('where the registry is', () => {
  const servers = { STAYWIRE_POSTGRES_URL: 'postgres://u:secret@db/staywire' };

  it('is the file that is named, else PostgreSQL, else the folder of the data', (t) => {
    const directory = temporaryDirectory(t);
    const data = { STAYWIRE_DATA_DIR: directory };
    const file = { STAYWIRE_ASSISTANTS: join(directory, 'ours.json') };
    const source: RegistrySource = {
      read: async () => null,
      replace: async () => 'replaced',
      close: async () => {},
    };
    assert.equal(opened({ ...data, ...servers, ...file }).where, join(directory, 'ours.json'));
    assert.equal(opened({ ...data, ...servers }, source).where, 'PostgreSQL');
    assert.equal(opened(data).where, join(directory, 'assistants.json'));
  });
});

describe('a start with a registry in a file', () => {
  it('bears that there is none in the folder of the data, and not that a named one is missing', async (t) => {
    const directory = temporaryDirectory(t);
    assert.deepEqual(await opened({ STAYWIRE_DATA_DIR: directory }).readAtStart(), {
      kind: 'valid',
      value: { registry: null, version: null, warning: null },
    });
    const missing = await opened({ STAYWIRE_ASSISTANTS: join(directory, 'ours.json') }).readAtStart();
    assert.equal(missing.kind, 'invalid');
    assert.match(missing.faults.join(), /ours\.json: there is no such file; staywire assistants approve/);
    mkdirSync(join(directory, 'assistants.json'));
    const folder = await opened({ STAYWIRE_DATA_DIR: directory }).readAtStart();
    assert.equal(folder.kind, 'invalid');
    assert.match(folder.faults.join(), /assistants\.json: cannot be read: it is a folder/);
    // What is wrong with the folder of the data is said by whoever opens it.
    writeFileSync(join(directory, 'a-file'), '');
    const file = await opened({ STAYWIRE_DATA_DIR: join(directory, 'a-file') }).readAtStart();
    assert.ok(file.kind === 'valid' && file.value.warning === null);
  });
});

describe('a registry that is gone', () => {
  const inFile = (t: TestContext) => {
    const directory = temporaryDirectory(t);
    const path = join(directory, 'assistants.json');
    writeFileSync(path, registryText('suspended'));
    const copy = join(directory, 'assistants-in-force.json');
    return { env: { STAYWIRE_DATA_DIR: directory }, path, copy, gone: () => rmSync(path) };
  };
  const start = async (assistants: RegisteredAssistants) => {
    const reading = await assistants.readAtStart();
    return reading.kind === 'valid' ? reading.value : assert.fail(reading.faults.join());
  };

  it('leaves its suspensions in force at the next start, by the copy that was kept', async (t) => {
    const file = inFile(t);
    const database = scripted(t, registryText('suspended'));
    for (const { assistants, copy, gone, where } of [
      { ...file, assistants: opened(file.env), where: file.path },
      { ...database, gone: () => void Object.assign(database.state, { answer: null }), where: 'PostgreSQL' },
    ]) {
      const before = await start(assistants);
      assert.doesNotMatch(before.warning ?? '', /gone/);
      assert.equal(statSync(copy).mode & 0o777, 0o600);
      gone();
      const after = await start(assistants);
      assert.deepEqual([after.registry, after.version], [before.registry, null]);
      for (const part of [
        `there is none in ${where} any more`,
        `assistants store ${copy}`,
        'delete that copy',
      ])
        assert.ok(after.warning?.includes(part), after.warning ?? 'no warning');
      writeFileSync(copy, '{');
      const damaged = await assistants.readAtStart();
      assert.ok(damaged.kind === 'invalid');
      assert.match(
        damaged.faults.join(),
        /gone: .* cannot be used: is not valid JSON.*or delete it to begin anew/,
      );
      rmSync(copy);
      assert.deepEqual(await start(assistants), { registry: null, version: null, warning: null });
    }
  });

  it('is copied again whenever another one is in force, with all that the owner wrote', async (t) => {
    const { env, path, copy } = inFile(t);
    const assistants = opened(env);
    const looks: Promise<unknown>[] = [];
    const { read } = assistants.source;
    Object.assign(assistants.source, {
      read() {
        const look = read();
        looks.push(look);
        return look;
      },
    });
    // Looks leave the process, and time stands still until they are back.
    const clock = createFakeClock(0, async () => {
      await Promise.all(looks.splice(0));
      await new Promise<void>((resolve) => setImmediate(resolve));
    });
    const watch = assistants.watch({
      ...{ since: await start(assistants), clock, onChange: () => {}, observe: () => {} },
      onCopyFailed: (message) => assert.fail(message),
    });
    t.after(() => watch.close());
    for (const text of [registryText('approved'), `${registryText('approved')} // as agreed`]) {
      writeFileSync(path, text);
      await clock.advance(1000);
      assert.equal(readFileSync(copy, 'utf8'), text);
    }
    writeFileSync(path, '{');
    await clock.advance(3000);
    assert.match(readFileSync(copy, 'utf8'), /as agreed/);
  });
});

describe('a start with a registry in PostgreSQL', () => {
  it('keeps a copy, and goes by it while PostgreSQL is down', async (t) => {
    const { assistants, state, copy } = scripted(t, registryText('approved'));
    const first = await assistants.readAtStart();
    assert.ok(first.kind === 'valid' && first.value.warning === null && first.value.version !== null);
    assert.equal(readFileSync(copy, 'utf8'), registryText('approved'));
    state.answer = DOWN;
    const later = await assistants.readAtStart();
    assert.equal(later.kind, 'valid');
    assert.deepEqual(later.value.registry, first.value.registry);
    assert.equal(later.value.version, null);
    assert.match(later.value.warning ?? '', /does not answer\. Assistants are approved by the copy/);
  });

  it('says so where there is no copy, and refuses what it cannot work with', async (t) => {
    const { assistants, state } = scripted(t, null);
    state.answer = DOWN;
    const without = await assistants.readAtStart();
    assert.ok(without.kind === 'valid' && without.value.registry === null);
    assert.match(without.value.warning ?? '', /has no copy of the registry/);
    state.answer = new StorageFailure('unknown_format', 'A later release has changed the database.');
    const refused = await assistants.readAtStart();
    assert.equal(refused.kind, 'invalid');
    assert.match(refused.faults.join(), /the registry in PostgreSQL: cannot be read: A later release/);
    state.answer = '{';
    const faulty = await assistants.readAtStart();
    assert.equal(faulty.kind, 'invalid');
    assert.match(faulty.faults.join(), /^the registry in PostgreSQL: is not valid JSON/);
  });

  it('is watched from the copy on; the copy is always the last good one', async (t) => {
    const { assistants, state, copy } = scripted(t, registryText('approved'));
    await assistants.readAtStart();
    state.answer = DOWN;
    const since = await assistants.readAtStart();
    assert.equal(since.kind, 'valid');
    const clock = createFakeClock(0);
    const statuses: unknown[] = [];
    const told: string[] = [];
    const watch = assistants.watch({
      since: since.value,
      clock,
      onChange: (registry) => statuses.push(registry.assistants[0]?.status),
      observe: ({ kind }) => told.push(kind),
      onCopyFailed: (message) => assert.fail(message),
    });
    t.after(() => watch.close());
    await clock.advance(3000);
    state.answer = registryText('suspended');
    await clock.advance(1000);
    state.answer = '{';
    await clock.advance(3000);
    assert.deepEqual([statuses, told], [['suspended'], ['unreachable', 'taken', 'faulty']]);
    assert.ok(existsSync(copy));
    assert.equal(readFileSync(copy, 'utf8'), registryText('suspended'));
  });
});

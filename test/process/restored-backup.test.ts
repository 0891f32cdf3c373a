import assert from 'node:assert/strict';
import { appendFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { isPasswordOf } from '../../src/access/owner-settings.ts';
import { type BackupEntry, FILES_NOT_TO_BACK_UP, FILES_TO_BACK_UP } from '../../src/app/documents.ts';
import { systemClock } from '../../src/clock.ts';
import { formatDay } from '../../src/stay/day.ts';
import { openOwnerStore } from '../../src/storage/stores.ts';
import { aHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startCommand, temporaryFolder } from '../support/command-line.ts';
import { addPlaces, type CommandStage, createCommandStage } from '../support/command-stage.ts';
import { freePort } from '../support/free-port.ts';
import { plainListing } from '../support/plain-listing.ts';

const PASSWORD = 'correct horse battery';
const dayIn = (days: number) => formatDay(Math.floor(Date.now() / 86_400_000) + days);

it('a backup of the listed files, taken while the service runs, is a service that goes on', async (t) => {
  const original = await setUpNetwork(t);
  const service = await serve(t, original);
  const session = await search(service.origin);
  const result = await resultOf(service.origin, session);
  assert.equal(JSON.parse(result).comparison_set.options_count, 2, 'one home of each brand');

  const backup = temporaryFolder(t);
  for (const entry of FILES_TO_BACK_UP) backUp(entry, original, backup);
  const known = [...FILES_TO_BACK_UP.flatMap(({ files }) => files), ...FILES_NOT_TO_BACK_UP];
  const unknown = filesIn(original).filter((file) => !known.some((pattern) => matchesGlob(file, pattern)));
  assert.deepEqual(unknown, [], 'files that no list names');
  await service.stop();
  rmSync(original, { recursive: true });

  const needed = FILES_TO_BACK_UP.filter(({ isNeededToStart }) => isNeededToStart);
  for (const entry of needed) {
    const { code, notes } = await restore(t, backup, [entry]).run(['serve']);
    assert.equal(code, 2, `it starts without ${entry.files}: ${notes}`);
  }
  const theRest = FILES_TO_BACK_UP.filter((entry) => !needed.includes(entry));
  const bare = await serve(t, restore(t, backup, theRest).directory);
  await search(bare.origin);
  await bare.stop();

  const copy = restore(t, backup, []);
  const restored = await serve(t, copy.directory);
  assert.equal(await resultOf(restored.origin, session), result);
  await restored.stop();
  const { owner, close } = await openOwnerStore({
    store: 'sqlite',
    dataDirectory: join(copy.directory, 'data'),
    postgresUrl: null,
  });
  assert.ok(await isPasswordOf(PASSWORD, (await owner.get('console_password')) ?? ''));
  await close();
  const { code, output } = await copy.run(['audit', 'verify']);
  assert.equal(code, 0, output);
});

/** A network that has every kind of file. */
async function setUpNetwork(t: TestContext): Promise<string> {
  const { directory, run: runCommand } = createCommandStage(t);
  const hostaway = await startHostaway({ now: Date.now, limits: 'off', homes: [aHome({ id: 1 })] });
  t.after(() => hostaway.close());
  const run = async (words: readonly string[], input = '') => {
    const { code, notes } = await runCommand(words, { input, tools: { clock: systemClock } });
    assert.equal(code, 0, `staywire ${words.join(' ')}\n${notes}`);
  };
  await run(['init', '--name', 'Atlantic', '--contact', 'us@atlantic.example']);
  addPlaces(directory);
  await run(['signing-keys', 'create']);
  appendFileSync(
    join(directory, '.env'),
    'STAYWIRE_PUBLIC_URL=https://stays.example\nSTAYWIRE_SIGNING_KEYS=signing-keys.json\n',
  );
  await run(
    [
      ...['connect', 'harbor', '--system', 'hostaway'],
      ...['--set', `url=${hostaway.url}`, 'rate_limits=[{"requests":1000,"seconds":1}]'],
      ...['--host', hostaway.websiteHost, '--secrets-from-stdin'],
    ],
    JSON.stringify(hostaway.credentials),
  );
  const period = { from: dayIn(0), to: dayIn(300), available: true, price: '100.00' };
  const lines = [
    { type: 'property', ...plainListing, reference: 'a', place: 'Lisbon' },
    { type: 'calendar', property: 'a', periods: [period] },
  ];
  const homes = join(temporaryFolder(t), 'homes.jsonl');
  writeFileSync(homes, lines.map((line) => JSON.stringify(line)).join('\n'));
  const host = new URL(plainListing.url).host;
  await run(['import', 'plain', homes, '--brand', 'casas', '--host', host]);
  await run(['assistants', 'approve', 'acme', '--name', 'Acme', '--network', '127.0.0.1', '--force']);
  await run(['sync']);
  await run(['console', 'password', '--password-from-stdin'], PASSWORD);
  return directory;
}

/** The backup in a folder of its own, without some of its files. */
function restore(t: TestContext, backup: string, without: readonly BackupEntry[]): CommandStage {
  const stage = createCommandStage(t);
  cpSync(backup, stage.directory, { recursive: true });
  for (const { files } of without) {
    for (const file of filesIn(stage.directory, files)) rmSync(join(stage.directory, file));
  }
  return stage;
}

async function serve(t: TestContext, directory: string) {
  const port = await freePort();
  const { child, said, ended } = startCommand(['serve', '--port', String(port)], {
    directory,
  });
  t.after(() => child.kill('SIGKILL'));
  await said(/Staywire serves Atlantic/);
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    },
  };
}

async function search(origin: string): Promise<string> {
  const { session } = (await (await fetch(`${origin}/ai/v1/auth`)).json()) as { session: string };
  const stay = { destination: 'Lisbon', check_in_day: dayIn(40), check_out: dayIn(44), guests: '2' };
  const parameters = new URLSearchParams({ session, ...stay });
  const answer = await (await fetch(`${origin}/ai/v1/search?${parameters}`)).text();
  assert.equal(JSON.parse(answer).object, 'search_result', answer);
  return session;
}

async function resultOf(origin: string, session: string): Promise<string> {
  return (await fetch(`${origin}/ai/v1/result?session=${session}`)).text();
}

function filesIn(folder: string, patterns: readonly string[] = ['**', '.env']): readonly string[] {
  return patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
  );
}

/** As the documents say: databases by SQLite, all others as they are. */
function backUp({ files }: BackupEntry, from: string, to: string): void {
  const found = filesIn(from, files);
  assert.ok(found.length > 0, `no file is ${files}`);
  for (const file of found) {
    const copy = join(to, file);
    mkdirSync(dirname(copy), { recursive: true });
    if (!file.endsWith('.sqlite')) cpSync(join(from, file), copy);
    else {
      const database = new DatabaseSync(join(from, file), { readOnly: true });
      database.exec(`VACUUM INTO '${copy}'`);
      database.close();
    }
  }
}

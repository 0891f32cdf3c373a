import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'jsonc-parser';
import type { Progress } from '../../src/cli/terminal.ts';
import { lockFile } from '../../src/parsing/file-lock.ts';
import { createVendorClock } from '../connectors/vendor-clock.ts';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';
import { plainListing } from '../support/plain-listing.ts';
import { createScriptedTerminal } from '../support/scripted-terminal.ts';

const STRANGER = 'not-theirs.example';
const SITE = new URL(plainListing.url).host;

/** Two homes with their pages on one host, and a picture of the second on another. */
async function setUp(t: TestContext) {
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  addPlaces(stage.directory);
  const [image] = plainListing.images;
  const night = (from: string, to: string) => ({ from, to, available: true, price: '100.00' });
  const lines = [
    {
      type: 'property',
      ...plainListing,
      reference: 'a',
      place: 'Lisbon',
      images: [{ ...image, url: `https://${SITE}/a.jpg` }],
    },
    {
      type: 'property',
      ...plainListing,
      reference: 'b',
      place: 'Lisbon',
      images: [{ ...image, url: `https://${STRANGER}/b.jpg` }],
    },
    {
      type: 'calendar',
      property: 'a',
      periods: [night('2027-05-01', '2027-05-10'), night('2027-06-01', '2027-06-02')],
    },
    { type: 'calendar', property: 'b', periods: [night('2027-05-01', '2027-05-10')] },
  ];
  writeFileSync(join(stage.directory, 'homes.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const words = (...more: readonly string[]) => [
    ...['import', 'plain', 'homes.jsonl', '--brand', 'casas', ...more],
  ];
  return { stage, words, website: () => parse(stage.file()).brands[0]?.website };
}

describe('an import of a file in the plain format', () => {
  it('registers no host that nobody has named, and shows the command that names them', async (t) => {
    const { stage, words, website } = await setUp(t);
    const before = { file: stage.file(), files: stage.files() };
    const { code, notes } = await stage.run(words());
    assert.equal(code, 2);
    assert.ok(notes.includes(`  ${STRANGER} (pictures of 1 home)\n`), notes);
    assert.deepEqual({ file: stage.file(), files: stage.files() }, before);
    const command = notes.slice(notes.indexOf('staywire import')).replaceAll(/\s*\\\n\s*/g, ' ');
    assert.equal(command, `staywire ${words('--host', SITE, '--host', STRANGER).join(' ')}`);

    const named = await stage.run(words('--host', SITE));
    assert.equal(named.code, 0, named.notes);
    assert.deepEqual(website(), { hosts: [SITE] });
    assert.match(
      named.output.replaceAll(/\s+/g, ' '),
      /! not-theirs\.example \(pictures of 1 home\) is not registered/,
    );
  });

  it('keeps what was decided, and the other members of the website', async (t) => {
    const { stage, words, website } = await setUp(t);
    assert.equal((await stage.run(words('--host', SITE))).code, 0);
    const page = `https://${SITE}/book/{reference}?from={check_in}&to={check_out}`;
    const file = join(stage.directory, 'network.jsonc');
    writeFileSync(file, stage.file().replace(/"website": \{\n/, `"website": { "stay_url": "${page}",\n`));
    assert.equal((await stage.run(words())).code, 0);
    assert.deepEqual(website(), { stay_url: page, hosts: [SITE] });
  });

  it('clears what a killed import of the brand has left, and nothing of other brands', async (t) => {
    const { stage, words } = await setUp(t);
    const part = `${randomUUID()}.part`;
    const folder = join(stage.directory, 'imports');
    mkdirSync(folder);
    for (const name of [`casas.jsonl.${part}`, `casas.jsonl.${part}.${part}`, `mill.jsonl.${part}`])
      writeFileSync(join(folder, name), '');
    const { code, notes } = await stage.run(words('--host', SITE));
    assert.equal(code, 0, notes);
    assert.deepEqual(readdirSync(folder).sort(), ['casas.jsonl', `mill.jsonl.${part}`]);
  });

  it('leaves another import of the brand alone, and says what to do', async (t) => {
    const { stage, words } = await setUp(t);
    const folder = join(stage.directory, 'imports');
    const part = join(folder, `casas.jsonl.${randomUUID()}.part`);
    mkdirSync(folder);
    writeFileSync(part, '');
    t.after(lockFile(join(folder, 'casas.jsonl.lock')) ?? assert.fail);
    // No time goes by while it waits.
    const clock = createVendorClock({ skippedWaitMs: 20 });
    const { code, notes } = await stage.run(words('--host', SITE), { tools: { clock } });
    assert.equal(code, 2);
    assert.match(
      notes.replaceAll(/\s+/g, ' '),
      /is being changed by another command.* → wait until it has ended/,
    );
    assert.ok(existsSync(part));
  });

  it('ends with 2 where its only city is not on the network, and looks at what the entry maps already', async (t) => {
    const { stage, words } = await setUp(t);
    const file = join(stage.directory, 'network.jsonc');
    writeFileSync(
      file,
      stage
        .file()
        .replace('"name":"Lisbon"', '"name":"Somewhere else"')
        .replace('"id":"lisbon"', '"id":"lisboa"'),
    );
    const before = { file: stage.file(), files: stage.files() };
    const bare = words('--host', SITE, '--host', STRANGER);
    const { code, output, notes } = await stage.run(bare);
    assert.deepEqual([code, output], [2, '']);
    assert.match(notes, /not on the network[\s\S]*\n {2}\{"id":"lisbon","name":"Lisbon",/);
    assert.deepEqual({ file: stage.file(), files: stage.files() }, before);

    const placed = await stage.run([...bare, '--place', 'Lisbon=lisboa']);
    assert.equal(placed.code, 0, placed.notes);
    const again = await stage.run(bare);
    assert.equal(again.code, 0, again.notes);
    assert.doesNotMatch(again.output, /not on the network/);
    assert.deepEqual(parse(stage.file()).brands[0].places, { Lisbon: 'lisboa' });
  });

  it('is copied as it is, with its counts, and the lines that a synchronisation would reject', async (t) => {
    const { stage, words } = await setUp(t);
    const file = join(stage.directory, 'homes.jsonl');
    const bad = { type: 'property', ...plainListing, place: 'Lisbon', name: 'Book at casas.example/now' };
    const night = { from: '2027-06-31', to: '2027-07-02', available: true };
    const lines = [
      readFileSync(file, 'utf8'),
      JSON.stringify(bad),
      JSON.stringify({ type: 'calendar', property: 'a', periods: [night] }),
      '{',
    ];
    writeFileSync(file, gzipSync(lines.join('\n')));
    const { code, output, notes } = await stage.run(words('--host', SITE));
    assert.equal(code, 0, notes);
    assert.match(output, /^2 homes and 2 calendar lines with 3 periods$/m);
    const said = output.replaceAll(/\s+/g, ' ');
    assert.match(said, /Held back: 3 lines homes\.jsonl:5: name carries a web or e-mail address/);
    assert.match(said, /homes\.jsonl:6: periods\/0\/from is not a day: 2027-06-31 →/);
    assert.match(said, /homes\.jsonl:7: /);
    assert.deepEqual(readFileSync(join(stage.directory, 'imports', 'casas.jsonl')), readFileSync(file));
    const json = JSON.parse((await stage.run(words('--json'))).output);
    assert.deepEqual([json.properties, json.calendar_periods, json.held_back.length], [2, 3, 3]);
    assert.deepEqual(json.hosts.registered, [SITE]);
  });

  it('that cannot be read is refused as a whole, and nothing is written', async (t) => {
    const { stage, words } = await setUp(t);
    const before = { file: stage.file(), imports: () => readdirSync(join(stage.directory, 'imports')) };
    const header = JSON.stringify({ type: 'header', format: 'staywire-plain', version: 2 });
    for (const [content, said] of [
      [header, /version is 2, must be 1/],
      [gzipSync('a'.repeat(1000)).subarray(0, 20), /cannot be unpacked/],
      [null, /there is no file/],
    ] as const) {
      const file = join(stage.directory, 'homes.jsonl');
      if (content === null) rmSync(file);
      else writeFileSync(file, content);
      const { code, notes } = await stage.run(words('--host', SITE));
      assert.equal(code, 2, String(said));
      assert.match(notes, said);
      assert.deepEqual([stage.file(), before.imports()], [before.file, []], String(said));
    }
  });

  it('that is interrupted, while it reads, leaves an earlier import as it was', async (t) => {
    const { stage, words } = await setUp(t);
    assert.equal((await stage.run(words('--host', SITE))).code, 0);
    const before = { file: stage.file(), files: stage.files() };
    const interruption = new AbortController();
    const progress = (): Progress => ({ update: () => interruption.abort(), end: () => undefined });
    const terminal = { ...createScriptedTerminal(), progress };
    const reading = await stage.run(words(), { signal: interruption.signal, tools: { terminal } });
    assert.equal(reading.code, 130);
    assert.deepEqual({ file: stage.file(), files: stage.files() }, before);
  });

  it('says to synchronise, or to restart a service that does not know the brand', async (t) => {
    const { stage, words } = await setUp(t);
    const serving = { tools: { isServing: () => true } };
    const before = stage.file();
    const run = async (
      ...options: Parameters<typeof stage.run> extends [unknown, ...infer Rest] ? Rest : never
    ) => (await stage.run(words('--host', SITE), ...options)).output.replaceAll(/\s+/g, ' ');
    assert.match(await run(), /Next: staywire sync casas$/);
    writeFileSync(join(stage.directory, 'network.jsonc'), before);
    assert.match(await run(serving), /Next: restart the service$/);
    assert.match(await run(serving), /A service that was started with casas reads it again by itself\.$/);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { commandsForDocuments } from '../../src/cli/program.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { aHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startCommand } from '../support/command-line.ts';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';
import { plainListing } from '../support/plain-listing.ts';
import { connectHills } from './connect-hills.ts';

const QUICK = 'rate_limits=[{"requests":1000,"seconds":1}]';
/** Addresses and paths are whole, however long they are. */
const LONG = /\S*:\/\/\S*|(?:\/[\w.-]+){2,}/g;

function assertFits(text: string, what: string): void {
  for (const line of text.split('\n')) {
    assert.ok(line.replaceAll(LONG, '').length <= 80, `${what} is wider than 80 columns: ${line}`);
  }
}

describe('the help', () => {
  it('is there for every command, fits, and explains every option', async (t) => {
    const commands = commandsForDocuments().map(({ usage }) => usage.replace(/ [<[].*/, ''));
    assert.deepEqual(commands, [
      'staywire init',
      'staywire connect',
      'staywire check',
      'staywire sync',
      'staywire held-back',
      'staywire report',
      'staywire network store',
      'staywire network show',
      'staywire assistants list',
      'staywire assistants approve',
      'staywire assistants suspend',
      'staywire assistants limit',
      'staywire assistants remove',
      'staywire assistants test',
      'staywire assistants show',
      'staywire assistants store',
      'staywire signing-keys create',
      'staywire migrate-store',
      'staywire audit verify',
      'staywire audit tail',
      'staywire console password',
      'staywire import plain',
      'staywire outcomes import',
      'staywire try',
      'staywire serve',
      'staywire mcp',
    ]);
    const stage = createCommandStage(t);
    for (const name of [...commands, 'staywire', 'staywire import']) {
      const { code, output } = await stage.run([...name.split(' ').slice(1), '--help']);
      assert.equal(code, 0, name);
      assertFits(output, name);
      // What runs until it is told to stop has no result.
      const hasResult = commands.includes(name) && !['staywire serve', 'staywire mcp'].includes(name);
      if (hasResult) assert.match(output, /^ {2}--json /m, name);
    }
  });
});

describe('what is not understood', () => {
  it('ends with 2, says what to do next, and is one JSON document when JSON is wanted', async (t) => {
    const stage = createCommandStage(t);
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['frob'], /unknown command 'frob'/],
      [['sync', '--frob'], /unknown option '--frob'/],
      [['connect'], /missing required argument 'brand'/],
      [['import', 'plain', 'x.jsonl'], /required option '--brand <brand>' not specified/],
      [['sync'], /There is no network file here\.[\s\S]*staywire init/],
      [['check', '--url', 'ftp://x'], /give the base address, such as https/],
      [['check', '--url', 'https://x.example', '--token-variable', 'NOWHERE'], /NOWHERE is not set/],
      [['init', '--name', ''], /--name is empty[\s\S]*give --name/],
      [['init', '--name', 'A\nB'], /--name is empty, or has a line break/],
      [['serve'], /There is no network file here/],
    ];
    for (const [words, said] of wrong) {
      const plain = await stage.run(words);
      assert.deepEqual([plain.code, plain.output], [2, ''], words.join(' '));
      assert.match(plain.notes, said);
      assert.match(plain.notes, /→ /, 'there is nothing to do next');
      assertFits(plain.notes, words.join(' '));
      if (words[0] === 'serve') continue;
      const json = await stage.run([...words, '--json']);
      assert.equal(json.code, 2);
      const { error } = JSON.parse(json.output);
      assert.match([...error.faults, error.next].join('\n'), said);
    }
    const both = await stage.run(['held-back', '--csv', '--json']);
    assert.equal(both.code, 2);
  });

  it('is explained where the system refuses something', async (t) => {
    const stage = createCommandStage(t);
    const failWith = (code: string) => {
      const readInput = () => Promise.reject(Object.assign(new Error(`${code}: no`), { code }));
      return stage.run(['connect', 'a', '--system', 'lodgify', '--secrets-from-stdin'], {
        tools: { readInput },
      });
    };
    await stage.run(['init']);
    assert.match((await failWith('EACCES')).notes, /→ choose a folder in which you may write/);
    assert.match((await failWith('EROFS')).notes, /→ choose a folder in which you may write/);
    assert.match((await failWith('ENOSPC')).notes, /→ make room on the disk/);
    writeFileSync(join(stage.directory, 'file'), '');
    const below = await stage.run(['init', 'file/below']);
    assert.equal(below.code, 2);
    assert.match(below.notes, /ENOTDIR[\s\S]*→ look at the path/);
  });
});

describe('init', () => {
  it('writes a file that can be connected to, and a key that only its owner can read', async (t) => {
    const stage = createCommandStage(t);
    const { code, output } = await stage.run(['init', 'net', '--name', 'A "B"', '--trust-this-machine']);
    assert.equal(code, 0);
    assertFits(output, 'init');
    assert.match(output, /^ {2}cd net$/m);
    assert.deepEqual(stage.files(), ['net/.env', 'net/network.jsonc']);
    const env = join(stage.directory, 'net', '.env');
    assert.equal(statSync(env).mode & 0o777, 0o600);
    assert.match(readFileSync(env, 'utf8'), /^STAYWIRE_CREDENTIALS_KEY=[0-9a-f]{64}$/m);
    assert.match(readFileSync(env, 'utf8'), /^STAYWIRE_TRUSTED_NETWORKS=127/m);
    assert.ok(!output.includes(/KEY=(\S+)/.exec(readFileSync(env, 'utf8'))?.[1] ?? '?'));
    const again = await stage.run(['init', 'net']);
    assert.equal(again.code, 2);
    assert.match(again.notes, /is\s+there\s+already;\s+it\s+was\s+left\s+as\s+it\s+is/);
  });

  it('asks a person for the name, the contact and who may call', async (t) => {
    const stage = createCommandStage(t);
    const { code, output } = await stage.run(['init', '--json'], {
      answers: [
        ['Name of the network', 'Atlantic'],
        ['Address where people can write to', 'us@atlantic.example'],
        ['Who may call', 'nobody'],
      ],
    });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(output), { written: ['network.jsonc', '.env'] });
    assert.match(stage.file(), /"name": "Atlantic"/);
    assert.match(readFileSync(join(stage.directory, '.env'), 'utf8'), /^# STAYWIRE_TRUSTED_NETWORKS/m);
  });
});

describe('commands on a network', () => {
  async function connected(t: TestContext, homes = [aHome({ id: 1 }), aHome({ id: 2, images: [] })]) {
    const emulator = await startHostaway({ homes, now: vendorClock.now, limits: 'off' });
    t.after(() => emulator.close());
    const stage = createCommandStage(t);
    await stage.run(['init']);
    addPlaces(stage.directory);
    const empty = await stage.run(['sync']);
    for (const { notes } of [empty, await stage.run(['serve'])])
      assert.equal(
        notes,
        '✖ There is no brand on this network yet.\n→ connect the first with staywire connect BRAND',
      );
    const { code, notes, output } = await stage.run(connectHills(emulator, QUICK), {
      input: JSON.stringify(emulator.credentials),
    });
    assert.equal(code, 0, notes + output);
    return { emulator, stage };
  }

  it('say the same as text, as JSON and as CSV, within 80 columns and without a secret', async (t) => {
    const { emulator, stage } = await connected(t);
    const secret = emulator.credentials.api_key ?? '?';
    const before = await stage.run(['held-back']);
    assert.match(before.output, /hills {2}was not read yet: staywire sync hills/);
    for (const words of [
      ['check'],
      ['sync', '--full'],
      ['sync', 'hills'],
      ['held-back'],
      ['held-back', 'hills'],
    ]) {
      const plain = await stage.run(words);
      assert.equal(plain.code, 0, plain.notes);
      assertFits(plain.output + plain.notes, words.join(' '));
      assert.match(plain.output, /too_few_entries/, 'what was held back is listed');
      const json = await stage.run([...words, '--json']);
      assert.equal(json.code, 0);
      const [brand] = JSON.parse(json.output).brands;
      assert.equal(brand.brand, 'hills');
      assert.deepEqual(Object.keys(brand.held_back[0]), [
        'reference',
        'place',
        'rule',
        'value',
        'reason',
        'remedy',
        'repaired',
      ]);
      for (const text of [plain.output, plain.notes, json.output, json.notes])
        assert.ok(!text.includes(secret), words.join(' '));
    }
    const csv = await stage.run(['held-back', '--csv']);
    assert.match(csv.output, /^brand,reference,place,rule,value,reason,remedy,repaired\r\nhills,/);
  });

  it('end with 1 when a booking system fails, and keep what was read before', async (t) => {
    const { emulator, stage } = await connected(t);
    assert.equal((await stage.run(['sync'])).code, 0);
    emulator.setFault('error_500', 'catalogue');
    const synced = await stage.run(['sync']);
    assert.equal(synced.code, 1);
    assert.doesNotMatch(synced.notes, /0 listings/);
    assert.match(synced.notes, /hills: could not be read/);
    assert.match(
      synced.output,
      /✖ server_error: .*what was read before stays on\s+offer\n→ the booking system has a fault/s,
    );
    assertFits(synced.output, 'sync');
    const checked = await stage.run(['check']);
    assert.equal(checked.code, 1);
    assert.match(checked.output, /✖ {2}credentials .*server_error/);
    emulator.setFault(null);
    emulator.setFault('error_500', 'quote');
    assert.match((await stage.run(['check'])).output, /✖ {2}price .*server_error/);
  });

  it('serve nobody until the owner says who may call', async (t) => {
    const { stage } = await connected(t);
    const served: unknown[] = [];
    const serve = async (env: unknown) => void served.push(env);
    const closed = await stage.run(['serve'], { tools: { serve } });
    assert.equal(closed.code, 2);
    assert.match(closed.notes, /→ to try it on this machine, take the # away/);
    assertFits(closed.notes, 'serve');
    const wrong = await stage.run(['serve', '--port', 'abc'], { tools: { serve } });
    assert.equal(wrong.code, 2);
    assert.match(wrong.notes, /--port abc is not a port\.\n→ give --port a number from 0 to 65535/);
    const open = await stage.run(['serve', '--port', '8099'], {
      env: { STAYWIRE_TRUSTED_NETWORKS: '127.0.0.1' },
      tools: { serve },
    });
    assert.equal(open.code, 0, open.notes);
    assert.equal(served.length, 1);
    const { PORT, STAYWIRE_NETWORK } = served[0] as Record<string, string>;
    assert.deepEqual([PORT, STAYWIRE_NETWORK], ['8099', join(stage.directory, 'network.jsonc')]);
  });
});

describe('a running service', () => {
  // Only the service is a process of its own: it is what holds the store, and every start of another takes seconds on a busy machine.
  it('leaves room for held-back and check, and sync says why it is not needed', async (t) => {
    const emulator = await startHostaway({ homes: [aHome({ id: 1 })], now: vendorClock.now, limits: 'off' });
    t.after(() => emulator.close());
    const stage = createCommandStage(t);
    await stage.run(['init', '--trust-this-machine']);
    addPlaces(stage.directory);
    const connect = () =>
      stage.run(connectHills(emulator, QUICK), { input: JSON.stringify(emulator.credentials) });
    const connected = await connect();
    assert.equal(connected.code, 0, connected.notes);
    const service = startCommand(['serve', '--port', '0'], stage);
    t.after(() => service.child.kill('SIGKILL'));
    await service.said(/Staywire serves/);

    const synced = await stage.run(['sync']);
    assert.equal(synced.code, 2);
    assert.match(synced.notes, /The service is running[\s\S]*restart it when the\s+network file has changed/);
    const checked = await stage.run(['check']);
    assert.equal(checked.code, 0, checked.output + checked.notes);
    const again = await connect();
    assert.equal(again.code, 0, again.output + again.notes);
    assert.match(again.output, /Next: restart the service/);
    const home = { type: 'property', ...plainListing, place: 'Lisbon' };
    writeFileSync(join(stage.directory, 'homes.jsonl'), JSON.stringify(home));
    const imported = await stage.run([
      ...['import', 'plain', 'homes.jsonl', '--brand', 'casas', '--host', 'casas.example'],
    ]);
    assert.equal(imported.code, 0, imported.notes);
    assert.match(imported.output, /Next: restart the service/);
    assert.match(
      (await stage.run(['held-back', 'casas'])).output,
      /casas {2}was not read yet: the service does it/,
    );

    const admitted = async () => {
      const held = await stage.run(['held-back', 'hills', '--json']);
      assert.equal(held.code, 0, held.notes);
      return JSON.parse(held.output).brands[0].admitted;
    };
    // It is read by the service when it starts, and that may take a while.
    for (let tries = 0; tries < 600 && (await admitted()) === undefined; tries += 1) await setTimeout(100);
    assert.equal(await admitted(), 1);
    assert.ok(existsSync(join(stage.directory, 'data')));
    service.child.kill('SIGINT');
    assert.equal((await service.ended).code, 0);
    assert.match((await stage.run(['held-back', 'casas'])).output, /was not read yet: staywire sync casas/);
  });
});
